"""Updates over http by the readers of Python and Java: cut off, damaged, replayed, and put back."""

import json
import os
import shutil

import pytest

from kit import clients, rows
from kit.publisher import KEY


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
    assert json.loads((tmp_path / "towns.update-state.json").read_text()) == {"sequence": 7, "keys": [KEY]}
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


@pytest.mark.parametrize("name, kind", [("unsigned", "unsigned"), ("signed-by-another-key", "untrusted"), ("a-changed-list", "badSignature"), ("a-bad-name-0", "badName")])
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
