"""`quadrille preview --under` in a real browser: one's own map lies under the tiles, whatever it is."""

import json
import os

import pytest

from kit import audit, cases, preview
from kit.archive import Archive, View, over
from kit.comparison import same, save

GROUND = {"light": (0xEC, 0xEF, 0xF1), "dark": (0x1B, 0x21, 0x27)}
LAND = {"light": (0xF6, 0xF4, 0xEE), "dark": (0x2A, 0x31, 0x38)}
WATER = {"light": (0xD5, 0xE2, 0xE9), "dark": (0x14, 0x1B, 0x21)}
HOTELS = f"{cases.ARCHIVES}/hotels.mbtiles"
PARCELS = f"{cases.ARCHIVES}/parcels.mbtiles"
AUTHORS = "Surveyors of the test"
# An island in the Atlantic with a lighthouse, [west, south, east, north] and [longitude, latitude].
ISLAND, LIGHTHOUSE = (-45, 30, -35, 38), (-30, 34)

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")


@pytest.fixture
def page(chromium):
    with chromium.page(1200, 800) as page:
        yield page
        # a missing tile is no error, but the console names every answer of 404
        assert not [words for words in page.complaints if "404" not in words or not ("/tiles/" in words or "/under/" in words)]


@pytest.fixture
def geojson(tmp_path):
    west, south, east, north = ISLAND
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    shapes = [{"type": "Polygon", "coordinates": [ring]}, {"type": "Point", "coordinates": LIGHTHOUSE}]
    features = [{"type": "Feature", "properties": {}, "geometry": shape} for shape in shapes]
    file = tmp_path / "island.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    return str(file)


def at(page, latitude, longitude):
    """The colour of the map at a position."""
    x, y = page.run(
        "(b => (p => [b.left + p.x, b.top + p.y])(quadrille.map.latLngToContainerPoint("
        f"[{latitude}, {longitude}])))(document.getElementById('map').getBoundingClientRect())"
    )
    return tuple(page.screenshot()[round(y), round(x)])


def shows_parcels(page, files, scheme, name):
    """Fails unless the parcels lie under the hotels at a zoom that has both."""
    preview.show(page, files, scheme=scheme)
    page.run("quadrille.set({graticule: false})")
    below = View(Archive(PARCELS), 14)
    view = View(Archive(HOTELS), 14, corner=(below.x, below.y))
    preview.go(page, view)
    page.wait("document.querySelectorAll('.leaflet-under-pane img.leaflet-tile-loaded').length >= 4")
    page.run("new Promise((done) => setTimeout(done, 200))")
    save(page.screenshot(), f"{name}-whole")
    wanted = over(view.rgba(), below.over(GROUND[scheme]))
    assert (wanted != view.over(GROUND[scheme])).any(axis=2).mean() > 0.2
    same(preview.seen(page, view), wanted, name, limit=2)
    # Without the land the map under the tiles is gone, too.
    page.run("quadrille.set({land: false}), quadrille.idle()")
    same(preview.seen(page, view), view.over(GROUND[scheme]), f"{name}-without", limit=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_archive_lies_under_the_tiles(page, served, scheme):
    url = served(HOTELS, "--under", PARCELS, "--under-attribution", AUTHORS)
    shows_parcels(page, url, scheme, f"under-archive-{scheme}")
    assert AUTHORS in page.run("document.querySelector('.leaflet-control-attribution').textContent")
    assert all(asked.startswith(("http://127.0.0.1:", "data:", "about:")) for asked in page.requests)


def test_the_land_is_shown_at_zooms_that_the_archive_lacks(page, served):
    preview.show(page, served(HOTELS, "--under", PARCELS))
    page.run("quadrille.set({shown: [], graticule: false})")
    for zoom in (3, 12):
        page.run(f"quadrille.map.setView([41.3, -74.6], {zoom}, {{animate: false}}), quadrille.idle()")
        page.run("new Promise((done) => setTimeout(done, 200))")
        assert page.run("document.getElementById('map').classList.contains('land')")
        assert at(page, 41.3, -74.6) == LAND["light"]
    assert not [asked for asked in page.requests if "/under/" in asked]
    page.run("quadrille.map.setView([40.73, -73.99], 13, {animate: false}), quadrille.idle()")
    page.wait("!document.getElementById('map').classList.contains('land')")
    page.wait("document.querySelectorAll('.leaflet-under-pane img.leaflet-tile-loaded').length > 0")


def test_tiles_of_a_server_lie_under_the_tiles(page, served, server):
    template = f"{server.url}/tiles/parcels@1x/{{z}}/{{x}}/{{y}}.png"
    url = served(HOTELS, "--under", template, "--under-attribution", f'<b>by</b> <a href="javascript:x">{AUTHORS}</a>')
    shows_parcels(page, url, "light", "under-server")
    assert page.run("document.querySelector('.leaflet-control-attribution :is(b, [href^=java])')") is None
    assert f"by {AUTHORS}" in page.run("document.querySelector('.leaflet-control-attribution').textContent")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_shapes_of_geojson_lie_on_the_land(page, served, geojson, scheme):
    preview.show(page, served(HOTELS, "--under", geojson), scheme=scheme)
    page.run("quadrille.set({shown: [], graticule: false}), quadrille.map.setView([34, -38], 4, {animate: false}), quadrille.idle()")
    page.run("new Promise((done) => setTimeout(done, 300))")
    save(page.screenshot(), f"under-geojson-{scheme}")
    west, south, east, north = ISLAND
    assert at(page, (south + north) / 2, (west + east) / 2) == LAND[scheme]
    assert at(page, LIGHTHOUSE[1], LIGHTHOUSE[0]) == LAND[scheme]
    assert at(page, south - 3, (west + east) / 2) == WATER[scheme]
    assert at(page, 40.2, -4) == LAND[scheme]
    assert audit.faults(page) == []
    # The theme changes the shapes, too.
    other = "dark" if scheme == "light" else "light"
    page.run(f"quadrille.set({{theme: {other!r}}}), quadrille.idle()")
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert at(page, (south + north) / 2, (west + east) / 2) == LAND[other]
    page.run("quadrille.set({land: false}), quadrille.idle()")
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert at(page, (south + north) / 2, (west + east) / 2) == GROUND[other]
