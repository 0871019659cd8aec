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
PLAIN = "quadrille.set({graticule: false, borders: false, land: false})"

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")


def archive(name, density=1):
    return f"{cases.ARCHIVES}/{name}{'@2x' if density == 2 else ''}.mbtiles"


def manifest(density=1):
    return f"{cases.ARCHIVES}/rain{'@2x' if density == 2 else ''}.frames.json"


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
    wanted = ["map", "play", "previous", "next", "moment", "loop", "speed", "search-text", "theme", "density", "borders", "graticule", "compare"]
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


def record(page, accepts):
    """A record of the tiles in view that a test in JavaScript accepts, with its place on the screen."""
    found = page.run(
        f"quadrille.recordsInView({accepts}, 1).then(([one]) => one && (p => ({{...one, x: p.x, y: p.y}}))"
        "(quadrille.map.latLngToContainerPoint([one.lat, one.lng])))"
    )
    left, top, _, _ = box(page, "#map")
    return {**found, "x": found["x"] + left, "y": found["y"] + top}


def test_a_tap_tells_names_first_and_folds_keys_away(page, served):
    preview.show(page, served(archive("hotels")))
    page.run("quadrille.map.setView([40.7527, -73.9772], 16, {animate: false}), quadrille.idle()")
    size = page.run("(s => [s.x, s.y])(quadrille.map.getSize())")
    inner = f"(p => p.x > 120 && p.y > 200 && p.x < {size[0] - 160} && p.y < {size[1] - 60})"
    hotel = page.run(
        "quadrille.recordsInView((d) => !quadrille.isCluster(d), 200).then((all) => all.map((one) => ({...one,"
        " ...(p => ({x: p.x, y: p.y}))(quadrille.map.latLngToContainerPoint([one.lat, one.lng]))})).find("
        f"{inner}))"
    )
    left, top, _, _ = box(page, "#map")
    page.click(left + hotel["x"], top + hotel["y"])
    page.wait("document.querySelector('#tap dl') !== null")
    save(page.screenshot(), "page-tap")
    assert page.run("document.querySelector('#tap h2').textContent") == hotel["data"]["name"]
    assert page.run("document.querySelector('#tap dt').textContent") == "phone"
    assert page.run("document.querySelector('#tap details').open") is False
    assert page.run("[...document.querySelectorAll('#tap details dt')].map((one) => one.textContent)") == ["source", "id"]
    assert hotel["data"]["name"] in page.run("document.getElementById('tap-result').textContent")
    page.key("Escape")
    page.wait("document.getElementById('tap') === null")
    assert page.run("document.activeElement.id") == "map"
    page.run(f"quadrille.map.setView([{hotel['lat']}, {hotel['lng']}], 16, {{animate: false}}), quadrille.idle()")
    page.key("Enter")
    page.wait("document.getElementById('tap') !== null")


def test_a_tap_on_a_cluster_zooms_to_where_it_comes_apart(page, served):
    preview.show(page, served(archive("hotels")))
    page.run("quadrille.map.setView([40.75, -73.98], 11, {animate: false}), quadrille.idle()")
    cluster = record(page, "(d) => d.point_count > 20")
    page.click(cluster["x"], cluster["y"])
    page.wait(f"quadrille.map.getZoom() === {cluster['data']['expansion_zoom']}")
    assert page.run("document.getElementById('tap')") is None
    assert "zoomed in" in page.run("document.getElementById('tap-result').textContent")


def test_a_map_without_taps_says_nothing_of_a_place(page, served):
    preview.show(page, served(archive("parcels")))
    page.click(*center(page, "#map"))
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert page.run("document.querySelector('.leaflet-popup')") is None
    assert page.run("document.getElementById('tap-result').textContent") == ""
    assert page.run("document.getElementById('search-label').textContent") == "Search places"


def search(page, words):
    page.run("document.getElementById('search-status').textContent = ''")
    page.run(f"(i => {{ i.value = {words!r}; i.dispatchEvent(new Event('input')); }})(document.getElementById('search-text'))")
    page.wait("document.getElementById('search-status').textContent.includes('found')")
    return page.run("[...document.querySelectorAll('#search-results .found')].map((one) => one.textContent)")


