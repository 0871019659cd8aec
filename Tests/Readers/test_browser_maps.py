"""MapLibre GL JS and Leaflet show each view in a real browser as it is."""

import json
import os
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
