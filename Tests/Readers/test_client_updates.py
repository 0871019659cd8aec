"""Updates over http by the readers of Python and Java: cut off, damaged, replayed, and put back."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest

from kit import cases, clients, rows
from kit.publisher import KEY, Publisher

sys.path.insert(0, rows.VECTORS)

from pipelines import picture  # noqa: E402


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


@pytest.fixture
def app(tmp_path, reader, publisher):
    """An app's folder with an old archive, and what updates it."""

    class App:
        archive = tmp_path / "towns.mbtiles"

        def update(self, *keys):
            told = clients.run(*reader, "update", self.archive, publisher.list, *(keys or [KEY]))
            assert told.returncode == 0, told.stderr
            return told.stdout.strip()

        def is_like(self, name):
            return self.archive.read_bytes() == open(os.path.join(rows.VECTORS, "archives", name), "rb").read()

        def left(self):
            return sorted(os.listdir(tmp_path))

    shutil.copyfile(os.path.join(rows.VECTORS, "archives", "towns-1.mbtiles"), App.archive)
    return App()


def test_an_update_swaps_the_archive_and_keeps_the_old_one(app, tmp_path):
    old = app.archive.read_bytes()
    with open(app.archive, "rb") as reader:
        assert app.update() == "updated"
        # A reader that has the old file open goes on with it.
        assert reader.read() == old
    assert app.left() == ["towns.mbtiles", "towns.mbtiles.previous", "towns.update-state.json"]
    assert (tmp_path / "towns.mbtiles.previous").read_bytes() == old
    assert json.loads((tmp_path / "towns.update-state.json").read_text()) == {"sequence": 7, "keys": [KEY], "anchors": [KEY]}
    assert app.update() == "nothing new"


def test_an_archive_that_is_not_there_is_fetched_as_a_whole(app):
    os.remove(app.archive)
    assert app.update() == "updated" and app.is_like("towns.mbtiles")


def test_what_is_cut_off_goes_on_where_it_ended(app, publisher):
    sizes = [1, 4096, 30_000, os.path.getsize(os.path.join(rows.VECTORS, "deltas", "towns.1-3.delta")) - 1]
    for size in sizes:
        publisher.cut = size
        assert app.update() in ("cutOff", "network")
        assert app.is_like("towns-1.mbtiles")
    publisher.cut = None
    assert app.update() == "updated"
    # Each went on where the one before it ended.
    assert publisher.ranges == sizes
    assert not any(name.endswith((".part", ".new")) for name in app.left())


def test_a_flipped_byte_is_refused_and_the_next_try_succeeds(app, publisher):
    publisher.flip = 9000
    assert app.update() == "wrongBytes" and app.is_like("towns-1.mbtiles")
    publisher.flip = None
    assert app.update() == "updated"


REFUSED = {"unsigned": "unsigned", "signed-by-another-key": "untrusted", "a-changed-list": "badSignature", "a-bad-name-0": "badName"}


@pytest.mark.parametrize("name, kind", REFUSED.items())
def test_a_list_that_is_not_right_changes_nothing(app, publisher, name, kind):
    publisher.files["towns.updates.json"] = f"lists/{name}.updates.json"
    assert app.update() == kind and app.is_like("towns-1.mbtiles") and app.left() == ["towns.mbtiles"]


def test_an_older_list_is_refused_by_what_is_remembered(app, tmp_path):
    (tmp_path / "towns.update-state.json").write_text(json.dumps({"sequence": 8, "keys": [KEY]}))
    assert app.update() == "replayed" and app.is_like("towns-1.mbtiles")


def test_the_keys_that_are_remembered_count(app, publisher):
    publisher.files["towns.updates.json"] = "lists/keys-that-rotate.updates.json"
    assert app.update() == "updated"
    publisher.files["towns.updates.json"] = "lists/signed-by-the-new-key-alone.updates.json"
    assert app.update() == "nothing new"


