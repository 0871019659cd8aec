"""GDAL reads the pixels of each zoom, as the data set of that zoom and as an overview of the last one."""

import numpy as np
import pytest

from kit.archive import View
from kit import cases
from kit.comparison import same

gdal = pytest.importorskip("osgeo.gdal", reason="no python3-gdal: make deps-readers")
gdal.UseExceptions()


def read(dataset, bands, view, factor=1):
    """The view as RGBA, and which of its pixels the data set has: it ends at the archive's bounds, often in the midst of a
    tile. Its place is found by the data set's own georeference.

    The bands may be overviews, `factor` times coarser: their sizes are rounded, so they do not tell it exactly.
    """
    side = view.archive.side * view.across
    west, south, east, north = view.mercator
    left0, width0, _, top0, _, height0 = dataset.GetGeoTransform()
    width, height = width0 * factor, -height0 * factor
    assert side * width == pytest.approx(east - west, rel=1e-6), "the zoom has another resolution"
    left, top = round((west - left0) / width), round((top0 - north) / height)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + side, bands[0].XSize), min(top + side, bands[0].YSize)
    whole, inside = np.zeros((side, side, 4), np.uint8), np.zeros((side, side), bool)
    inside[y0 - top : y1 - top, x0 - left : x1 - left] = True
    assert inside.any(), "the bounds do not reach the tile"
    for i, band in enumerate(bands):
        part = band.ReadAsArray(x0, y0, x1 - x0, y1 - y0)
        whole[y0 - top : y1 - top, x0 - left : x1 - left, i] = part
    return whole, inside


def shown(rgba):
    """Straight colours of transparent pixels do not show."""
    return np.where(rgba[..., 3:] == 0, 0, rgba)


def same_pixels(pixels, view, name):
    read_pixels, inside = pixels
    wanted = np.where(inside[..., None], view.rgba(), 0)
    same(shown(read_pixels)[..., :3], shown(wanted)[..., :3], name)
    assert (read_pixels[..., 3] == wanted[..., 3]).all(), f"{name}: the opacity differs"


def test_each_zoom_is_a_data_set(case):
    for view in case.views():
        dataset = gdal.OpenEx(case.path, gdal.OF_RASTER, open_options=[f"ZOOM_LEVEL={view.zoom}"])
        assert dataset.RasterCount == 4 and dataset.GetDriver().ShortName == "MBTiles"
        bands = [dataset.GetRasterBand(i + 1) for i in range(4)]
        same_pixels(read(dataset, bands, view), view, f"gdal-{case}-{view.zoom}")


def test_lower_zooms_are_overviews(case):
    dataset = gdal.Open(case.path)
    last = int(case.open().metadata["maxzoom"])
    # GDAL ends its overviews where the bounds are smaller than a tile.
    count = dataset.GetRasterBand(1).GetOverviewCount()
    views = [view for view in case.views() if 0 <= last - view.zoom - 1 < count]
    assert views, f"GDAL has {count} overviews, of none of the zooms that are looked at"
    for view in views[:2]:
        bands = [dataset.GetRasterBand(i + 1).GetOverview(last - view.zoom - 1) for i in range(4)]
        same_pixels(read(dataset, bands, view, 1 << last - view.zoom), view, f"gdal-overview-{case}-{view.zoom}")


def test_each_frame_opens():
    from kit.archive import Archive

    for i, path in enumerate(cases.frames(1) + cases.frames(2)):
        view = View(Archive(path), 6)
        dataset = gdal.OpenEx(path, gdal.OF_RASTER, open_options=["ZOOM_LEVEL=6"])
        bands = [dataset.GetRasterBand(i + 1) for i in range(4)]
        same_pixels(read(dataset, bands, view), view, f"gdal-frame-{i}")