def test_the_search_finds_records_and_leads_to_them(page, served):
    preview.show(page, served(archive("hotels")))
    names = search(page, "lantern")
    assert len(names) > 2 and all("Lantern" in name for name in names)
    save(page.screenshot(), "page-search")
    field = "document.getElementById('search-text')"
    assert page.run(f"{field}.getAttribute('aria-expanded')") == "true"
    page.run(f"{field}.focus()")
    chosen = "document.querySelector('#search-results [aria-selected=true]')"
    for key, place in [("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", None), ("ArrowUp", len(names) - 1), ("ArrowDown", None)]:
        page.key(key)
        option = "null" if place is None else f"document.getElementById('search-results').children[{place}]"
        assert page.run(f"{chosen} === {option}"), (key, place)
        assert page.run(f"{field}.getAttribute('aria-activedescendant') === ({option})?.id || ({option}) === null")
    page.key("ArrowDown")
    page.key("Enter")
    page.wait("document.querySelector('#tap h2') !== null")
    assert page.run("document.querySelector('#tap').textContent").count(names[0]) >= 1
    assert page.run("quadrille.map.getZoom()") == 16
    assert page.run("document.activeElement.id") == "map"
    page.run(f"{field}.focus()")
    page.key("Escape")
    page.wait("document.getElementById('search-results').hidden")
    assert page.run(f"[{field}.value, {field}.getAttribute('aria-expanded')]") == ["", "false"]


def test_the_index_is_made_before_anyone_types(page, served):
    preview.show(page, served(archive("hotels")))
    page.wait("performance.getEntriesByType('resource').some((one) => one.name.endsWith('/search.json') && one.responseEnd > 0)")
    assert page.run("document.getElementById('search-text').value") == ""


def test_the_search_leads_to_places_and_to_the_world(page, served):
    preview.show(page, served(manifest()))
    assert "Lyon" in search(page, "lyo")
    page.run("document.getElementById('search-text').focus()")
    page.key("Enter")
    page.wait("document.getElementById('near').textContent === 'In Lyon, France'")
    assert search(page, "world") == ["World"]
    page.click(*center(page, "#search-results li"))
    page.wait("document.getElementById('near').textContent === 'World'")


def test_a_map_opens_on_its_data_and_shows_one_world(page, served):
    preview.show(page, served(archive("hotels")))
    _, _, width, height = box(page, "#map")
    west, south, east, north = page.run("quadrille.catalogue.tilesets[0].focus")
    inside, zoom = page.run(
        f"((a, b) => [[a.x, a.y, b.x, b.y], quadrille.map.getZoom()])(quadrille.map.latLngToContainerPoint([{north}, {west}]),"
        f" quadrille.map.latLngToContainerPoint([{south}, {east}]))"
    )
    assert inside[0] >= 40 and inside[1] >= 40 and inside[2] <= width - 40 and inside[3] <= height - 40
    # As large as there is room for it, which is no whole zoom.
    assert min(inside[0], inside[1]) < 60 and zoom % 1 != 0
    assert not page.run("quadrille.state.graticule")
    page.click(*center(page, ".globe"))
    page.run("quadrille.idle()")
    assert page.run("document.getElementById('near').textContent") == "World"
    for _ in range(3):
        page.run("(quadrille.map.zoomOut(1, {animate: false}), null)")
    edges = page.run("(b => [b.getWest(), b.getEast(), b.getNorth(), b.getSouth()])(quadrille.map.getBounds())")
    assert edges[0] >= -180.5 and edges[1] <= 180.5 and edges[2] <= 85.1 and edges[3] >= -85.1
    page.run("(quadrille.map.panBy([900, 0], {animate: false}), null)")
    page.wait("quadrille.map.getBounds().getEast() <= 180.5")
    # From a zoom on where the world is wider than two stages it can be left to the next copy.
    page.run("quadrille.showView({lat: 0, lng: 180}, 5)")
    assert page.run("quadrille.map.getBounds().getEast()") > 181


