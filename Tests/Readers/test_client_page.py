"""Examples/web/index.html: archives in a page without a map library, as a client opens them."""

import os

import pytest

from kit import audit, rows

PAGE = "Examples/web/index.html"


@pytest.fixture
def shown(chromium, checkout):
    """Opens the page, and checks at the end that it complained about nothing and asked nobody else."""
    with chromium.page(1100, 720) as page:

        def show(sample="towns", width=1100, density=1):
            page.resize(width, 720, density)
            page.open(f"{checkout}{PAGE}?sample={sample}")
            page.wait("globalThis.page?.isSettled()")
            return page

        yield show
        assert page.complaints == [] and page.failures == []
        assert {url for url in page.requests if not url.startswith((checkout, "data:", "blob:", "about:"))} == set()


def colours(page):
    """The number of pixels that are neither ground nor lines."""
    picture = page.screenshot()[70:700, 60:770].astype(int)
    return int(((picture.max(axis=2) - picture.min(axis=2)) > 60).sum())


def test_a_tap_on_a_cluster_leads_to_where_it_comes_apart(shown):
    page = shown()
    assert colours(page) > 500
    found = page.run("page.tap(8, 47)")
    page.wait("page.isSettled()")
    assert found["point_count"] == 32 and page.run("page.view.zoom") == found["expansion_zoom"]
    assert "32 places" in page.run("document.getElementById('answer').textContent")
    west, south, east, north = found["bbox"]
    lng, lat = page.run("[page.view.x * 360 - 180, (Math.atan(Math.exp(Math.PI * (1 - 2 * page.view.y))) * 360) / Math.PI - 90]")
    assert west < lng < east and south < lat < north


def test_a_click_and_the_keyboard_tap_too(shown):
    page = shown("shapes")
    box = page.run("(({left, top, width, height}) => [left, top, width, height])(document.getElementById('map').getBoundingClientRect())")
    dot = rows.Disc("dots", rows.source("dots.csv")[3], 1, 0)
    page.run(f"(page.move({dot.x}, {dot.y}, 10), null)")
    page.wait("page.isSettled()")
    page.click(box[0] + box[2] / 2, box[1] + box[3] / 2)
    page.wait("document.querySelector('#answer dd')?.textContent === 'Dot 3'")
    page.run("(document.getElementById('answer').replaceChildren(), document.getElementById('map').focus())")
    page.key("Enter")
    page.wait("document.querySelector('#answer dd')?.textContent === 'Dot 3'")
    assert page.run("document.querySelector('#legend img').naturalWidth") > 50


def test_an_update_fetches_the_deltas_alone_and_proves_the_digest(shown):
    page = shown()
    before = page.run("page.shown.archives[0].metadata['quadrille:digest']")
    assert page.run("page.update()") == ["towns.1-3.delta"]
    assert page.run("page.shown.archives[0].metadata['quadrille:digest']") != before
    assert page.run("page.shown.archives[0].search('dG93bnM..dDk5OQ').then((entry) => entry.name)") == "New Town"
    assert page.run("page.update()") == [] and "newest" in page.run("document.getElementById('version').textContent")
    assert not any(url.endswith("/towns.mbtiles") for url in page.requests)


def damage(page, *endings):
    """Changes a byte of each file with one of these endings from now on."""
    page.run(f"""(() => {{
      const plain = fetch;
      globalThis.fetch = async (url, ...more) => {{
        if (!{list(endings)}.some((ending) => String(url).endsWith(ending))) return plain(url, ...more);
        const bytes = new Uint8Array(await (await plain(url)).arrayBuffer());
        bytes[5000] ^= 1;
        return new Response(bytes);
      }};
    }})()""")


def test_the_whole_file_takes_the_place_of_a_delta_that_is_not_right(shown):
    page = shown()
    before = page.run("page.shown.archives[0].metadata['quadrille:digest']")
    damage(page, ".delta")
    page.run("document.getElementById('update').click()")
    page.wait(f"page.shown.archives[0].metadata['quadrille:digest'] !== '{before}'")
    assert "towns.mbtiles" in " ".join(page.requests)


def test_the_old_map_stays_where_delta_and_whole_file_are_not_right(shown):
    page = shown()
    before = page.run("page.shown.archives[0].metadata['quadrille:digest']")
    damage(page, ".delta", "/towns.mbtiles")
    page.run("document.getElementById('update').click()")
    page.wait("document.getElementById('answer').textContent.includes('wrongBytes: towns.mbtiles')")
    assert page.run("page.shown.archives[0].metadata['quadrille:digest']") == before


def test_weather_is_played(shown):
    page = shown("rain")
    assert page.run("page.shown.index") == 2 and page.run("document.getElementById('time').textContent") == "10:45 UTC"
    page.run("(page.seek(0), null)")
    page.wait("page.isSettled()")
    first = page.screenshot()
    page.run("document.getElementById('play').click()")
    page.wait("page.shown.index === 1")
    page.wait("page.shown.index === 2")
    page.wait("page.shown.index === 0")
    page.run("document.getElementById('play').click()")
    assert page.run("document.getElementById('play').textContent") == "Play"
    page.run("(page.seek(2), null)")
    page.wait("page.isSettled()")
    assert (first != page.screenshot()).sum() > 3000


def test_a_file_of_ones_own_is_opened_without_a_server(shown):
    page = shown()
    page.send("DOM.getDocument")
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="#own")["nodeId"]
    page.send("DOM.setFileInputFiles", nodeId=node, files=[os.path.join(rows.VECTORS, "archives", "plain.mbtiles")])
    page.wait("document.getElementById('title').textContent === 'plain' && page.isSettled()")
    assert colours(page) > 300
    page.send("DOM.setFileInputFiles", nodeId=node, files=[os.path.join(rows.VECTORS, "vectors.json")])
    page.wait("document.getElementById('answer').textContent.includes('notAnArchive')")


@pytest.mark.parametrize("width", [1100, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_right_for_everybody(shown, width, scheme):
    page = shown("shapes", width, 2)
    page.colours(scheme)
    page.run("page.tap(7.5, 47)")
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run("document.getElementById('map').clientHeight") > 250
    script = audit.axe()
    if script:
        page.run(f"(() => {{ {script}\n; return true; }})()")
        assert page.run(audit.AXE) == []
