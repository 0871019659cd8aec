"""Updates from hostile servers and on hostile disks, by the readers of Python and Java: nothing outside changes, and all get well again."""

import hashlib
import json
import os
import shutil

import pytest

from kit import clients, rows
from kit.publisher import KEY

ARCHIVES, DELTAS = (os.path.join(rows.VECTORS, name) for name in ("archives", "deltas"))
STEPS = ["towns.1-2.delta", "towns.2-3.delta"]


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


@pytest.fixture
def app(tmp_path, reader, publisher):
    """An app's folder with an old archive, and what updates it."""

    class App:
        folder = tmp_path
        archive = tmp_path / "towns.mbtiles"
        state = tmp_path / "towns.update-state.json"

        def update(self, *keys, archive=None):
            told = clients.run(*reader, "update", archive or self.archive, publisher.list, *(keys or [KEY]))
            assert told.returncode == 0, told.stderr
            return told.stdout.strip()

        def takes(self, *files):
            """Whether an update fetches these files and has the newest archive afterwards."""
            publisher.asked.clear()
            assert self.update() == "updated"
            asked = [name for name in publisher.asked if not name.endswith(".json") and name not in publisher.gone]
            assert asked == list(files)
            assert clients.run(*clients.PYTHON, "taps", self.archive, os.devnull).returncode == 0
            assert self.update() == "nothing new"
            assert sorted(os.listdir(tmp_path)) == sorted({"towns.mbtiles", "towns.update-state.json"} | self.kept())

        def kept(self):
            return {"towns.mbtiles.previous"} if (tmp_path / "towns.mbtiles.previous").exists() else set()

    shutil.copyfile(f"{ARCHIVES}/towns-1.mbtiles", App.archive)
    return App()


@pytest.mark.parametrize("status", [404, 410, 403])
def test_a_delta_that_is_gone_gives_way_to_others_and_then_to_the_whole_file(app, publisher, status):
    publisher.gone = {"towns.1-3.delta": status}
    app.takes(*STEPS)
    shutil.copyfile(f"{ARCHIVES}/towns-1.mbtiles", app.archive)
    publisher.gone |= {"towns.2-3.delta": status}
    app.takes(STEPS[0], "towns.mbtiles")


def test_a_server_in_trouble_is_asked_again_later(app, publisher):
    for status in (500, 503, 429):
        publisher.gone = {"towns.1-3.delta": status}
        assert app.update() == "network" and "towns.mbtiles" not in publisher.asked
    publisher.gone = {}
    app.takes("towns.1-3.delta")


def test_a_delta_of_other_bytes_gives_way(app, publisher):
    publisher.flip, publisher.flips = 9000, "1-3.delta"
    app.takes("towns.1-3.delta", *STEPS)


def test_the_rest_of_another_file_is_thrown_away(app, publisher):
    size = os.path.getsize(f"{DELTAS}/towns.1-3.delta")
    for count in (10, size, size + 10):
        shutil.copyfile(f"{ARCHIVES}/towns-1.mbtiles", app.archive)
        (app.folder / "towns.1-3.delta.part").write_bytes(b"x" * count)
        assert app.update() == "updated" and app.update() == "nothing new"
        assert not list(app.folder.glob("*.part"))


