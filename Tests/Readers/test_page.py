"""`quadrille preview` in a real browser: it shows the tiles as they are, moves, plays, taps, and is for everybody."""

import functools
import http.server
import os
import threading
import zipfile

import numpy as np
import pytest

from kit import access, cases, preview
from kit.archive import Archive, View, over
from kit.comparison import same, save

GROUND = {"light": (0xEC, 0xEF, 0xF1), "dark": (0x1B, 0x21, 0x27)}
PLAIN = "quadrille.set({graticule: false, borders: false})"

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")


def archive(name, density=1):
    return f"{cases.ARCHIVES}/{name}{'@2x' if density == 2 else ''}.mbtiles"


def manifest(density=1):
    return f"{cases.ARCHIVES}/rain{'@2x' if density == 2 else ''}.frames.json"


@pytest.fixture(scope="module")
def served():
    """Previews by their files, each started once."""
    running = {}

    def start(*files):
        if files not in running:
            running[files] = preview.Preview(files)
        return running[files].url

    yield start
    for one in running.values():
        one.close()


@pytest.fixture
def page(chromium):
    with chromium.page(1200, 800) as page:
        yield page
        # a missing tile is no error, but the console names every answer of 404
        assert not [words for words in page.complaints if "404" not in words or "/tiles/" not in words]
        outside = [url for url in page.requests if not url.startswith(("http://127.0.0.1:", "data:", "about:"))]
        assert not outside


def middle(page):
    """[longitude, latitude, zoom] of the map."""
    return page.run("(c => [c.lng, c.lat, quadrille.map.getZoom()])(quadrille.map.getCenter())")


def box(page, selector):
    """Left, top, width and height of an element in CSS px."""
    script = f"(b => [b.left, b.top, b.width, b.height])(document.querySelector({selector!r}).getBoundingClientRect())"
    return page.run(script)


def center(page, selector):
    left, top, width, height = box(page, selector)
    return left + width / 2, top + height / 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_are_shown_as_they_are(page, served, scheme):
    preview.show(page, served(archive("hotels")), scheme=scheme)
    save(page.screenshot(), f"page-hotels-{scheme}")
    page.run(PLAIN)
    for view in cases.Case("hotels", 1).views():
        preview.go(page, view)
        same(preview.seen(page, view), view.over(GROUND[scheme]), f"page-{scheme}-{view.zoom}", limit=1)


def test_the_density_is_that_of_the_screen_or_as_asked(page, served):
    preview.show(page, served(archive("hotels")), density=2)
    page.run(PLAIN)
    view = View(Archive(archive("hotels", 2)), 11)
    preview.go(page, view)
    same(preview.seen(page, view), view.over(GROUND["light"]), "page-2x", limit=1)
    page.run("(d => { d.value = '1'; d.dispatchEvent(new Event('change')); })(document.getElementById('density'))")
    page.run("quadrille.idle()")
    coarse = View(Archive(archive("hotels", 1)), 11).over(GROUND["light"])
    blurred = preview.seen(page, view).astype(float)
    assert abs(blurred - np.kron(coarse, np.ones((2, 2, 1)))).mean() < 3 < abs(blurred - view.over(GROUND["light"])).max()


def test_a_mouse_drags_the_map_and_a_reload_finds_the_place_again(page, served):
    preview.show(page, served(archive("hotels")))
    view = cases.Case("hotels", 1).views()[1]
    preview.go(page, view)
    before = middle(page)
    x, y = center(page, "#map")
    page.drag((x, y), (x - 130, y + 60))
    page.wait(f"quadrille.map.getCenter().lng > {before[0]} && quadrille.map.getCenter().lat > {before[1]}")
    # The map glides on for a moment; the address follows when it has come to rest.
    page.wait("Math.abs(location.hash.match(/map=[^/]+[/]([^/]+)/)[1] - quadrille.map.getCenter().lat) < 1e-3")
    page.run("quadrille.idle()")
    after = middle(page)
    page.send("Page.reload")
    page.wait("window.quadrille && quadrille.ready && quadrille.ready.then(() => quadrille.idle()).then(() => true)")
    assert middle(page) == pytest.approx(after, abs=1e-3)


