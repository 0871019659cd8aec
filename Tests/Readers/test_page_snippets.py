"""The snippets that the preview copies show its tiles on pages from elsewhere, while the preview runs."""

import functools
import http.server
import os
import shutil
import threading

import pytest

from kit import cases, preview
from kit.archive import Archive, View
from kit.comparison import same

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")

COLOUR = (230, 230, 230)
PAGE = """<!doctype html><meta charset="utf-8"><title>A page of one's own</title>
<link rel="stylesheet" href="{library}.css"><script src="{library}.js"></script>
<style>body {{ margin: 0 }} #map {{ width: 512px; height: 512px; background: #e6e6e6 }}</style><div id="map"></div>
<script>{begin}
{snippet}
{end}</script>
"""
FORMS = {
    "Leaflet": (
        "leaflet",
        "const map = L.map('map', {{center: [{lat!r}, {lng!r}], zoom: {zoom}, fadeAnimation: false, attributionControl: false, zoomControl: false}});",
        "map.eachLayer((layer) => layer.on('load', () => {{ window.shown = true; }}));",
    ),
    "MapLibre GL JS": (
        "maplibre-gl",
        "const map = new maplibregl.Map({{container: 'map', center: [{lng!r}, {lat!r}], zoom: {zoom} - 1, attributionControl: false, fadeDuration: 0,"
        " style: {{version: 8, sources: {{}}, layers: [{{id: 'ground', type: 'background', paint: {{'background-color': '#e6e6e6'}}}}]}}}});",
        "map.on('idle', () => {{ if (map.getSource({id!r})) requestAnimationFrame(() => {{ window.shown = true; }}); }});",
    ),
}
ARCHIVES = {
    "hotels": (f"{cases.ARCHIVES}/hotels.mbtiles", 11),
    "hotels-webp": (f"{cases.ARCHIVES}/hotels-webp.mbtiles", 11),
    "parcels": (f"{cases.ARCHIVES}/parcels.mbtiles", 14),
    "rain": (f"{cases.ARCHIVES}/rain.frames.json", 5),
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def folder(tmp_path, server):
    """A folder with the libraries, and its addresses: as files, and on a server of another port."""
    for name, file in [("leaflet", "leaflet.js"), ("maplibre", "maplibre-gl.js")]:
        path = os.path.join(server.folders[name], file)
        if not os.path.exists(path):
            pytest.skip(f"no {name}: make deps-readers")
        shutil.copy(path, tmp_path)
        style = path.removesuffix(".js") + ".css"
        if os.path.exists(style):
            shutil.copy(style, tmp_path)
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=other.serve_forever, daemon=True).start()
    yield tmp_path, [f"file://{tmp_path}", f"http://localhost:{other.server_port}"]
    other.shutdown()
    other.server_close()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ARCHIVES)
def test_a_copied_snippet_shows_the_tiles(name, form, chromium, served, folder):
    place, addresses = folder
    file, zoom = ARCHIVES[name]
    view = View(Archive(cases.frames()[-1] if name == "rain" else file), zoom)
    library, begin, end = FORMS[form]
    url = served(file)
    with chromium.page(512, 512) as page:
        preview.show(page, url)
        snippet = page.run(f"quadrille.snippet({name!r}, {form!r})")
        told = {"lat": view.center[1], "lng": view.center[0], "zoom": zoom, "id": name}
        text = PAGE.format(library=library, begin=begin.format(**told), snippet=snippet, end=end.format(**told))
        (place / "page.html").write_text(text, encoding="utf-8")
        for address in addresses:
            page.resize(512, 512)
            page.open(f"{address}/page.html")
            page.wait("document.readyState === 'complete' && window.shown")
            page.run("new Promise((done) => setTimeout(done, 200))")
            same(page.screenshot(), view.over(COLOUR), f"snippet-{name}-{form}", limit=1)
