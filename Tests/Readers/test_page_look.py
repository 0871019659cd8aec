"""The look of the preview's page: changes are on the map at once, kept in the file, undone, shared and saved as a picture."""

import io
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
from PIL import Image

from kit import audit, cases, preview
from kit.comparison import save

pytestmark = pytest.mark.skipif(not os.path.exists(preview.PROGRAM), reason=f"no {preview.PROGRAM}")

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
PLAIN = "quadrille.set({graticule: false, borders: false, land: false}), quadrille.map.setView([50, 10], 5, {animate: false})"
PIPELINE = """version: 1
name: places
sources:
  places: {type: csv, data: places.csv, x: lon, y: lat, id: id}
layers:
  - id: dots # the places
    type: circle
    source: places
    paint:
      circle-color: [step, [get, n], '#ff0000', 10, '#0000ff'] # by number
      circle-radius:   12
  - id: names
    type: symbol
    source: places
    layout: {text-field: [get, name], text-offset: [0, 2]}
tiles: {minzoom: 0, maxzoom: 7, interactivity: {fields: [name, n]}}
"""
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


@pytest.fixture
def page(chromium):
    with chromium.page(1280, 800) as page:
        yield page
        assert not [words for words in page.complaints if not any(code in words for code in ("404", "409", "422"))]
        outside = [url for url in page.requests if not url.startswith(("http://127.0.0.1:", "data:", "about:", "blob:"))]
        assert not outside


@pytest.fixture
def folder(tmp_path):
    """A pipeline of two places that have two classes, and a third of the first class."""
    rows = "id,name,lat,lon,n\n1,One,50,8,3\n2,Two,50,12,30\n3,Three,52,10,4\n"
    (tmp_path / "places.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "places.yml").write_text(PIPELINE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def running(folder):
    started = preview.Preview([str(folder / "places.yml")])
    yield started
    started.close()


def show(page, url, size="desk", plain=PLAIN):
    preview.show(page, url, *SIZES[size])
    page.run(f"{plain}, quadrille.looksReady()")
    if size == "phone":
        page.run("quadrille.openSheet()")
    page.run("document.querySelector('.look').open = true")
    page.wait("document.querySelectorAll('.look input').length > 3")


def count(page, colour):
    """How many pixels of the map have a colour."""
    page.run("quadrille.looksReady()")
    # What a browser has been told to show may come in pieces, some frames later.
    last, shown = None, page.screenshot()
    for _ in range(20):
        if last is not None and last.shape == shown.shape and (last == shown).all():
            break
        time.sleep(0.15)
        last, shown = shown, page.screenshot()
    # On a phone the panel lies over the map.
    box = "(id => document.getElementById(id).getBoundingClientRect())"
    width, height = page.run(f"[{box}('map').width, Math.min({box}('map').bottom, {box}('panel').left > 0 ? Infinity : {box}('panel').top)]")
    return pixels_of(shown[: round(height), : round(width)], colour)


def pixels_of(pixels, colour):
    return int((np.abs(pixels.astype(int) - colour).max(axis=2) < 3).sum())


def change(page, label, value):
    """Sets a control by its label, as a hand does: input, then change."""
    page.run(
        "((label, value) => { const control = [...document.querySelectorAll('.look input')].find((one) => one.getAttribute('aria-label') === label);"
        " control.focus(); control.value = value; control.dispatchEvent(new Event('input')); control.dispatchEvent(new Event('change')); })"
        f"({label!r}, {value!r})"
    )


def press(page, words):
    """Presses a button of the look by its words."""
    page.run(f"[...document.querySelectorAll('.look button')].find((one) => one.textContent === {words!r}).click()")


COLOUR, RADIUS = "dots circle-color by n below", "dots circle-radius"


@pytest.mark.parametrize("size", SIZES)
def test_changes_are_on_the_map_at_once_and_undone_step_by_step(page, running, size):
    show(page, running.url, size)
    before = count(page, RED)
    assert before > 200 and count(page, GREEN) == 0
    change(page, COLOUR, "#00ff00")
    assert count(page, GREEN) > 200 and count(page, RED) == 0
    few = count(page, GREEN)
    change(page, RADIUS, "20")
    assert count(page, GREEN) > 2 * few
    save(page.screenshot(), f"look-changed-{size}")
    assert audit.faults(page) == []
    press(page, "Undo")
    assert abs(count(page, GREEN) - few) < 3
    press(page, "Undo")
    assert count(page, RED) == before and count(page, GREEN) == 0
    # At the file's values again the tiles are those of the archive.
    assert page.run("quadrille.catalogue.tilesets[0].painted === undefined")


def test_no_frame_is_blank_while_a_look_changes(page, running):
    show(page, running.url)
    assert count(page, RED) > 200
    page.send("Emulation.setCPUThrottlingRate", rate=6)
    for colour in ("#00ff00", "#ff0000", "#00ff00"):
        page.run("globalThis.control = [...document.querySelectorAll('.look input')].find((one) => one.getAttribute('aria-label') === " + repr(COLOUR) + ")")
        change = f"control.value = {colour!r}, control.dispatchEvent(new Event('input')), control.dispatchEvent(new Event('change')), quadrille.looksReady()"
        frames = [frame for frame in page.frames(change) if frame.size > 0]
        seen = [(pixels_of(frame, RED), pixels_of(frame, GREEN)) for frame in frames]
        assert len(seen) > 2 and min(red + green for red, green in seen) > 100, seen
        assert seen[-1][0 if colour == "#00ff00" else 1] == 0, seen


def test_the_limits_of_classes_and_the_font_are_changed_too(page, running):
    show(page, running.url)
    assert count(page, BLUE) > 200
    change(page, "dots circle-color from limit", "40")
    assert count(page, BLUE) == 0
    shot = page.screenshot()
    change(page, "names text-font", "DejaVu Serif Bold")
    page.run("quadrille.looksReady()")
    change(page, "names text-size", "30")
    page.run("quadrille.looksReady()")
    assert np.abs(page.screenshot().astype(int) - shot).max() > 50
    assert "text-font: [" in page.run("document.querySelector('.look pre').textContent")


def test_keep_writes_the_values_and_nothing_else(page, running, folder):
    show(page, running.url)
    change(page, COLOUR, "#00ff00")
    change(page, RADIUS, "9.5")
    page.run("quadrille.looksReady()")
    told = page.run("document.querySelector('.look pre').textContent")
    assert "-       circle-radius:   12" in told and "+       circle-radius:   9.5" in told
    press(page, "Keep")
    page.wait("document.querySelector('.look [role=status]').textContent.startsWith('Kept in places.yml.')")
    wanted = PIPELINE.replace("'#ff0000'", "'#00ff00'").replace("   12", "   9.5")
    assert (folder / "places.yml").read_text(encoding="utf-8") == wanted
    # The map has the look that was kept, and nothing is left to undo.
    assert count(page, GREEN) > 100 and count(page, RED) == 0
    assert page.run("document.querySelector('.look pre').closest('[hidden]') !== null")
    # Someone else changes the file: nothing is written over it.
    change(page, RADIUS, "4")
    page.run("quadrille.looksReady()")
    (folder / "places.yml").write_text(wanted + "# mine\n", encoding="utf-8")
    press(page, "Keep")
    page.wait("document.querySelector('.look [role=status]').textContent.includes('changed since')")
    assert (folder / "places.yml").read_text(encoding="utf-8") == wanted + "# mine\n"


def test_nobody_but_the_page_changes_a_look(running, folder):
    body = b'{"changes": []}'
    for headers in ({}, {"X-Quadrille-Token": "guess"}, {"Origin": "http://evil.example"}):
        request = urllib.request.Request(f"{running.url}tilesets/places/keep.json", data=body, headers=headers, method="POST")
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request, timeout=30)
        assert refusal.value.code == 403
    assert (folder / "places.yml").read_text(encoding="utf-8") == PIPELINE