def test_a_layer_is_hidden_and_shown_and_made_faint(page, served):
    preview.show(page, served(archive("hotels")))
    page.run(PLAIN)
    view = cases.Case("hotels", 1).views()[2]
    preview.go(page, view)
    identifier = page.run("quadrille.catalogue.tilesets[0].id")
    page.click(*center(page, f"#show-{identifier}"))
    page.run("quadrille.idle()")
    assert (preview.seen(page, view) == GROUND["light"]).all()
    page.click(*center(page, f"#show-{identifier}"))
    page.run("quadrille.idle()")
    same(preview.seen(page, view), view.over(GROUND["light"]), "page-shown-again", limit=1)
    page.run(f"(o => {{ o.value = 50; o.dispatchEvent(new Event('input')); }})(document.getElementById('opacity-{identifier}'))")
    page.run("quadrille.idle()")
    half = view.rgba().astype(float)
    half[..., 3] *= 0.5
    same(preview.seen(page, view), over(half, GROUND["light"]), "page-half", limit=2)


def test_the_swipe_divides_two_archives(page, served):
    preview.show(page, served(archive("parcels"), archive("parcels-floors")))
    page.run(PLAIN)
    first = View(Archive(archive("parcels")), 15)
    preview.go(page, first)
    page.click(*center(page, "#compare"))
    page.wait("!document.getElementById('swipe').hidden")
    handle = center(page, "#swipe")
    left, _, width, _ = box(page, "#map")
    page.drag(handle, (left + width / 2 - 100, handle[1]))
    page.run("quadrille.idle()")
    save(page.screenshot(), "page-swipe")
    edge = page.run("document.getElementById('swipe').getAttribute('aria-valuenow')")
    assert float(edge) == pytest.approx(100 * (0.5 - 100 / width), abs=1)
    shown = preview.seen(page, first)
    other = View(Archive(archive("parcels-floors")), 15, (first.x, first.y))
    sides = [one.over(GROUND["light"]) for one in (first, other)]
    top = page.run("quadrille.side('parcels')")
    if top == "right":
        sides.reverse()
    same(shown[:, :130], sides[0][:, :130], "page-swipe-left", limit=1)
    same(shown[:, 182:], sides[1][:, 182:], "page-swipe-right", limit=1)
    page.run("document.getElementById('swipe').focus()")
    page.key("ArrowRight")
    assert float(page.run("document.getElementById('swipe').getAttribute('aria-valuenow')")) > float(edge)


def test_a_series_shows_each_frame_and_plays(page, served):
    preview.show(page, served(manifest()))
    page.run(PLAIN)
    archives = [Archive(path) for path in cases.frames()]
    view = View(archives[-1], 5)
    preview.go(page, view)
    slots = page.run("quadrille.slots.map((slot) => slot.gap)")
    assert len(slots) == 13 and slots.count("hold") == 1
    frames, number = iter(archives), -1
    for i, gap in enumerate(slots):
        shown = shown if gap else next(frames)
        number += 0 if gap else 1
        page.run(f"quadrille.seek({i}), quadrille.idle()")
        page.run("quadrille.idle()")
        view.archive = shown
        same(preview.seen(page, view), view.over(GROUND["light"]), f"page-frame-{i}", limit=1)
        label = page.run("document.getElementById('moment-label').textContent")
        assert label.startswith("Sun 19 Jan 2014") and label.endswith("UTC") != bool(gap), label
    save(page.screenshot(), "page-rain")
    page.click(*center(page, "#play"))
    page.wait("quadrille.isPlaying && quadrille.slot === 2")
    page.click(*center(page, "#play"))
    assert not page.run("quadrille.isPlaying")
    page.run("document.getElementById('moment').focus()")
    at = page.run("quadrille.slot")
    page.key("ArrowRight")
    assert page.run("quadrille.slot") == at + 1