def test_names_of_places_give_way_to_the_data(page, served):
    preview.show(page, served(manifest()))
    script = "(c => [...c.getImageData(0, 0, c.canvas.width, c.canvas.height).data].filter((v, i) => i % 4 === 3 && v > 0).length)"
    written = f"{script}(document.querySelector('.leaflet-names-pane canvas').getContext('2d'))"
    page.run("quadrille.map.setView([52, -3], 6, {animate: false}), quadrille.idle()")
    given = page.run(written)
    page.run("quadrille.set({opacity: {rain: 0}}), quadrille.idle()")
    alone = page.run(written)
    assert alone > given > 0
    page.run("quadrille.set({land: false})")
    assert page.run("document.querySelector('.leaflet-names-pane canvas').hidden")


def test_images_show_their_classes_where_the_archive_has_no_legend(page, served):
    preview.show(page, served(manifest()))
    page.run("quadrille.map.setView([54, -4], 5, {animate: false}), quadrille.idle()")
    page.wait("document.querySelectorAll('.chips li').length > 3")
    shares = page.run("[...document.querySelectorAll('.chips li')].map((one) => parseFloat(one.textContent))")
    assert sorted(shares, reverse=True) == shares and 95 < sum(shares) < 105
    colours = page.run("[...document.querySelectorAll('.chips .chip')].map((one) => one.style.background)")
    assert len(set(colours)) == len(colours)


def test_the_look_shows_what_would_change_in_the_file(page, tmp_path):
    (tmp_path / "places.csv").write_text("id,name,lat,lon,n\n1,One,50,10,3\n2,Two,51,11,30\n", encoding="utf-8")
    pipeline = (
        "version: 1\nname: places\nsources:\n  places: {type: csv, data: places.csv, x: lon, y: lat, id: id}\nlayers:\n"
        "  - id: dots\n    type: circle\n    source: places\n    paint:\n"
        "      circle-color: [step, [get, n], 'rgba(255, 0, 0, 0.5)', 10, '#00f']\n      circle-radius: 5\n"
        "tiles: {minzoom: 0, maxzoom: 3}\n"
    )
    (tmp_path / "places.yml").write_text(pipeline, encoding="utf-8")
    running = preview.Preview([str(tmp_path / "places.yml")])
    try:
        preview.show(page, running.url)
        page.run("document.querySelector('.look summary').click()")
        page.wait("document.querySelectorAll('.look input').length === 4")
        assert page.run("document.querySelector('.look pre').closest('[hidden]') !== null")
        for number, value in [(0, "#00ff00"), (1, "20"), (3, "7.5")]:
            page.run(f"(i => {{ i.value = {value!r}; i.dispatchEvent(new Event('input')); }})(document.querySelectorAll('.look input')[{number}])")
        page.run("quadrille.looksReady()")
        assert page.run("document.querySelector('.look pre').textContent") == (
            "places.yml:10\n"
            "-       circle-color: [step, [get, n], 'rgba(255, 0, 0, 0.5)', 10, '#00f']\n"
            "+       circle-color: [step, [get, n], 'rgba(0, 255, 0, 0.5)', 20, '#00f']\n"
            "places.yml:11\n-       circle-radius: 5\n+       circle-radius: 7.5\n"
        )
        names = page.run("[...document.querySelectorAll('.look input')].map((one) => one.getAttribute('aria-label'))")
        assert names == ["dots circle-color by n below", "dots circle-color from limit", "dots circle-color from", "dots circle-radius"]
        # What was changed stays when the panel is drawn again.
        page.run("quadrille.set({shown: []})")
        assert "7.5" in page.run("document.querySelector('.look pre').textContent")
        page.run("document.querySelectorAll('.look button')[2].click()")
        assert page.run("document.querySelector('.look pre').closest('[hidden]') !== null")
    finally:
        running.close()


def test_two_layers_can_be_compared_and_one_cannot(page, served):
    preview.show(page, served(archive("parcels"), archive("parcels-floors")))
    hidden = "document.getElementById('compare-label').hidden"
    assert not page.run(hidden)
    page.click(*center(page, "#compare"))
    page.wait("!document.getElementById('swipe').hidden")
    page.click(*center(page, "#show-parcels"))
    page.wait("document.getElementById('swipe').hidden")
    assert page.run(hidden) and page.run("quadrille.state.swipe") is None
    preview.show(page, served(archive("hotels")) + "#swipe=50")
    assert page.run(hidden) and page.run("document.getElementById('swipe').hidden")


