"""Compact taps in the page: its own decoder answers as the program does, on the server and in an export."""

import functools
import http.server
import json
import os
import random
import subprocess
import threading

import pytest

from kit import cases, preview

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")

PIPELINE = """version: 1
name: town
sources:
  shops: {type: csv, data: shops.csv, x: lon, y: lat, id: id, cluster: true}
  streets: {type: geojson, data: streets.geojson}
layers:
  - {id: squares, type: fill, source: streets, filter: [==, [geometry-type], Polygon], paint: {fill-color: "#ddd"}}
  - {id: ways, type: line, source: streets, filter: [==, [geometry-type], LineString], paint: {line-width: 5}}
  - {id: dots, type: circle, source: shops, paint: {circle-radius: 6}}
tiles: {minzoom: 9, maxzoom: 13, interactivity: {fields: [name], format: compact}}
output: {path: town.mbtiles}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """An archive with symbols, lines and areas, and its folder."""
    folder = tmp_path_factory.mktemp("town")
    turn = random.Random(34)
    rows = [f"{i},Shop {i},{turn.uniform(47.0, 47.2):.5f},{turn.uniform(8.0, 8.3):.5f}" for i in range(400)]
    (folder / "shops.csv").write_text("\n".join(["id,name,lat,lon", *rows]) + "\n", encoding="utf-8")
    shapes = []
    for i in range(60):
        x, y = turn.uniform(8.0, 8.3), turn.uniform(47.0, 47.2)
        ring = [[x, y], [x + 0.02, y], [x + 0.015, y + 0.02], [x, y]]
        shape = {"type": "Polygon", "coordinates": [ring]} if i % 2 else {"type": "LineString", "coordinates": ring[:3]}
        shapes.append({"type": "Feature", "id": 1000 + i, "properties": {"name": f"Shape {i}"}, "geometry": shape})
    (folder / "streets.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": shapes}), encoding="utf-8")
    (folder / "town.yml").write_text(PIPELINE, encoding="utf-8")
    subprocess.run([cases.PROGRAM, "build", "-q", folder / "town.yml"], check=True)
    return folder


@pytest.fixture(scope="module")
def exported(town):
    """The address of the export on a plain web server."""
    preview.export([str(town / "town.mbtiles")], town / "out")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(town / "out")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def anchors(town):
    """Places at which something may answer: shops, and middles of squares and ways."""
    rows = (town / "shops.csv").read_text(encoding="utf-8").splitlines()[1:61]
    shops = [(float(row.split(",")[3]), float(row.split(",")[2])) for row in rows]
    shapes = json.loads((town / "streets.geojson").read_text(encoding="utf-8"))["features"]
    corners = [shape["geometry"]["coordinates"] for shape in shapes]
    corners = [one[0] if isinstance(one[0][0], list) else one for one in corners]
    return shops + [(one[0][0] + 0.011, one[0][1] + 0.005) for one in corners]


def asked(archive, place, zoom):
    """The key that the program finds at a place, or None."""
    command = [cases.PROGRAM, "query", archive, f"--tap={place[0]},{place[1]}", "--zoom", str(zoom)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["features"]
    return found[0]["id"] if found else None


@pytest.mark.parametrize("where", ["server", "export"])
def test_taps_of_the_page_are_those_of_the_program(where, chromium, served, town, exported):
    archive = str(town / "town.mbtiles")
    turn = random.Random(where)
    with chromium.page(1000, 700) as page:
        preview.show(page, served(archive) if where == "server" else exported)
        answers = []
        for zoom in (9, 11, 13):
            pixel = 360 / (256 * 2**zoom)
            for lng, lat in turn.sample(anchors(town), 10):
                place = (round(lng + turn.uniform(-9, 9) * pixel, 6), round(lat + turn.uniform(-6, 6) * pixel, 6))
                page.run(f"(quadrille.map.setView([{place[1]}, {place[0]}], {zoom}, {{animate: false}}), null)")
                keys = page.run(f"quadrille.tap({place[1]}, {place[0]}).then((found) => found.map((one) => one.key))")
                assert keys == [key for key in [asked(archive, place, zoom)] if key], (place, zoom)
                answers += keys
        assert len(set(answers)) > 5
        assert not any(".grid.json" in url for url in page.requests)


def test_an_export_of_compact_taps_is_about_as_large_as_its_archive(town, exported):
    size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(town / "out" / "tiles") for name in names)
    assert size <= 1.5 * os.path.getsize(town / "town.mbtiles")


def test_an_export_finds_the_records_in_view(chromium, exported):
    with chromium.page(1000, 700) as page:
        preview.show(page, exported)
        page.run("(quadrille.map.setView([47.1, 8.15], 13, {animate: false}), quadrille.idle())")
        for word in ("Shop", "Shape"):
            places = page.run(f"quadrille.search({word!r})")
            assert places and all(place["data"]["name"].startswith(word) for place in places)
            for place in places[:3]:
                found = page.run(f"quadrille.tap({place['lat']}, {place['lng']})")
                assert found[0]["data"] == place["data"]