def test_the_keyboard_is_enough(page, served):
    preview.show(page, served(archive("hotels"), archive("parcels"), manifest()))
    order = access.tabbed(page)
    wanted = ["map", "play", "previous", "next", "moment", "loop", "speed", "theme", "density", "borders", "graticule", "compare"]
    assert [word for word in order if word in wanted] == wanted
    for one in page.run("quadrille.catalogue.tilesets.map((one) => one.id)"):
        assert {f"show-{one}", f"opacity-{one}"} <= set(order)
    page.run("document.getElementById('map').focus()")
    before = middle(page)
    page.key("ArrowRight")
    page.wait(f"quadrille.map.getCenter().lng > {before[0]}")
    page.key("+", code="Equal", number=187)
    page.wait(f"quadrille.map.getZoom() > {before[2]}")
    page.run("quadrille.idle()")
    page.run("document.getElementById('borders').focus()")
    page.key(" ")
    page.wait("document.querySelectorAll('.tile-border').length > 0")
    save(page.screenshot(), "page-borders")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_has_a_name_and_every_text_is_legible(page, served, scheme):
    preview.show(page, served(archive("hotels"), archive("parcels"), manifest()), scheme=scheme)
    page.run("quadrille.set({swipe: 50, borders: true}), quadrille.idle()")
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.run("quadrille.tap(quadrille.map.getCenter().lat, quadrille.map.getCenter().lng).then(() => true)")
    page.wait("[...document.querySelectorAll('details')].every((one) => one.children.length > 1)")
    save(page.screenshot(), f"page-controls-{scheme}")
    assert access.nameless(page) == []
    roles = {role for role, _ in access.nodes(page)}
    assert {"slider", "checkbox", "combobox", "button", "heading"} <= roles
    assert access.faint(page) == []


def tap_archive():
    """An archive with taps, or None."""
    for name in ("hotels", "parcels-floors", "parcels"):
        names = {row[0] for row in Archive(archive(name)).database.execute("SELECT name FROM sqlite_master")}
        if "grids" in names:
            return name
    return None


@pytest.mark.skipif(tap_archive() is None, reason="the archives have no taps")
def test_a_tap_tells_what_is_there(page, served):
    name = tap_archive()
    preview.show(page, served(archive(name)))
    view = cases.Case(name, 1).views()[1]
    preview.go(page, view)
    # the middle of a place where all is opaque, three cells of the grid wide
    opaque = (view.rgba()[..., 3] == 255).reshape(view.size // 4, 4, view.size // 4, 4).all(axis=(1, 3))
    block = np.logical_and.reduce([np.roll(opaque, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    row, column = next((r, c) for r, c in np.argwhere(block) if 1 < r < len(block) - 2 and 1 < c < len(block) - 2)
    x, y = 4 * column + 2, 4 * row + 2
    left, top, width, height = box(page, "#map")
    page.click(left + width / 2 - view.size / 2 + float(x), top + height / 2 - view.size / 2 + float(y))
    page.wait("document.querySelector('#tap dl') !== null")
    save(page.screenshot(), "page-tap")
    words = page.run("document.getElementById('tap-result').textContent")
    assert name.split("-")[0] in words, words
    page.key("Escape")
    page.wait("document.getElementById('tap') === null")
    page.run("document.getElementById('map').focus()")
    page.key("Enter")
    page.wait("document.getElementById('tap') !== null")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_the_export_is_the_same_page_on_a_plain_web_server(page, tmp_path):
    folder = tmp_path / "out"
    preview.export([archive("hotels"), manifest()], folder)
    assert zipfile.ZipFile(f"{folder}.zip").testzip() is None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        preview.show(page, f"http://127.0.0.1:{server.server_port}/")
        page.run(PLAIN)
        page.run("quadrille.set({shown: [quadrille.catalogue.tilesets.find((one) => !one.series).id]})")
        view = cases.Case("hotels", 1).views()[1]
        preview.go(page, view)
        save(page.screenshot(), "page-export")
        same(preview.seen(page, view), view.over(GROUND["light"]), "page-export-11", limit=1)
    finally:
        server.shutdown()
        server.server_close()