def test_a_killed_update_leaves_old_or_new_at_every_call_and_so_does_a_full_disk(tmp_path, publisher):
    archives = os.path.join(rows.VECTORS, "archives")
    script = os.path.join(os.path.dirname(clients.__file__), "killed.py")
    told = clients.run(sys.executable, script, tmp_path, publisher.list, KEY, f"{archives}/towns-1.mbtiles", f"{archives}/towns.mbtiles")
    assert told.returncode == 0, told.stderr
    killed, full = map(int, told.stdout.split())
    assert killed > 20 and 4 < full < 10


def known(path, key="digest"):
    """The digest that an archive says it has."""
    return sqlite3.connect(path).execute("SELECT value FROM metadata WHERE name = ?", [f"quadrille:{key}"]).fetchone()[0]


def test_frames_come_and_go_and_change_by_deltas(tmp_path, reader, publisher):
    vectors, app, site = rows.VECTORS, tmp_path / "app", tmp_path / "site"
    (app / "weather").mkdir(parents=True)
    site.mkdir()
    for name, file in {"a": "plain.mbtiles", "b": "plain-1.mbtiles", "gone": "plain.mbtiles"}.items():
        shutil.copyfile(f"{vectors}/archives/{file}", app / "weather" / f"{name}.mbtiles")
    (app / "weather" / "latest.mbtiles").write_text("of somebody else")

    def manifest(*names):
        frames = [{"time": f"2026-01-01T00:00:0{i}Z", "file": f"weather/{name}.mbtiles"} for i, name in enumerate(names)]
        frames = [{**frame, "duration": 1, "sha256": ""} for frame in frames]
        return json.dumps({"frames": frames, "default": "", "latest": "", "loop": True})

    def told(path):
        data = open(path, "rb").read()
        return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    plain, older, shapes = (f"{vectors}/archives/{name}.mbtiles" for name in ("plain", "plain-1", "shapes"))
    (app / "rain.frames.json").write_text(manifest("a", "b", "gone"))
    (site / "rain.frames.json").write_text(manifest("a", "b", "c"))
    published = {"a": plain, "b": plain, "c": shapes}
    frames = [{"file": f"{name}.mbtiles", "digest": known(path), **told(path)} for name, path in published.items()]
    frames[2]["taps"] = known(shapes, "taps")
    delta = {"file": "b.delta", "frame": "b.mbtiles", "before": known(older), "after": known(plain), **told(f"{vectors}/deltas/plain.1-2.delta")}
    series = {"folder": "weather", "frames": frames, "manifest": {"file": "rain.frames.json", **told(site / "rain.frames.json")}}
    listed = {"format": 1, "minimumClient": 1, "sequence": 4, "series": series, "deltas": [delta]}
    (site / "rain.updates.json").write_text(json.dumps({"list": json.dumps(listed), "signatures": []}))
    publisher.files = {"rain.updates.json": site / "rain.updates.json", "rain.frames.json": site / "rain.frames.json"}
    publisher.files |= {"weather/b.delta": "deltas/plain.1-2.delta", "weather/c.mbtiles": "archives/shapes.mbtiles"}
    address = publisher.list.replace("towns", "rain")
    for wanted in ("updated", "nothing new"):
        found = clients.run(*reader, "update", app / "rain.frames.json", address)
        assert found.stdout.strip() == wanted, found.stdout + found.stderr
    assert sorted(os.listdir(app / "weather")) == ["a.mbtiles", "b.mbtiles", "c.mbtiles", "latest.mbtiles"]
    assert sorted(os.listdir(app)) == ["rain.frames.json", "rain.update-state.json", "weather"]
    assert (app / "rain.frames.json").read_text() == manifest("a", "b", "c")
    assert known(app / "weather" / "b.mbtiles") == known(plain)


PIPELINE = """version: 1
sources: {towns: {type: csv, data: towns.csv, x: lng, y: lat, id: id}}
layers: [{id: dots, type: circle, source: towns}]
tiles: {maxzoom: 4, interactivity: {fields: [name]}}
output: {path: out/towns.mbtiles}
"""