def test_a_link_holds_the_view_with_its_look_and_classes(page, running):
    show(page, running.url)
    change(page, COLOUR, "#00ff00")
    page.run("quadrille.looksReady()")
    page.wait("document.querySelectorAll('.legend-rows button').length === 2")
    page.run("document.querySelector('.legend-rows button').click()")
    page.run("quadrille.looksReady()")
    assert count(page, GREEN) > 200 and count(page, BLUE) == 0
    link = page.run("quadrille.link()")
    page.open("about:blank")
    preview.show(page, link, *SIZES["desk"])
    assert count(page, GREEN) > 200 and count(page, BLUE) == 0 and count(page, RED) == 0
    assert page.run("quadrille.map.getZoom()") == 5
    assert page.run("document.querySelector('.legend-rows button').getAttribute('aria-pressed')") == "true"
    # What a link has wrong is left out.
    page.open("about:blank")
    preview.show(page, f"{running.url}#look=%5B1&classes=places:x,places:9.9", *SIZES["desk"])
    assert page.run("Object.keys(quadrille.state.look).length") == 0


@pytest.mark.parametrize("size", SIZES)
def test_the_legend_shows_one_class_by_keys(page, running, size):
    show(page, running.url, size)
    page.wait("document.querySelectorAll('.legend-rows button').length === 2")
    page.run("document.querySelectorAll('.legend-rows button')[1].focus()")
    page.key("Enter")
    assert count(page, RED) == 0 and count(page, BLUE) > 200
    # The legend was drawn again, and the focus is where it was.
    assert page.run("document.activeElement.dataset.class") == "0.1"
    save(page.screenshot(), f"look-class-{size}")
    assert audit.faults(page) == []
    page.key(" ")
    assert count(page, RED) > 200 and count(page, BLUE) > 200


