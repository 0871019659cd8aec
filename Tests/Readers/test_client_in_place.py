"""Updates in place by the readers of Python and Java: what they write, and what is left where they are killed."""

import collections
import hashlib
import json
import os
import shutil
import sqlite3

import pytest

from kit import clients
from kit.publisher import Publisher

SIDE = 64
CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,rename,unlink,link"


def picture(number):
    return b"".join(hashlib.sha256(b"%d %d" % (number, i)).digest() for i in range(24))


def digest(pictures):
    """The root over tiles of one zoom in one block (docs/archive.md)."""
    def quadkey(place):
        return sum((place[0] >> bit & 1) << 2 * bit | (place[1] >> bit & 1) << 2 * bit + 1 for bit in range(6))

    block = b"".join(b"6/%d/%d\n" % place + hashlib.sha256(pictures[place]).digest() for place in sorted(pictures, key=quadkey))
    return hashlib.sha256(b"6/0/0\n" + hashlib.sha256(block).digest()).hexdigest()


def write(path, pictures):
    with sqlite3.connect(path) as archive:
        archive.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        told = {"name": "a", "format": "png", "minzoom": "6", "maxzoom": "6", "quadrille:digest": digest(pictures)}
        archive.executemany("INSERT INTO metadata VALUES (?, ?)", told.items())
        archive.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        rows = [(6, x, 63 - y, data) for (x, y), data in sorted(pictures.items())]
        archive.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", rows)
        archive.execute("CREATE UNIQUE INDEX tiles_index ON tiles (zoom_level, tile_column, tile_row)")
        archive.execute("CREATE UNIQUE INDEX metadata_index ON metadata (name)")
    archive.close()


def write_delta(path, old, new, size):
    with sqlite3.connect(path) as delta:
        delta.executescript("PRAGMA application_id = 0x51444C54; PRAGMA user_version = 2")
        place = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
        for table in ("facts (name TEXT, value TEXT)", "new_metadata (name TEXT, value TEXT, replaces TEXT)"):
            delta.execute(f"CREATE TABLE {table}")
        delta.execute(f"CREATE TABLE removed_tiles ({place})")
        delta.execute(f"CREATE TABLE new_tiles ({place}, tile_data BLOB)")
        facts = {"before": digest(old), "after": digest(new), "bytes": str(size)}
        delta.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        delta.execute("INSERT INTO new_metadata VALUES ('quadrille:digest', ?, 'quadrille:digest')", [digest(new)])
        for index, one in enumerate(sorted(old)):
            if one in new and new[one] != old[one]:
                delta.execute("INSERT INTO new_tiles (rowid, zoom_level, tile_column, tile_row, tile_data) VALUES (?, 6, ?, ?, ?)",
                              [index + 1, one[0], 63 - one[1], new[one]])  # fmt: skip
        delta.executemany("INSERT INTO removed_tiles VALUES (6, ?, ?)", [(x, 63 - y) for x, y in old if (x, y) not in new])
    delta.close()