def test_what_the_program_publishes_is_what_the_readers_take(tmp_path, reader):
    """Three builds, each signed; an app that has the first archive takes the deltas, and then those of the second key."""

    def quadrille(*words):
        told = subprocess.run([cases.PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        return told.stdout

    def build(version, *keys):
        lines = [f"{i},Town {i} {version if i == 3 else ''},{i * 3 - 100},{i}\n" for i in range(60)]
        (tmp_path / "towns.csv").write_text("id,name,lng,lat\n" + "".join(lines))
        quadrille("build", "-q", "towns.yml", *(word for key in keys for word in ("--sign", f"{key}.key")))

    (tmp_path / "towns.yml").write_text(PIPELINE)
    printed = [quadrille("keys", "new", name) for name in ("first", "second")]
    key = re.search(r"[A-Za-z0-9+/]{43}=", printed[0])[0]
    app, site = tmp_path / "app", tmp_path / "out"
    app.mkdir()
    site.mkdir()
    build(1, "first")
    shutil.copyfile(site / "towns.mbtiles", app / "towns.mbtiles")
    site_server = Publisher()
    site_server.files = Folder(site)

    def update():
        found = clients.run(*reader, "update", app / "towns.mbtiles", site_server.list, key)
        assert found.returncode == 0, found.stderr
        return found.stdout.strip()

    try:
        assert update() == "nothing new"
        for version, keys in ((2, ["first"]), (3, ["first", "second"]), (4, ["second"])):
            build(version, *keys)
            site_server.asked.clear()
            assert update() == "updated" and update() == "nothing new"
            assert any(name.endswith(".delta") for name in site_server.asked) and "towns.mbtiles" not in site_server.asked
        older = (site / "towns.updates.json").read_bytes()
        build(5, "second")
        assert update() == "updated"
        (site / "towns.updates.json").write_bytes(older)
        assert update() == "replayed"
    finally:
        site_server.close()
    quadrille("verify", "app/towns.mbtiles")


SERIES = """version: 1
sources: {rain: {type: image-series, frames: "rain/*.png", time: "%Y-%m-%dT%H%MZ", bounds: [-12, 48, 5, 61], every: 900, keep: 3}}
layers: [{id: rain, type: raster, source: rain}]
tiles: {maxzoom: 3}
output: {path: out/rain.mbtiles}
"""


def test_a_series_that_the_program_publishes_is_what_the_readers_take(tmp_path, reader):
    """A frame is replaced, one comes and one goes: the app has the frames of the publisher, and fetches those alone that changed."""
    app, site, images = tmp_path / "app", tmp_path / "out", tmp_path / "rain"
    for folder in (app, site, images):
        folder.mkdir()
    (tmp_path / "rain.yml").write_text(SERIES)

    def build(*pictures):
        for minute, frame in pictures:
            (images / f"2026-03-01T10{minute}Z.png").write_bytes(picture(frame))
        told = subprocess.run([cases.PROGRAM, "build", "-q", "--delta", "rain.yml"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr

    def update():
        found = clients.run(*reader, "update", app / "rain.frames.json", server.list.replace("towns", "rain"))
        assert found.returncode == 0, found.stderr
        return found.stdout.strip()

    def frames(folder):
        return {file.name: file.read_bytes() for file in (folder / "rain").iterdir() if file.name[0] == "2" and file.suffix == ".mbtiles"}

    server = Publisher()
    server.files = Folder(site)
    try:
        build(("00", 0), ("15", 1), ("30", 2))
        assert update() == "updated" and frames(app) == frames(site)
        build(("15", 1.3), ("45", 3))
        server.asked.clear()
        assert update() == "updated" and update() == "nothing new"
    finally:
        server.close()
    assert sorted(frames(app)) == sorted(frames(site)) == [f"2026-03-01T10{minute}Z.mbtiles" for minute in (15, 30, 45)]
    assert (app / "rain.frames.json").read_bytes() == (site / "rain.frames.json").read_bytes()
    assert not any("1030Z" in name for name in server.asked)
    for name in frames(app):
        assert known(app / "rain" / name) == known(site / "rain" / name)


class Folder(dict):
    """The files of a folder by their names."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def __missing__(self, name):
        return self.folder / name
