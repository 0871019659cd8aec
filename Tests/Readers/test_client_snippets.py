"""The code of docs/clients.md, run as it stands there, with the files of the golden vectors."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from kit import audit, cases, clients, rows
from kit.publisher import KEY
from kit.server import LEAFLET, maplibre


def snippet(heading, language):
    """The block of code below a heading."""
    with open(os.path.join(cases.ROOT, "docs", "clients.md"), encoding="utf-8") as file:
        section = file.read().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)[1]


LIBRARIES = {
    "Leaflet": ("leaflet/leaflet.css", "leaflet/leaflet.js", os.path.isdir(LEAFLET)),
    "MapLibre GL JS": ("maplibre/maplibre-gl.css", "maplibre/maplibre-gl.js", maplibre() is not None),
}


def add(shown, name, **members):
    """Adds an element to the head of a page, and waits for what it loads."""
    shown.run(f"""new Promise((done, fail) => {{
      const one = Object.assign(document.createElement('{name}'), {json.dumps(members)}, {{ onload: done, onerror: fail }});
      document.head.append(one);
      if ('textContent' in {json.dumps(members)}) done();
    }}).then(() => null)""")


@pytest.fixture
def page(chromium, checkout):
    """Runs a snippet in a page; `names` are then global."""
    with chromium.page(700, 500) as shown:

        def run(code, names, library=None, archive="shapes"):
            style, script, is_there = LIBRARIES.get(library, (None, None, True))
            if not is_there:
                pytest.skip(f"no {library}: make deps-readers")
            for plain, ours in {
                "./quadrille/": "/clients/javascript/",
                '"stores.mbtiles"': f'"/clients/vectors/archives/{archive}.mbtiles"',
                '"stores.updates.json"': '"/clients/vectors/lists/good.updates.json"',
                'before, "stores"': 'before, "towns"',
                "fetch(file)": 'fetch("/clients/vectors/deltas/" + file)',
                "PUBLIC_KEY": json.dumps(KEY),
            }.items():
                code = code.replace(plain, ours)
            code += f"\nObject.assign(globalThis, {{ {names}, isRun: true }});"
            shown.open(f"{checkout}clients/vectors/README.md")
            shown.wait("document.readyState === 'complete'")
            shown.run("(document.body.innerHTML = '<div id=\"map\" style=\"position: absolute; inset: 0\"></div>', null)")
            if library:
                add(shown, "link", rel="stylesheet", href=f"/{style}")
                add(shown, "script", src=f"/{script}")
            add(shown, "script", type="module", textContent=code)
            shown.wait("globalThis.isRun === true")
            return shown

        yield run
        assert not [words for words in shown.complaints if "favicon" not in words]


def reds(shown):
    """The number of pixels in the colour of the dots."""
    picture = shown.screenshot().astype(int)
    return int(((picture[:, :, 0] > 150) & (picture[:, :, 1:].max(axis=2) < 60)).sum())


def test_leaflet(page):
    shown = page(snippet("Leaflet", "js"), "map, archive", "Leaflet")
    shown.wait("document.querySelectorAll('.leaflet-tile-loaded').length > 0 && !document.querySelector('.leaflet-tile:not(.leaflet-tile-loaded)')")
    shown.wait("[...document.querySelectorAll('.leaflet-tile')].every((tile) => Number(getComputedStyle(tile).opacity) === 1)")
    assert reds(shown) > 1000
    x, y = shown.run("(({x, y}) => [x, y])(map.latLngToContainerPoint([46.9435, 7.5223]))")
    shown.click(x, y)
    shown.wait("document.querySelector('.leaflet-popup b')?.textContent === 'Dot 6'")


def test_leaflet_zooms_to_where_a_cluster_comes_apart(page):
    shown = page(snippet("Leaflet", "js"), "map, archive", "Leaflet", "towns")
    shown.run("(map.setView([47, 8], 1, {animate: false}), null)")
    shown.run("archive.tap(8, 47, 1).then((entry) => { globalThis.wanted = entry.expansion_zoom; return wanted; })")
    x, y = shown.run("(({x, y}) => [x, y])(map.latLngToContainerPoint([47, 8]))")
    shown.click(x, y)
    shown.wait("wanted > 1 && map.getZoom() === wanted")


def test_maplibre_gl_js(page):
    shown = page(snippet("MapLibre GL JS", "js"), "map, archive", "MapLibre GL JS")
    shown.wait("map.loaded() && map.areTilesLoaded() && !map.isMoving()")
    assert reds(shown) > 500
    x, y = shown.run("(({x, y}) => [x, y])(map.project([7.5223, 46.9435]))")
    shown.click(x, y)
    shown.wait("document.querySelector('.maplibregl-popup')?.textContent.includes('Dot 6')")


def test_markers_for_keyboards_and_screen_readers(page):
    shown = page(snippet("Keyboards and screen readers", "js"), "map, archive, picked, remove", "MapLibre GL JS")
    shown.wait("document.querySelectorAll('.maplibregl-marker').length > 20")
    script = audit.axe()
    if script:
        shown.run(f"(() => {{ {script}\n; return true; }})()")
        assert [one for one in shown.run(audit.AXE) if "maplibregl-marker" in one] == []
    labels = shown.run("[...document.querySelectorAll('.maplibregl-marker')].map((one) => [one.ariaLabel, one.getBoundingClientRect().width])")
    assert {"Dot 6", "Shape 3"} < {label for label, _ in labels} and {width for _, width in labels} == {24}
    shown.run("(document.querySelector('[aria-label=\"Dot 6\"]').focus(), null)")
    shown.key("Enter")
    shown.wait("picked.length === 1 && picked[0] === 'Dot 6' && !map.isMoving()")
    # The button stays, and with it the focus; what is outside goes.
    shown.wait("document.activeElement.ariaLabel === 'Dot 6'")
    shown.run("(map.jumpTo({center: [0, 0]}), null)")
    shown.wait("document.querySelectorAll('.maplibregl-marker').length === 0 && document.activeElement === map.getCanvas()")
    shown.run("(map.jumpTo({center: [367.5, 47], zoom: 8}), null)")
    shown.wait("document.querySelectorAll('.maplibregl-marker').length > 20")
    shown.run("(remove(), null)")
    shown.wait("document.querySelectorAll('.maplibregl-marker').length === 0")


def test_updates_in_javascript(page):
    shown = page(snippet("Updates in JavaScript", "js"), "archive, path", archive="towns-1")
    assert shown.run("path.map((delta) => delta.file)") == ["towns.1-3.delta"]
    with open(os.path.join(rows.VECTORS, "vectors.json"), encoding="utf-8") as file:
        wanted = next(case["expect"] for case in json.load(file)["cases"] if case["name"] == "archives/towns.mbtiles: verify")
    assert shown.run("archive.verify()") == wanted["digest"]
    assert json.loads(shown.run("localStorage.getItem('stores')")) == {"sequence": 7, "keys": [KEY], "anchors": [KEY]}


@pytest.fixture
def folder(tmp_path):
    """The files that the snippets of programs name."""
    archives = os.path.join(rows.VECTORS, "archives")
    shutil.copyfile(f"{archives}/shapes.mbtiles", tmp_path / "stores.mbtiles")
    shutil.copyfile(f"{archives}/rain.frames.json", tmp_path / "rain.frames.json")
    shutil.copytree(f"{archives}/rain", tmp_path / "rain")
    return tmp_path


def prepared(code, publisher):
    return code.replace("https://tiles.example.org/stores.updates.json", publisher.list).replace("PUBLIC_KEY", json.dumps(KEY))


def is_newest(file):
    """No delta leads from `shapes` to `towns`: the whole file was fetched."""
    with open(os.path.join(rows.VECTORS, "archives", "towns.mbtiles"), "rb") as wanted:
        return file.read_bytes() == wanted.read()


def test_python(folder, publisher):
    told = subprocess.run(
        [sys.executable, "-B", "-c", prepared(snippet("Python", "python"), publisher)], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": os.path.join(clients.CLIENTS, "python")}, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[:2] == ["shapes 1 10", "Dot 6 None"] and "2026-03-01T10:45:00Z" in told.stdout
    assert is_newest(folder / "stores.mbtiles")


def test_java(java, folder, publisher):
    code = prepared(snippet("Java and Kotlin", "java"), publisher)
    (folder / "Example.java").write_text(
        "package quadrille;\nimport java.io.File;\nimport java.net.URI;\nimport java.util.List;\nimport java.util.Map;\n"
        f"public class Example {{\npublic static void main(String[] words) throws Exception {{\n{code}\n"
        "System.out.println(isNew);\n}\n}\n",
        encoding="utf-8",
    )
    path = clients.compiled(folder / "classes", folder / "Example.java")
    told = subprocess.run(["java", "-cp", path, "quadrille.Example"], cwd=folder, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == ["Dot 6", "true"] and is_newest(folder / "stores.mbtiles")
