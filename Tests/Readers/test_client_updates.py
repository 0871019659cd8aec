"""Updates over http by the readers of Python and Java: cut off, damaged, replayed, and put back."""

import http.server
import json
import os
import shutil
import threading

import pytest

from kit import clients, rows


class Publisher:
    """A web server with a list and its files. `cut` closes a connection after so many bytes of a file; `flip` changes one."""

    def __init__(self):
        self.cut, self.flip, self.ranges = None, None, []
        publisher = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                publisher.answer(self)

            def log_message(self, *_):
                pass

        self.files = {"towns.updates.json": "lists/good.updates.json", "towns.mbtiles": "archives/towns.mbtiles"}
        self.files |= {name: f"deltas/{name}" for name in os.listdir(os.path.join(rows.VECTORS, "deltas"))}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.list = f"http://127.0.0.1:{self.server.server_port}/towns.updates.json"

    def answer(self, handler):
        name = handler.path.lstrip("/")
        with open(os.path.join(rows.VECTORS, self.files[name]), "rb") as file:
            data = bytearray(file.read())
        if self.flip is not None and not name.endswith(".json"):
            data[self.flip] ^= 1
        asked = handler.headers.get("Range")
        first = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        self.ranges += [first] if asked else []
        handler.send_response(206 if asked else 200)
        handler.send_header("Content-Length", str(len(data) - first))
        if asked:
            handler.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        handler.end_headers()
        is_cut = self.cut is not None and not name.endswith(".json")
        handler.wfile.write(data[first : self.cut if is_cut else None])
        handler.close_connection = True

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def publisher():
    one = Publisher()
    yield one
    one.close()


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


KEY = "qwYalhyxl7Ox2I7bb5U5RJbeM7tbsPDoR9pjeFMem3A="


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
