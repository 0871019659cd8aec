"""MapLibre GL JS and Leaflet show each view in a real browser as it is."""

import json
import os
import subprocess
import urllib.parse

import pytest

from kit import cases, server as servers
from kit.comparison import same

BACKGROUND, COLOUR = "#e6e6e6", (230, 230, 230)
LIBRARIES = {"maplibre": "maplibre-gl.js", "leaflet": "leaflet.js"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_it_shows_each_pixel(case, library, chromium, server):
    if not os.path.exists(os.path.join(server.folders[library], LIBRARIES[library])):
        pytest.skip(f"no {library}: make deps-readers")
    metadata = case.open().metadata
    with chromium.page(512, 512, case.density) as page:
        for view in case.views():
            told = {
                "archive": str(case), "center": view.center, "zoom": view.zoom, "background": BACKGROUND,
                "minzoom": int(metadata["minzoom"]), "maxzoom": int(metadata["maxzoom"]),
            }  # fmt: skip
            page.open(f"{server.url}/pages/{library}.html?{urllib.parse.quote(json.dumps(told))}")
            page.wait("window.shown")
            same(page.screenshot(), view.over(COLOUR), f"{library}-{case}-{view.zoom}", limit=1)
        assert not [url for url in page.requests if not url.startswith((server.url, "data:", "blob:", "about:"))]


@pytest.mark.parametrize("name", ["hotels", "hotels@2x", "parcels-floors"])
def test_maplibre_draws_the_style_beside_an_archive(name, chromium, server):
    if not os.path.exists(os.path.join(server.folders["maplibre"], LIBRARIES["maplibre"])):
        pytest.skip("no maplibre: make deps-readers")
    if not os.path.exists(f"{cases.ARCHIVES}/{name}.style.json"):
        pytest.skip(f"no style of {name}")
    case = cases.Case(name.removesuffix("@2x"), 2 if name.endswith("@2x") else 1)
    view = case.views()[1]
    told = {"style": f"/archives/{name}.style.json", "center": view.center, "zoom": view.zoom, "background": BACKGROUND}
    with chromium.page(512, 512, case.density) as page:
        page.open(f"{server.url}/pages/maplibre.html?{urllib.parse.quote(json.dumps(told))}")
        page.wait("window.shown")
        same(page.screenshot(), view.over(COLOUR), f"maplibre-style-{case}", limit=1)


@pytest.mark.parametrize("name", ["hotels", "parcels-floors"])
def test_maplibre_reads_pmtiles_by_ranges(name, chromium, server, tmp_path):
    if not os.path.exists(os.path.join(server.folders["maplibre"], "pywidget.js")):
        pytest.skip("no maplibre: make deps-readers")
    case = cases.Case(name, 1)
    file = tmp_path / "packed.pmtiles"
    subprocess.run([cases.PROGRAM, "export", "-q", case.path, file], check=True)
    server.folders["packed"] = str(tmp_path)
    server.ranges.clear()
    with chromium.page(512, 512, 1) as page:
        for view in case.views():
            told = {"file": file.name, "center": view.center, "zoom": view.zoom, "background": BACKGROUND}
            page.open(f"{server.url}/pages/pmtiles.html?{urllib.parse.quote(json.dumps(told))}")
            page.wait("window.shown")
            same(page.screenshot(), view.over(COLOUR), f"pmtiles-{case}-{view.zoom}", limit=1)
    assert len(server.ranges) > 2 and max(server.ranges) < file.stat().st_size / 2


@pytest.mark.parametrize("name", ["hotels", "hotels@2x", "parcels", "rain"])
def test_the_tilejson_leads_to_every_tile(name):
    path = f"{cases.ARCHIVES}/{name}.tilejson"
    if not os.path.exists(path):
        pytest.skip(f"no TileJSON of {name}")
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    (template,) = told["tiles"]
    assert told["tilejson"] == "3.0.0" and template.endswith("/{z}/{x}/{y}.png") and "scheme" in told
    case = cases.Case(name.removesuffix("@2x"), 2 if name.endswith("@2x") else 1)
    metadata = case.open().metadata
    assert (told["minzoom"], told["maxzoom"]) == (int(metadata["minzoom"]), int(metadata["maxzoom"]))
    assert told["tileSize"] == 256 and metadata["name"].startswith(told["name"])