def damaged(data, how):
    if how == "empty":
        return b""
    if how == "no database":
        return b"x" * 5000
    if how == "half":
        return data[: len(data) // 2]
    if how == "a page short":
        return data[:-4096]
    # A byte of each tile, since the delta replaces some.
    tiles = data.split(b"\x89PNG")
    return b"\x89PNG".join([tiles[0], *(tile[:60] + bytes([tile[60] ^ 255]) + tile[61:] for tile in tiles[1:])])


@pytest.mark.parametrize("how", ["empty", "no database", "half", "a page short", "tiles"])
def test_a_damaged_archive_is_replaced_by_the_whole_one(app, how):
    app.archive.write_bytes(damaged(app.archive.read_bytes(), how))
    assert app.update() == "updated" and app.update() == "nothing new"
    assert app.archive.read_bytes() == open(f"{ARCHIVES}/towns.mbtiles", "rb").read()


def test_a_newest_archive_that_was_cut_off_is_fetched_again(app):
    whole = open(f"{ARCHIVES}/towns.mbtiles", "rb").read()
    app.archive.write_bytes(whole[:-8192])
    assert app.update() == "updated" and app.archive.read_bytes() == whole


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sequence": "x", "keys": 7}', "[" * 20_000])
def test_a_damaged_state_counts_as_none(app, publisher, text):
    app.state.write_text(text)
    publisher.files["towns.updates.json"] = "lists/unsigned.updates.json"
    assert app.update() == "unsigned"
    publisher.files["towns.updates.json"] = "lists/good.updates.json"
    app.state.write_text(text)
    assert app.update() == "updated"


def test_the_keys_of_a_later_release_count(app, publisher):
    app.state.write_text(json.dumps({"sequence": 7, "keys": []}))
    publisher.files["towns.updates.json"] = "lists/unsigned.updates.json"
    assert app.update() == "unsigned"
    publisher.files["towns.updates.json"] = "lists/good.updates.json"
    assert app.update() == "updated"


def test_the_list_of_another_archive_is_refused(app, publisher):
    publisher.files["plain.updates.json"] = "lists/good.updates.json"
    publisher.list = publisher.list.replace("towns.updates", "plain.updates")
    assert app.update() == "otherArchive" and sorted(os.listdir(app.folder)) == ["towns.mbtiles"]
    # The address says which archive it is, whatever the name of the file in the app.
    publisher.list = publisher.list.replace("plain.updates", "towns.updates")
    (app.folder / "mine.mbtiles").write_bytes(app.archive.read_bytes())
    assert app.update(archive=app.folder / "mine.mbtiles") == "updated"
    # Where it says none, the file does.
    publisher.files |= {"newest": "lists/good.updates.json"}
    publisher.list = publisher.list.replace("towns.updates.json", "newest")
    assert app.update(archive=app.folder / "mine.mbtiles") == "otherArchive" and app.update() == "updated"


def test_deep_lists_end_with_an_error(app, publisher):
    publisher.files["towns.updates.json"] = "lists/deep.updates.json"
    assert app.update() == "badList"


def test_what_was_left_of_a_killed_update_is_removed(app):
    for name in ("new", "new-journal", "new-mj0A1B2C912", "new-mj1", "previous.new"):
        (app.folder / f"towns.mbtiles.{name}").write_text("left")
    (app.folder / "towns.mbtiles-mj").write_text("not ours")
    assert app.update() == "updated"
    left = ["towns.mbtiles", "towns.mbtiles-mj", "towns.mbtiles.previous", "towns.update-state.json"]
    assert sorted(os.listdir(app.folder)) == left


@pytest.fixture
def series(tmp_path, reader, publisher):
    """A series whose one frame is new, beside files that are not its own."""

    class Scene:
        app, victim = tmp_path / "app", tmp_path / "victim.mbtiles"
        manifest = app / "rain.frames.json"

        def update(self):
            told = clients.run(*reader, "update", self.manifest, publisher.list.replace("towns", "rain"))
            assert told.returncode == 0, told.stderr
            return told.stdout.strip()

        def outside(self):
            """The files that are none of the series'."""
            return {file: file.read_bytes() for file in tmp_path.rglob("*victim*") if file.is_file() and not file.is_symlink()}

    def told(path):
        data = open(path, "rb").read()
        return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    site = tmp_path / "site"
    for folder in (site, Scene.app / "rain", Scene.app / "other"):
        folder.mkdir(parents=True)
    for file in (Scene.victim, Scene.app / "victim.mbtiles", Scene.app / "other" / "victim.mbtiles", Scene.app / "rain" / "victim.txt"):
        file.write_text("not ours")
    (site / "rain.frames.json").write_text(json.dumps({"frames": [{"file": "rain/new.mbtiles"}]}))
    with open(f"{rows.VECTORS}/vectors.json", encoding="utf-8") as file:
        digest = next(case["expect"]["digest"] for case in json.load(file)["cases"] if case["name"] == "archives/plain.mbtiles: verify")
    frame = {"file": "new.mbtiles", "digest": digest, **told(f"{ARCHIVES}/plain.mbtiles")}
    listed = {"folder": "rain", "frames": [frame], "manifest": {"file": "rain.frames.json", **told(site / "rain.frames.json")}}
    text = json.dumps({"format": 1, "minimumClient": 1, "sequence": 1, "series": listed, "deltas": []})
    (site / "rain.updates.json").write_text(json.dumps({"list": text, "signatures": []}))
    publisher.files = {name: site / name for name in ("rain.updates.json", "rain.frames.json")}
    publisher.files["rain/new.mbtiles"] = "archives/plain.mbtiles"
    return Scene()


NAMES = [
    "../victim.mbtiles", "{root}/victim.mbtiles", "rain/../victim.mbtiles", "rain/../../victim.mbtiles", "other/victim.mbtiles", "victim.mbtiles",
    "rain/victim.txt", "rain\\..\\victim.mbtiles", "..\\victim.mbtiles", "rain//../victim.mbtiles", "./victim.mbtiles", "rain/link/victim.mbtiles",
]  # fmt: skip


def test_no_manifest_leads_out_of_the_folder(series, tmp_path):
    os.symlink(tmp_path, series.app / "rain" / "link")
    gone = series.app / "rain" / "gone.mbtiles"
    gone.write_text("ours")
    names = [name.format(root=tmp_path) for name in NAMES] + ["rain/gone.mbtiles"]
    series.manifest.write_text(json.dumps({"frames": [{"file": name} for name in names]}))
    before = series.outside()
    assert series.update() == "updated" and series.outside() == before and len(before) == 4
    assert not gone.exists() and (series.app / "rain" / "new.mbtiles").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"frames": 7}', '{"frames": [7]}', "[" * 20_000])
def test_a_damaged_manifest_counts_as_none(series, text):
    series.manifest.write_text(text)
    assert series.update() == "updated" and series.update() == "nothing new"


def test_no_link_leads_out_of_the_folder(series, tmp_path):
    for name in ("new.mbtiles", "new.mbtiles.new", "new.mbtiles.part"):
        os.symlink(tmp_path / "victim.mbtiles", series.app / "rain" / name)
    before = series.outside()
    assert series.update() == "updated" and series.outside() == before
    shutil.rmtree(series.app / "rain")
    os.symlink(tmp_path, series.app / "rain")
    assert series.update() == "badName" and series.outside().keys() < before.keys()
    assert not (tmp_path / "new.mbtiles").exists()