def test_the_land_is_under_the_map_with_names_and_copies(page, served):
    preview.show(page, served(manifest()))
    page.run("quadrille.set({shown: [], graticule: false})")
    water, land = [(0xD5, 0xE2, 0xE9), (0xF6, 0xF4, 0xEE)]
    places = [((20, -150), water), ((48, 100), land), ((-25, 138), land), ((60, -40), water), ((0, 195), water), ((67.5, 180.5), land)]
    for (lat, lng), colour in places:
        page.run(f"quadrille.map.setView([{lat}, {lng}], 4, {{animate: false}}), quadrille.idle()")
        page.run("new Promise((done) => setTimeout(done, 100))")
        x, y = center(page, "#map")
        shot = page.screenshot()[round(y) - 12 : round(y) + 12, round(x) - 12 : round(x) + 12].reshape(-1, 3)
        assert (shot == colour).all(axis=1).mean() > 0.6, (lat, lng)
    for place, words in [((45.85, 4.95), "13 km north-east of Lyon, France"), ((-33.87, 151.21), "In Sydney, Australia")]:
        assert page.run(f"quadrille.near({place[0]}, {place[1]})") == words
    page.click(*center(page, "#land"))
    assert not page.run("document.getElementById('map').classList.contains('land')")
    page.run("quadrille.idle()")
    assert tuple(page.screenshot()[300, 300]) == GROUND["light"]


def test_the_view_says_what_it_lacks(page, served):
    preview.show(page, served(archive("parcels")))
    notice = "document.getElementById('notice').textContent"
    assert page.run("document.getElementById('notice').hidden")
    last = page.run("quadrille.catalogue.tilesets[0].maxzoom")
    page.run(f"(quadrille.map.setZoom({last + 1}, {{animate: false}}), quadrille.idle())")
    assert page.run(notice) == f"Beyond zoom {last} the tiles are enlarged."
    page.run("(quadrille.map.setView([0, 0], 14, {animate: false}), quadrille.idle())")
    assert page.run(notice).startswith("The map has nothing in this view.")
    page.run("document.querySelector('#notice button').focus()")
    page.key("Enter")
    page.wait("document.getElementById('notice').hidden")


def test_snippets_name_the_address_of_the_tiles(page, served):
    preview.show(page, served(archive("hotels"), manifest()))
    for one, file in [("hotels", "hotels"), ("rain", cases.FRAME)]:
        page.run("quadrille.slots.length && quadrille.seek(quadrille.slots.findIndex((slot) => new Date(slot.at).getUTCHours() === 7 &&"
                 " new Date(slot.at).getUTCMinutes() === 45))")
        for form in ("Leaflet", "MapLibre GL JS", "QGIS"):
            words = page.run(f"quadrille.snippet({one!r}, {form!r})")
            assert "http://127.0.0.1:" in words and "/{z}/{x}/{y}.png" in words and "{frame}" not in words, words
        # A phone reaches no preview: it takes the file along.
        for form in ("iOS", "Android"):
            words = page.run(f"quadrille.snippet({one!r}, {form!r})")
            assert f"{file}.mbtiles" in words and "mbtiles://" in words and "http" not in words, words
    page.run("[...document.querySelectorAll('.snippets button')][0].click()")
    page.wait("!document.querySelector('.layer pre').hidden")
    assert page.run("document.querySelector('.layer pre').textContent").startswith("L.tileLayer(")


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
        # what needs no server is there, too: land, legend, and a search of the tiles in view
        page.run("quadrille.set({land: true}), quadrille.map.setView([40.7527, -73.9772], 16, {animate: false}), quadrille.idle()")
        assert page.run("document.getElementById('map').classList.contains('land')")
        assert page.run("document.querySelectorAll('.legend-rows svg').length") > 3
        name = record(page, "(d) => !quadrille.isCluster(d)")["data"]["name"]
        assert name in search(page, name.lower())
        assert "in this view" in page.run("document.getElementById('search-status').textContent")
    finally:
        server.shutdown()
        server.server_close()
