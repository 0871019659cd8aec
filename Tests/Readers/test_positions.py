"""Records of `type: ogr` in national grids, against pyogrio and pyproj."""

import json
import math
import random
import subprocess

import pytest

from kit.program import quadrille

#: Reference systems, and a box in each that lies within its country, in its own units.
GRIDS = {
    "EPSG:25832": (300_000, 5_300_000, 800_000, 6_000_000),
    "EPSG:27700": (100_000, 50_000, 600_000, 900_000),
    "EPSG:28992": (50_000, 350_000, 250_000, 600_000),
    "EPSG:2056": (2_500_000, 1_100_000, 2_800_000, 1_290_000),
    "EPSG:3035": (3_000_000, 2_000_000, 5_000_000, 4_000_000),
    "EPSG:2154": (200_000, 6_200_000, 1_100_000, 7_000_000),
    "EPSG:3413": (-2_000_000, -2_000_000, 2_000_000, -500_000),
}
MILLIMETRE = 1e-3


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("driver, ending", [("GPKG", "gpkg"), ("ESRI Shapefile", "shp"), ("FlatGeobuf", "fgb")])
def test_positions_are_those_of_pyproj(grid, driver, ending, tmp_path):
    pyogrio = pytest.importorskip("pyogrio", reason="no pyogrio: make deps-readers")
    pyproj = pytest.importorskip("pyproj", reason="no pyproj: make deps-readers")
    west, south, east, north = GRIDS[grid]
    numbers = random.Random(5)
    rows = [
        (number, numbers.uniform(west, east), numbers.uniform(south, north)) for number in range(500)
    ]
    (tmp_path / "grid.csv").write_text(
        "number,x,y\n" + "".join(f"{number},{x!r},{y!r}\n" for number, x, y in rows)
    )
    options = ["-oo", "X_POSSIBLE_NAMES=x", "-oo", "Y_POSSIBLE_NAMES=y", "-oo", "AUTODETECT_TYPE=YES"]
    data = tmp_path / f"grid.{ending}"
    subprocess.run(
        ["ogr2ogr", "-q", "-f", driver, "-a_srs", grid, *options, data, tmp_path / "grid.csv"], check=True
    )
    meta, _, wkb, fields = pyogrio.raw.read(data, columns=["number"])
    assert len(wkb) == len(rows) and pyproj.CRS(meta["crs"]) == pyproj.CRS(grid)
    transformer = pyproj.Transformer.from_crs(grid, "EPSG:4326", always_xy=True)
    expected = {number: transformer.transform(x, y) for number, x, y in rows}
    pipeline = tmp_path / "grid.yml"
    pipeline.write_text(
        f"version: 1\nsources: {{p: {{type: ogr, data: {data.name}}}}}\n"
        "layers: [{id: p, type: circle, source: p}]\noutput: {path: o.mbtiles}\n"
    )
    lines = quadrille("query", pipeline, "--format", "geojsonseq").replace("\x1e", "").splitlines()
    found = [json.loads(line) for line in lines if line.strip()]
    assert [feature["properties"]["number"] for feature in found] == [int(n) for n in fields[0]]
    assert len(found) == len(rows)
    for feature in found:
        longitude, latitude = feature["geometry"]["coordinates"]
        wanted = expected[feature["properties"]["number"]]
        east_metres = (longitude - wanted[0]) * 111_320 * math.cos(math.radians(latitude))
        north_metres = (latitude - wanted[1]) * 110_574
        assert math.hypot(east_metres, north_metres) < MILLIMETRE, feature
