"""Examples/web/app.html: an app in 200 lines, with tiles, taps, entries, search, packs and updates."""

import os

import pytest

from kit import audit, cases

PAGE = "Examples/web/app.html"


@pytest.fixture
def shown(chromium, checkout):
    """Opens the page, and checks at the end that it complained about nothing and asked nobody else."""
    with chromium.page(1100, 720) as page:
        page.open(f"{checkout}{PAGE}")
        page.wait("globalThis.app?.isReady")
        yield page
        assert page.complaints == [] and page.failures == []
        assert {url for url in page.requests if not url.startswith((checkout, "data:", "blob:", "about:"))} == set()


def texts(page, id):
    return page.run(f"[...document.querySelectorAll('#{id} li')].map((one) => one.textContent)")


def press(page, text):
    page.run(f"([...document.querySelectorAll('button')].find((one) => one.textContent === '{text}').click(), null)")


def status(page):
    return page.run("document.getElementById('status').textContent")


def test_it_has_at_most_200_lines():
    with open(os.path.join(cases.ROOT, PAGE), encoding="utf-8") as text:
        assert len(text.readlines()) <= 200


def test_packs_are_downloaded_shown_tapped_searched_and_removed(shown):
    assert texts(shown, "packs")[0].startswith("East, ") and shown.run("document.querySelectorAll('#map img').length") == 0
    press(shown, "Download")
    shown.wait("document.getElementById('status').textContent === 'East is there.'")
    shown.wait("document.querySelectorAll('#map img').length > 0 && document.querySelectorAll('#entries li').length > 0")
    assert texts(shown, "packs")[0] == "East Remove"
    names = texts(shown, "entries")
    assert any(name.endswith(" places") for name in names)
    # A cluster opens, and what is alone says its name; a tap at its place answers the same.
    zoom = shown.run("app.view.zoom")
    shown.run("app.go({ lng: -179.5, lat: -18, zoom: 7 }).then(() => null)")
    entry = shown.run("app.map.entries([-180, -20, -178, -16], 7).then((all) => all.find((one) => one.count === 1))")
    shown.run(f"app.tap({{ lng: {entry['lng']}, lat: {entry['lat']}, zoom: 7 }}).then(() => null)")
    assert status(shown) == entry["fields"]["name"]
    shown.run("(document.getElementById('status').textContent = '', document.getElementById('key').value = '%s', document.querySelector('#find button').click(), null)" % entry["key"])
    shown.wait(f"document.getElementById('status').textContent === {entry['fields']['name']!r}")
    cluster = shown.run("app.map.entries([-180, -30, 180, 0], 2).then((all) => all.find((one) => one.count > 1))")
    shown.run(f"app.search('{cluster['key']}').then(() => null)")
    assert shown.run("app.view.zoom") == cluster["fields"]["expansion_zoom"] and zoom == 4
    press(shown, "Update")
    shown.wait("document.getElementById('status').textContent === 'This is the newest.'")
    press(shown, "Remove")
    shown.wait("document.querySelectorAll('#packs li')[0].textContent.endsWith('Download')")


def test_an_archive_is_updated_by_the_delta_of_a_signed_list(shown):
    shown.run("app.open('towns').then(() => null)")
    assert shown.run("document.getElementById('regions').hidden") and shown.run("document.querySelectorAll('#map img').length") > 0
    press(shown, "Update")
    shown.wait("document.getElementById('status').textContent === 'Updated by towns.1-3.delta.'")
    press(shown, "Update")
    shown.wait("document.getElementById('status').textContent === 'This is the newest.'")
    shown.run("(document.getElementById('map').focus(), null)")
    before = shown.run("app.view.zoom")
    shown.key("+", text="+")
    shown.wait(f"app.view.zoom === {before + 1}")


def test_it_is_accessible(shown):
    press(shown, "Download")
    shown.wait("document.querySelectorAll('#entries li').length > 0")
    script = audit.axe()
    if script:
        shown.run(f"(() => {{ {script}\n; return true; }})()")
        assert shown.run(audit.AXE) == []