@pytest.mark.parametrize("size", SIZES)
def test_the_records_in_view_are_a_table(page, running, size):
    show(page, running.url, size)
    page.run("[...document.querySelectorAll('summary')].find((one) => one.textContent === 'Records in this view').click()")
    page.wait("document.querySelectorAll('.records tbody tr').length === 3")
    rows = page.run("[...document.querySelectorAll('.records tr')].map((one) => [...one.children].map((cell) => cell.textContent))")
    assert rows == [["Record", "n"], ["One", "3"], ["Three", "4"], ["Two", "30"]]
    assert page.run("document.querySelector('.records caption').textContent") == "3 records in this view."
    save(page.screenshot(), f"look-table-{size}")
    assert audit.faults(page) == []
    page.run("document.querySelector('.records tbody button').focus()")
    page.key("Enter")
    page.wait("document.getElementById('tap') !== null")
    assert "One" in page.run("document.getElementById('tap').textContent")
    page.run("quadrille.map.closePopup(), quadrille.map.setView([53.5, 10], 7, {animate: false}), quadrille.idle()")
    page.wait("document.querySelectorAll('.records tbody tr').length === 1")
    page.run("quadrille.map.setView([-40, 100], 7, {animate: false}), quadrille.idle()")
    page.wait("document.querySelector('.records').textContent === 'No record in this view.'")


def test_the_view_is_saved_as_render_draws_it(page, running, folder):
    show(page, running.url)
    change(page, COLOUR, "#00ff00")
    page.run("quadrille.looksReady()")
    address = page.run("new URL(quadrille.pictureUrl(quadrille.catalogue.tilesets[0]), location.href).href")
    with urllib.request.urlopen(address, timeout=60) as answer:
        saved = np.asarray(Image.open(io.BytesIO(answer.read())).convert("RGBA"))
    width, height = page.run("[quadrille.map.getSize().x, quadrille.map.getSize().y]")
    assert saved.shape == (height, width, 4)
    (folder / "other.yml").write_text(PIPELINE.replace("'#ff0000'", "'#00ff00'"), encoding="utf-8")
    command = [cases.PROGRAM, "render", str(folder / "other.yml"), "--center=10,50", "--zoom", "5", "--size", f"{width}x{height}", "-o", str(folder / "view.png")]
    subprocess.run(command, check=True, capture_output=True)
    assert np.array_equal(saved, np.asarray(Image.open(folder / "view.png").convert("RGBA")))
    page.run("[...document.querySelectorAll('.controls button')].find((one) => one.textContent === 'PNG').click()")
    page.wait("document.getElementById('tap-result').textContent === 'The view is saved as places.png.'")


def test_data_without_a_pipeline_is_changed_and_kept_as_new_does(page, folder, monkeypatch):
    work = folder / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (folder / "places.yml").unlink()
    command = [cases.PROGRAM, "preview", "../places.csv"]
    monkeypatch.setattr(preview, "PROGRAM", command[0])
    started = preview.Preview(command[1:])
    try:
        show(page, started.url)
        label = page.run("[...document.querySelectorAll('.look input[type=number]')].map((one) => one.getAttribute('aria-label')).find((one) => one.includes('circle-radius') && !one.endsWith('limit'))")
        change(page, label, "17")
        page.run("quadrille.looksReady()")
        assert page.run("quadrille.catalogue.tilesets[0].painted !== undefined")
        press(page, "Keep")
        page.wait("document.querySelector('.look [role=status]').textContent.startsWith('Kept in places.yml.')")
        text = (work / "places.yml").read_text(encoding="utf-8")
        assert "../places.csv" in text and "17" in text and text.startswith("#")
        # What was kept builds where it lies.
        subprocess.run([cases.PROGRAM, "check", "places.yml"], check=True, capture_output=True)
    finally:
        started.close()
        shutil.rmtree(work)


def test_clusters_of_a_draft_become_donuts_and_are_kept(page, folder, monkeypatch):
    work = folder / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    places = [f"House {n},{8 + n % 31 * 0.01},{50 + n % 17 * 0.01},{('inn', 'hotel', 'hostel')[n % 3]}" for n in range(600)]
    (folder / "houses.csv").write_text("\n".join(["name,lon,lat,kind", *places]), encoding="utf-8")
    monkeypatch.setattr(preview, "PROGRAM", cases.PROGRAM)
    started = preview.Preview(["preview", "../houses.csv"])
    try:
        show(page, started.url)
        assert page.run("[...document.querySelectorAll('.look option')].map((one) => one.value)") == ["", "donuts", "hexagons"]
        for look, kind in (("donuts", "chart"), ("hexagons", "fill"), ("donuts", "chart")):
            page.run(
                "(choice => { choice.value = " + repr(look) + "; choice.dispatchEvent(new Event('change')); })(document.querySelector('.look select'))"
            )
            page.wait(f"[...document.querySelectorAll('.look legend')].some((one) => one.textContent.endsWith('· {kind}'))")
            page.run("quadrille.looksReady()")
            assert page.run("document.querySelector('.look select').value") == look
            assert page.run("document.querySelector('.look').open && document.activeElement.tagName") == "SELECT"
            save(page.screenshot(), f"look-{look}")
        assert audit.faults(page) == []
        press(page, "Keep")
        page.wait("document.querySelector('.look [role=status]').textContent.startsWith('Kept in houses.yml.')")
        text = (work / "houses.yml").read_text(encoding="utf-8")
        assert "chart-type: donut" in text and "../houses.csv" in text
        subprocess.run([cases.PROGRAM, "check", "houses.yml"], check=True, capture_output=True)
    finally:
        started.close()