def told(path):
    data = path.read_bytes()
    return {"file": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


class Ground:
    """An archive of 3 MB, and a publisher with the delta of six of its tiles."""

    def __init__(self, folder):
        old = {(x, y): picture(x * SIDE + y) for x in range(SIDE) for y in range(SIDE)}
        new = {**old, **{(x, 2 * x): picture(10_000 + x) for x in range(5)}}
        del new[9, 9]
        self.site, self.app = folder / "site", folder / "app"
        self.site.mkdir()
        write(folder / "old.mbtiles", old)
        write(self.site / "towns.mbtiles", new)
        self.old, self.path = (folder / "old.mbtiles").read_bytes(), self.app / "towns.mbtiles"
        write_delta(self.site / "a.delta", old, new, len(self.old))
        self.digests = digest(old), digest(new)
        whole, delta = told(self.site / "towns.mbtiles"), told(self.site / "a.delta")
        listed = {"format": 1, "minimumClient": 1, "sequence": 1, "archive": {**whole, "digest": digest(new)}}
        listed["deltas"] = [{**delta, "before": digest(old), "after": digest(new)}]
        (self.site / "towns.updates.json").write_text(json.dumps({"list": json.dumps(listed), "signatures": []}))
        self.publisher = Publisher()
        self.publisher.files = {file.name: file for file in self.site.iterdir()}
        self.reset()

    def reset(self):
        shutil.rmtree(self.app, ignore_errors=True)
        self.app.mkdir()
        self.path.write_bytes(self.old)

    def state(self):
        """The digest, after SQLite has restored what was interrupted; the tiles have to be those of it."""
        with sqlite3.connect(self.path) as archive:
            pictures = {(x, 63 - row): data for x, row, data in archive.execute("SELECT tile_column, tile_row, tile_data FROM tiles")}
            (known,) = archive.execute("SELECT value FROM metadata WHERE name = 'quadrille:digest'").fetchone()
        archive.close()
        assert digest(pictures) == known
        return known


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    made = Ground(tmp_path_factory.mktemp("ground"))
    yield made
    made.publisher.close()


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


def updated(ground, reader, *launcher):
    return clients.run(*launcher, *reader, "update", ground.path, ground.publisher.list)


def traced(ground, reader, trace):
    """The calls by thread and name, and the bytes written to files of the app."""
    ran = updated(ground, reader, "strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e", f"trace={CALLS}")
    assert ran.stdout.strip() == "updated", ran.stdout + ran.stderr
    counts, calls, written = collections.Counter(), set(), 0
    for line in trace.read_text().splitlines():
        thread, _, call = line.partition(" ")
        name = call.strip().partition("(")[0]
        if name not in CALLS.split(","):
            continue
        counts[thread, name] += 1
        if str(ground.app) in call:
            calls.add((name, counts[thread, name]))
            written += int(call.rpartition("= ")[2].split()[0]) if name.endswith(("write", "write64")) else 0
    return sorted(calls), written


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_an_update_writes_what_changed_and_a_kill_leaves_old_or_new(ground, reader, tmp_path):
    ground.reset()
    calls, written = traced(ground, reader, tmp_path / "trace")
    delta = os.path.getsize(ground.site / "a.delta")
    assert ground.state() == ground.digests[1]
    assert delta < written < len(ground.old) / 10, f"{written} bytes for a delta of {delta}"
    assert sorted(os.listdir(ground.app)) == ["towns.mbtiles", "towns.mbtiles.previous", "towns.update-state.json"]
    assert os.path.getsize(ground.app / "towns.mbtiles.previous") < len(ground.old) / 10
    # A machine of Java's starts slowly.
    some = calls if reader == clients.PYTHON else [*calls[::5], *(call for call in calls if call[0] in ("rename", "fdatasync"))]
    found = collections.Counter()
    for name, number in some:
        ground.reset()
        ran = updated(ground, reader, "strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={name}:signal=KILL:when={number}")
        found["killed"] += ran.stdout.strip() != "updated"
        shutil.copytree(ground.app, tmp_path / "copy")
        found[ground.state()] += 1
        shutil.rmtree(ground.app)
        shutil.move(tmp_path / "copy", ground.app)
        assert updated(ground, reader).stdout.strip() in ("updated", "nothing new"), (name, number)
        assert ground.state() == ground.digests[1], (name, number)
        assert not any(file.endswith(("-journal", ".new", ".part")) for file in os.listdir(ground.app)), (name, number)
    assert found["killed"] > len(some) / 2 and set(ground.digests) <= set(found)


def test_roll_back_restores_the_very_bytes_once(ground, reader):
    ground.reset()
    for _ in range(2):
        assert updated(ground, reader).stdout.strip() == "updated"
        assert clients.run(*reader, "rollback", ground.path).stdout.strip() == "rolled back"
        assert ground.path.read_bytes() == ground.old
        assert clients.run(*reader, "rollback", ground.path).stdout.strip() == "network"


def test_while_somebody_reads_all_the_time_a_copy_takes_the_place(ground, reader):
    ground.reset()
    inode = os.stat(ground.path).st_ino
    open_one = sqlite3.connect(f"file:{ground.path}?mode=ro", uri=True, isolation_level=None)
    rows = open_one.execute("SELECT * FROM tiles")
    rows.fetchone()
    assert updated(ground, reader).stdout.strip() == "updated"
    assert os.stat(ground.path).st_ino != inode and ground.state() == ground.digests[1]
    assert len(rows.fetchall()) == SIDE * SIDE - 1
    open_one.close()
