"""What `export` and `extract` write, in the readers of those forms."""

import json
import os
import subprocess

import numpy as np
import pytest

from kit import cases
from kit.archive import Archive, View
from kit.program import quadrille
from test_files import equal_pmtiles


@pytest.fixture(scope="module", autouse=True)
def exports():
    if subprocess.run([cases.PROGRAM, "export", "--help"], capture_output=True).returncode:
        pytest.skip("this program has no export")


def test_pmtiles_reads_ours(case, tmp_path):
    pytest.importorskip("pmtiles.reader", reason="no pmtiles: make deps-readers")
    quadrille("export", case.path, tmp_path / "out.pmtiles")
    equal_pmtiles(tmp_path / "out.pmtiles", case.open())


def test_pmtiles_leads_back_from_ours(tmp_path):
    convert = pytest.importorskip("pmtiles.convert", reason="no pmtiles: make deps-readers")
    case = cases.Case("hotels", 1)
    quadrille("export", case.path, tmp_path / "out.pmtiles")
    convert.pmtiles_to_mbtiles(str(tmp_path / "out.pmtiles"), str(tmp_path / "theirs.mbtiles"))
    quadrille("export", tmp_path / "out.pmtiles", tmp_path / "ours.mbtiles")
    archives = [Archive(tmp_path / name) for name in ("theirs.mbtiles", "ours.mbtiles")] + [case.open()]
    theirs, ours, own = ({(z, x, y): data for z, x, y, data in archive.tiles()} for archive in archives)
    assert theirs == ours == own and len(own) > 100


def test_gdal_reads_our_geopackage(case, tmp_path):
    gdal = pytest.importorskip("osgeo.gdal", reason="no python3-gdal: make deps-readers")
    from test_gdal import read, same_pixels

    quadrille("export", case.path, tmp_path / "out.gpkg")
    for view in case.views():
        dataset = gdal.OpenEx(str(tmp_path / "out.gpkg"), gdal.OF_RASTER, open_options=[f"ZOOM_LEVEL={view.zoom}"])
        assert dataset.GetDriver().ShortName == "GPKG" and dataset.GetSpatialRef().GetAuthorityCode(None) == "3857"
        bands = [dataset.GetRasterBand(i + 1) for i in range(4)]
        same_pixels(read(dataset, bands, view), view, f"gdal-gpkg-{case}-{view.zoom}")


def test_a_folder_has_every_tile(case, tmp_path):
    quadrille("export", case.path, tmp_path / "out")
    count = 0
    for z, x, y, data in case.open().tiles():
        assert (tmp_path / f"out/{z}/{x}/{y}.{case.format}").read_bytes() == data
        count += 1
    assert count == sum(1 for _ in (tmp_path / "out").rglob(f"*.{case.format}"))
    told = json.loads((tmp_path / "out/tile.json").read_text())
    assert told["tiles"][0].endswith("{z}/{x}/{y}." + case.format) and told["minzoom"] <= case.zooms[0]


def test_gdal_reads_an_extract(tmp_path):
    gdal = pytest.importorskip("osgeo.gdal", reason="no python3-gdal: make deps-readers")
    from test_gdal import read, same_pixels

    small = tmp_path / "small.mbtiles"
    quadrille("extract", cases.path("hotels", 1), "-o", small, "-Z", 8, "-z", 13, "--bbox=-74.05,40.65,-73.9,40.85")
    archive, whole = Archive(small), Archive(cases.path("hotels", 1))
    assert (archive.metadata["minzoom"], archive.metadata["maxzoom"]) == ("8", "13")
    for z, x, y, data in archive.tiles():
        assert whole.bytes(z, x, y) == data or not np.any(archive.pixels(z, x, y)[..., 3])
    # GDAL ends at the bounds, in the midst of tiles: a view within them
    views = (View(archive, 13, (x, y)) for z, x, y, _ in archive.tiles() if z == 13)
    view = next(view for view in views if view.within_bounds)
    dataset = gdal.OpenEx(str(small), gdal.OF_RASTER, open_options=["ZOOM_LEVEL=13"])
    bands = [dataset.GetRasterBand(i + 1) for i in range(4)]
    same_pixels(read(dataset, bands, view), view, "gdal-extract")
    assert os.path.getsize(small) < os.path.getsize(cases.path("hotels", 1))
