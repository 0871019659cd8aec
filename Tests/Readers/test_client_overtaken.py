"""Publications that overtake a download, lists that expire, and lists of files that no reader reads."""

import json
import os
import shutil
import sqlite3
import sys

import pytest

from kit import clients, rows
from kit.publisher import KEY

sys.path.insert(0, rows.VECTORS)

from files import digests, measured  # noqa: E402
from lists import Key, envelope, line, step  # noqa: E402

ARCHIVES = {number: f"archives/towns{number}.mbtiles" for number in ("-1", "-2", "")}


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


def version(number):
    """A version of the archive as a list tells of it, under its second name."""
    told = measured(ARCHIVES[number])
    return {**told, **digests(ARCHIVES[number]), "file": f"towns.{told['sha256'][:16]}.mbtiles"}


class Site:
    """A publisher of `towns` that replaces the archive under its name and keeps its versions under second names."""

    def __init__(self, publisher, folder):
        self.publisher, self.folder, self.sequence = publisher, folder, 0
        publisher.files = {"towns.2-3.delta": "deltas/towns.2-3.delta"}
        publisher.files |= {version(number)["file"]: ARCHIVES[number] for number in ARCHIVES}

    def publish(self, number, **members):
        self.sequence += 1
        told = version(number)
        archive = {**told, "file": "towns.mbtiles", "download": told["file"]}
        value = {"format": 1, "minimumClient": 1, "sequence": self.sequence, "archive": archive, "deltas": [], **members}
        (self.folder / "list.json").write_text(envelope(line(value), Key("first")), encoding="utf-8")
        self.publisher.files |= {"towns.updates.json": str(self.folder / "list.json"), "towns.mbtiles": ARCHIVES[number]}

    def publish_next(self, **members):
        """The newest version, with the delta from the one before and its second name."""
        self.publish("", **{"deltas": [step(ARCHIVES["-2"], ARCHIVES[""], "towns.2-3")], "earlier": [version("-2")], **members})


@pytest.fixture
def site(publisher, tmp_path):
    (tmp_path / "site").mkdir()
    return Site(publisher, tmp_path / "site")


@pytest.fixture
def app(tmp_path, reader, publisher):
    class App:
        folder = tmp_path / "app"
        archive = tmp_path / "app" / "towns.mbtiles"

        def update(self):
            told = clients.run(*reader, "update", self.archive, publisher.list, KEY)
            assert told.returncode == 0, told.stderr
            return told.stdout.strip()

        def digest(self):
            return sqlite3.connect(self.archive).execute("SELECT value FROM metadata WHERE name = 'quadrille:digest'").fetchone()[0]

        def left(self):
            return sorted(os.listdir(self.folder))

    App.folder.mkdir()
    return App()


def test_a_download_that_a_publication_overtakes_ends_with_the_archive_it_began(app, site, publisher):
    site.publish("-2")
    publisher.midway = site.publish_next
    assert app.update() == "updated" and app.digest() == version("-2")["digest"]
    publisher.asked.clear()
    assert app.update() == "updated" and app.digest() == version("")["digest"]
    assert publisher.asked == ["towns.updates.json", "towns.2-3.delta"]


def test_a_download_that_was_cut_off_and_overtaken_goes_on(app, site, publisher):
    site.publish("-2")
    publisher.cut = measured(ARCHIVES["-2"])["bytes"] - 4000
    assert app.update() in ("cutOff", "network")
    begun = version("-2")["file"]
    assert f"{begun}.part" in app.left()
    publisher.cut = None
    site.publish_next()
    publisher.asked.clear()
    assert app.update() == "updated" and app.digest() == version("")["digest"]
    assert publisher.asked == ["towns.updates.json", begun, "towns.2-3.delta"] and publisher.ranges == [measured(ARCHIVES["-2"])["bytes"] - 4000]
    assert app.left() == ["towns.mbtiles", "towns.update-state.json"]
    assert app.update() == "nothing new"


@pytest.mark.parametrize("loss", ["the server lost it", "the list lost it", "little of it has come"])
def test_a_download_that_does_not_go_on_gives_way_to_the_whole_archive(app, site, publisher, loss):
    site.publish("-2")
    publisher.cut = 4000 if loss == "little of it has come" else measured(ARCHIVES["-2"])["bytes"] - 4000
    assert app.update() in ("cutOff", "network")
    publisher.cut = None
    site.publish_next(**({"earlier": []} if loss == "the list lost it" else {}))
    publisher.gone = {version("-2")["file"]: 404} if loss == "the server lost it" else {}
    # So large a delta does not pay after little of the download.
    if loss == "little of it has come":
        site.publish_next(deltas=[{**step(ARCHIVES["-2"], ARCHIVES[""], "towns.2-3"), "bytes": measured(ARCHIVES[""])["bytes"] - 10}])
    assert app.update() == "updated" and app.digest() == version("")["digest"]
    assert publisher.asked[-1] == version("")["file"]
    assert app.left() == ["towns.mbtiles", "towns.update-state.json"]


def test_a_list_that_expired_changes_nothing_and_is_not_remembered(app, site):
    shutil.copyfile(os.path.join(rows.VECTORS, ARCHIVES["-1"]), app.archive)
    site.publish("-2", expires=1_700_000_000)
    assert app.update() == "expired" and app.left() == ["towns.mbtiles"]
    site.publish("-2", expires=2**40)
    assert app.update() == "updated" and app.digest() == version("-2")["digest"]


def test_a_list_of_a_file_that_no_reader_reads_says_so_before_any_download(app, site, publisher):
    site.publish("-2")
    told = {**version("-2"), "file": "towns.pmtiles"}
    site.publish("-2", archive=told)
    assert app.update() == "notAnArchive" and publisher.asked == ["towns.updates.json"]


def test_the_page_downloads_a_pack_by_the_name_that_stays(tmp_path):
    with open(os.path.join(rows.VECTORS, "packs", "isles.packs.json"), encoding="utf-8") as text:
        told = json.loads(json.load(text)["list"])
    told["packs"][0]["download"] = "isles-east.0123456789abcdef.mbtiles"
    (tmp_path / "isles.packs.json").write_text(envelope(line(told)), encoding="utf-8")
    reader = os.path.join(clients.CLIENTS, "javascript", "packs.js")
    (tmp_path / "page.mjs").write_text(f"""
        import {{ readFileSync }} from "node:fs";
        import {{ PackSet }} from {json.dumps("file://" + reader)};
        const asked = [];
        const fetcher = async (url) => {{
          asked.push(url.split("/").at(-1));
          const isList = url.endsWith(".json");
          return new Response(readFileSync(isList ? {json.dumps(str(tmp_path / "isles.packs.json"))} : {json.dumps(os.path.join(rows.VECTORS, "packs", "isles-east.mbtiles"))}));
        }};
        const packs = await PackSet.open("https://tiles.example.org/isles.packs.json", {{ fetcher }});
        const bytes = await packs.download(packs.list.packs[0]);
        console.log(JSON.stringify({{ asked, bytes: bytes.length, held: packs.isHeld(packs.list.packs[0]) }}));
    """, encoding="utf-8")  # fmt: skip
    found = clients.run("node", tmp_path / "page.mjs")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == {"asked": ["isles.packs.json", "isles-east.0123456789abcdef.mbtiles"], "bytes": told["packs"][0]["bytes"], "held": True}
