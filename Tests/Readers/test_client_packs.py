"""Packs over http by the readers of Python and Java: fetched by place, cut off, updated, replaced by newer regions, and refused."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from kit import cases, clients, rows
from kit.publisher import KEY, Publisher

sys.path.insert(0, rows.VECTORS)

import pipelines  # noqa: E402
from lists import Key, envelope, line  # noqa: E402

EAST, WEST, SHARED = "isles-east.mbtiles", "isles-west.mbtiles", "isles-shared.mbtiles"


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


@pytest.fixture
def app(tmp_path, reader, publisher):
    """An app's folder without packs, and what follows the publisher's list."""
    with open(os.path.join(rows.VECTORS, "packs", "isles.packs.json"), encoding="utf-8") as text:
        told = json.loads(json.load(text)["list"])

    class App:
        folder, list, address = tmp_path, told, publisher.list.replace("towns.updates.json", "isles.packs.json")

        def publish(self, **members):
            """Publishes a list with the next number and other members, signed by the key of the vectors."""
            self.list = {**self.list, "sequence": self.list["sequence"] + 1, **members}
            (tmp_path / "site.json").write_text(envelope(line(self.list), Key("first")), encoding="utf-8")
            publisher.files["isles.packs.json"] = str(tmp_path / "site.json")

        def follow(self, *box):
            found = clients.run(*reader, "packs", tmp_path / "isles.packs.json", self.address, KEY, *box)
            assert found.returncode == 0, found.stdout + found.stderr
            return json.loads(found.stdout) if found.stdout.startswith("{") else found.stdout.strip()

        def files(self):
            return sorted(name for name in os.listdir(tmp_path) if name.endswith((".mbtiles", ".part", ".new", ".previous")))

    publisher.files |= {name: f"packs/{name}" for name in (EAST, WEST, SHARED, "isles.packs.json")}
    return App()


def size(*names):
    return sum(os.path.getsize(os.path.join(rows.VECTORS, "packs", name)) for name in names)


def test_the_packs_of_a_place_are_fetched_with_what_all_need(app, tmp_path):
    assert app.follow() == {"changed": [], "fetched": 0, "held": []}
    assert app.follow("-179", "-18", "-179", "-18") == {"changed": [], "fetched": size(EAST, SHARED), "held": [EAST, SHARED]}
    assert app.files() == [EAST, SHARED]
    assert app.follow("160", "-20", "178", "-18") == {"changed": [], "fetched": size(WEST), "held": [EAST, SHARED, WEST]}
    for name in (EAST, WEST, SHARED):
        with open(os.path.join(rows.VECTORS, "packs", name), "rb") as file:
            assert (tmp_path / name).read_bytes() == file.read()
    assert json.loads((tmp_path / "isles.packs.update-state.json").read_text()) == {"sequence": 3, "keys": [KEY], "anchors": [KEY]}


def test_a_download_that_is_cut_off_goes_on(app, publisher):
    publisher.cut = 40_000
    assert app.follow("160", "-20", "160", "-20") in ("cutOff", "network")
    assert app.files() == [f"{WEST}.part"]
    publisher.cut = None
    assert app.follow("160", "-20", "160", "-20")["held"] == [SHARED, WEST]
    assert publisher.ranges == [40_000] and app.files() == [SHARED, WEST]


def test_a_pack_of_other_bytes_is_refused(app, publisher):
    publisher.flip = 9000
    assert app.follow("160", "-20", "160", "-20") == "wrongBytes"
    assert app.files() == []


def test_packs_change_and_go(app, tmp_path, publisher):
    app.follow("160", "-20", "178", "-18")
    shutil.copyfile(tmp_path / SHARED, tmp_path / "isles-mine.mbtiles")
    (tmp_path / "isles-other.mbtiles").write_text("not a pack")
    # The region in the west is gone, and that in the east has the tiles of the west.
    east, west = app.list["packs"]
    other = {key: west[key] for key in ("bytes", "sha256", "digest", "taps")}
    app.publish(packs=[{**east, **other}])
    publisher.files[EAST] = f"packs/{WEST}"
    publisher.gone = {f"{name[:-8]}.updates.json": 404 for name in (EAST, WEST, SHARED)}
    # There is no list of deltas, so the whole pack is fetched.
    assert app.follow() == {"changed": sorted([EAST, WEST, "isles-mine.mbtiles"]), "fetched": 0, "held": [EAST, SHARED]}
    assert f"{EAST[:-8]}.updates.json" in publisher.asked
    assert app.files() == [EAST, "isles-other.mbtiles", SHARED]
    assert hashlib.sha256((tmp_path / EAST).read_bytes()).hexdigest() == west["sha256"]
    assert app.follow() == {"changed": [], "fetched": 0, "held": [EAST, SHARED]}


def test_lists_that_are_not_right_change_nothing(app, tmp_path, publisher):
    app.follow("178", "-18", "178", "-18")
    before = (tmp_path / "isles.packs.json").read_bytes()
    for name, kind in {
        "a-list-that-is-not-signed": "unsigned", "a-list-by-another-key": "untrusted", "a-changed-list": "badSignature", "a-bad-name-of-a-pack-0": "badName",
    }.items():  # fmt: skip
        publisher.files["isles.packs.json"] = f"packs/lists/{name}.packs.json"
        assert app.follow() == kind
    app.publish(sequence=2)
    assert app.follow() == "replayed"
    app.publish(sequence=9, archive={**app.list["archive"], "file": "aisles.mbtiles"})
    assert app.follow() == "otherArchive"
    assert (tmp_path / "isles.packs.json").read_bytes() == before and app.files() == [EAST, SHARED]


def test_what_the_program_publishes_is_what_the_readers_follow(tmp_path, reader):
    """Packs are signed by the program; an isle comes, and the packs that have it follow by deltas."""
    folder, site = tmp_path / "app", tmp_path / "site"
    folder.mkdir()
    site.mkdir()
    (site / "isles.yml").write_text(pipelines.ISLES, encoding="utf-8")
    (site / "regions.geojson").write_text(pipelines.regions(), encoding="utf-8")

    def quadrille(*words):
        told = subprocess.run([cases.PROGRAM, *words], cwd=site, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        return told.stdout

    def follow(*box):
        found = clients.run(*reader, "packs", folder / "isles.packs.json", server.list.replace("towns.updates.json", "isles.packs.json"), key, *box)
        assert found.stdout.startswith("{"), found.stdout + found.stderr
        return json.loads(found.stdout)

    quadrille("keys", "new", "isles")
    server = Publisher()
    key = ""
    try:
        (site / "isles.csv").write_text(pipelines.isles(), encoding="utf-8")
        quadrille("build", "-q", "--sign", "isles.key", "isles.yml")
        server.files = {name: str(site / name) for name in os.listdir(site)}
        assert EAST in quadrille("inspect", "isles.packs.json")
        with open(site / "isles.packs.json", encoding="utf-8") as text:
            key = json.loads(json.load(text)["list"])["keys"][0]["key"]
        assert follow("-179", "-18", "-179", "-18")["held"] == [EAST, SHARED]
        (site / "isles.csv").write_text(pipelines.isles() + "i999,New Isle,178.5,-16.5\n", encoding="utf-8")
        quadrille("build", "-q", "--sign", "isles.key", "isles.yml")
        server.files = {name: str(site / name) for name in os.listdir(site)}
        server.asked.clear()
        assert follow()["changed"] == [EAST, SHARED]
        assert follow()["changed"] == []
        assert not any(name.endswith(".mbtiles") for name in server.asked), server.asked
    finally:
        server.close()
    quadrille("verify", "isles.packs.json")
