"""Regions that the readers of Python and Java cut out of an archive on a server: fetched, cut off, killed, attacked, and updated."""

import collections
import json
import os
import shutil
import signal
import sqlite3
import subprocess

import pytest

from kit import cases, clients, regions
from kit.publisher import Publisher
from kit.regions import BOX, Generations, quadrille, tiles

CHUNK = 1 << 16
LONG = bool(os.environ.get("QUADRILLE_SLOW"))


@pytest.fixture(scope="module", params=["dedup", "flat"])
def generations(request, tmp_path_factory):
    if not os.path.exists(cases.PROGRAM):
        pytest.skip("no quadrille: make test-readers")
    return Generations(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(params=["python", "java"])
def reader(request):
    return clients.PYTHON if request.param == "python" else [*request.getfixturevalue("java")]


class Server(Publisher):
    """Serves a folder; `change` is given the name and the bytes of each file."""

    def __init__(self, site):
        super().__init__()
        self.show(site)

    def show(self, site):
        self.files = {name: str(site / name) for name in os.listdir(site)}

    def sent(self):
        return [name for name in self.asked if name.endswith(".mbtiles")]


@pytest.fixture
def server(generations):
    one = Server(generations.sites[0])
    yield one
    one.close()


@pytest.fixture
def app(tmp_path, reader, server, generations):
    class App:
        folder, region, key = tmp_path / "app", tmp_path / "app" / "part.mbtiles", generations.key

        def command(self, box, zooms, region=None):
            words = [*box, *zooms] if box else []
            return [str(word) for word in [*reader, "region", region or self.region, server.list, self.key, *words]]

        def ask(self, *words):
            told = clients.run(*self.command(*words))
            assert told.returncode == 0, told.stderr
            self.errors = told.stderr
            return told.stdout.strip()

        def fetch(self, box=BOX, zooms=(0, 8), region=None):
            """The bytes that were fetched."""
            told = self.ask(box, zooms, region)
            assert told.startswith("fetched "), told + self.errors
            return int(told.split()[1])

        def refusal(self, box=BOX, zooms=(0, 8)):
            told = self.ask(box, zooms)
            assert not os.path.exists(self.region)
            return told

        def update(self):
            return self.ask((), ()).rpartition(" ")[0]

        def left(self):
            return sorted(os.listdir(self.folder))

    App.folder.mkdir()
    return App()


def same(*paths, isNumbered=True):
    first, *others = (regions.rows(path, isNumbered) for path in paths)
    for other in others:
        assert list(first) == list(other)
        for table in first:
            assert first[table] == other[table], table
    return True


# Boxes: the usual one, of one place, around the antimeridian, and of all longitudes.
BOXES = [(BOX, (0, 8)), ((5, 45, 5, 45), (3, 30)), ((178.5, -18, -177, 1), (0, 8)), ((-180, 40, 180, 60), (0, 6)), ((-3.25, 42.125, 17, 51), (5, 9))]


@pytest.mark.parametrize("box, zooms", BOXES)
def test_a_region_has_the_tiles_of_its_squares_and_is_the_one_of_each_reader(app, generations, tmp_path, box, zooms):
    app.fetch(box, zooms)
    quadrille(app.folder, "verify", "part.mbtiles")
    whole, part = (tiles(path) for path in (generations.sites[0] / "towns.mbtiles", app.region))
    wanted = {tile: data for tile, data in whole.items() if regions.is_inside(tile, box) and zooms[0] <= tile[0] <= zooms[1]}
    shown = sorted({z for z, _, _ in wanted})
    # A zoom between others without a tile there has one from elsewhere.
    gaps = set(range(shown[0], shown[-1])) - set(shown)
    assert {tile: data for tile, data in part.items() if tile[0] not in gaps} == wanted
    assert sorted(z for z, _, _ in part if z in gaps) == sorted(gaps) and all(whole[tile] == part[tile] for tile in part)
    assert app.left() == ["part.mbtiles", "part.update-state.json"]
    assert app.update() == "nothing new"
    told = clients.run(*clients.PYTHON, "region", tmp_path / "python.mbtiles", app.command((), ())[-2], app.key, *box, *zooms)
    assert told.stdout.startswith("fetched") and same(app.region, tmp_path / "python.mbtiles")
    if regions.fixture():
        regions.by_swift(tmp_path / "swift.mbtiles", generations.sites[0], box, zooms)
        assert same(app.region, tmp_path / "swift.mbtiles")


def test_only_some_chunks_are_fetched_and_taps_answer_as_those_of_the_whole(app, generations, tmp_path, reader):
    size = os.path.getsize(generations.sites[0] / "towns.mbtiles")
    fetched = app.fetch((4, 45, 5, 46), (5, 8))
    # SQLite mixes the pages of two tables that grow together.
    assert fetched < size * 3 / 4 if generations.layout == "flat" else fetched <= size
    places = [(lng, lat) for lng, lat in regions.PLACES if 4 <= lng <= 5 and 45 <= lat <= 46]
    (tmp_path / "taps.txt").write_text("".join(f"{lng} {lat} {zoom}\n" for lng, lat in places for zoom in (5, 6, 8)))
    (tmp_path / "boxes.txt").write_text("4 45 5 46 6\n4.1 45.2 4.9 45.8 8\n")
    for what, file in (("taps", "taps.txt"), ("entries", "boxes.txt")):
        answers = [clients.run(*reader, what, path, tmp_path / file).stdout for path in (app.region, generations.sites[0] / "towns.mbtiles")]
        assert answers[0] == answers[1] and len(answers[0].split()) >= len(places) > 5


def test_what_is_cut_off_goes_on_with_the_chunks_that_are_here(app, server, tmp_path):
    all_bytes = app.fetch(region=tmp_path / "whole.mbtiles")
    shorter = 0
    size = os.path.getsize(server.files["towns.mbtiles"])
    for cut in range(CHUNK // 2, size, size // (9 if LONG else 3)):
        server.cut = cut
        told = app.ask(BOX, (0, 8))
        if not told.startswith("fetched"):
            assert told in ("cutOff", "network") and not app.region.exists()
        server.cut = None
        shorter += app.fetch() < all_bytes
        assert same(app.region, tmp_path / "whole.mbtiles") and set(app.left()) - {"part.mbtiles.previous"} == {"part.mbtiles", "part.update-state.json"}
        shutil.rmtree(app.folder)
        app.folder.mkdir()
    assert shorter > 0


def test_a_kill_amid_a_download_leaves_nothing_and_the_next_run_goes_on(app, server):
    running = subprocess.Popen(app.command(BOX, (0, 8)), stdout=subprocess.DEVNULL)
    killed, seen = [], len(server.asked)

    def kill():
        # Not before a chunk is kept.
        if len([name for name in os.listdir(app.folder / "part.mbtiles.update")]) == 0:
            server.midway = kill
            return
        killed.append(os.kill(running.pid, signal.SIGKILL))

    server.midway = kill
    running.wait()
    assert killed and len(server.asked) > seen and not app.region.exists()
    kept = [name for name in os.listdir(app.folder / "part.mbtiles.update") if len(name) == 32]
    assert kept
    server.midway = None
    rest = app.fetch()
    shutil.rmtree(app.folder)
    app.folder.mkdir()
    assert app.fetch() >= rest + len(kept) * 4096


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_kill_at_a_change_of_names_leaves_no_region_or_a_whole_one(app, tmp_path):
    trace = tmp_path / "trace"
    calls = "rename,link,linkat,unlink,unlinkat,rmdir,mkdir"
    app.fetch(BOX, (0, 6))
    zooms = (0, 6)
    ran = clients.run("strace", "-f", "-y", "-qq", "-o", trace, "-e", f"trace={calls}", *app.command(BOX, zooms))
    assert ran.stdout.startswith("fetched"), ran.stdout + ran.stderr
    counts, found = collections.Counter(), []
    for line in trace.read_text().splitlines():
        thread, _, call = line.partition(" ")
        name = call.strip().partition("(")[0]
        counts[thread, name] += 1
        if str(app.folder) in call and name in calls.split(","):
            found.append((name, counts[thread, name]))
    wanted = regions.rows(app.region)
    some = list(dict.fromkeys(found))
    # The beginning, the exchange of files, and the end.
    some = some if LONG else [some[0], *[call for call in some if call[0].startswith(("link", "rename"))], some[-1]]
    states = collections.Counter()
    for index, (name, number) in enumerate(some):
        for isThere in (False, True) if LONG else (index % 2 == 1,):
            shutil.rmtree(app.folder)
            app.folder.mkdir()
            if isThere:
                app.fetch((10, 45, 12, 46), zooms)
                other = regions.rows(app.region)
            inject = f"inject={name}:signal=KILL:when={number}"
            ran = clients.run("strace", "-f", "-qq", "-o", "/dev/null", "-e", inject, *app.command(BOX, zooms))
            states["killed"] += not ran.stdout.startswith("fetched")
            if app.region.exists():
                now = regions.rows(app.region)
                assert now == wanted or (isThere and now == other), (name, number)
                states["new" if now == wanted else "old"] += 1
            else:
                assert not isThere
                states["none"] += 1
            app.fetch(BOX, zooms)
            assert regions.rows(app.region) == wanted and not os.path.exists(f"{app.region}.update"), (name, number)
    assert states["killed"] > len(some) / 2 and states["none"] and states["old"] and states["new"], states


def test_a_changed_byte_in_any_chunk_that_is_read_is_refused(app, server, tmp_path):
    app.fetch(region=tmp_path / "whole.mbtiles")
    size, refused = os.path.getsize(server.files["towns.mbtiles"]), 0
    server.flips = ".mbtiles"
    for place in range(40, size, CHUNK if LONG else 3 * CHUNK):
        server.flip = place
        told = app.ask(BOX, (0, 8))
        if told.startswith("fetched"):
            os.remove(app.region)
            continue
        assert told == "wrongBytes" and not app.region.exists()
        refused += 1
    assert refused > 2
    server.flip = None
    # The chunks that were right are used.
    app.fetch()
    assert same(app.region, tmp_path / "whole.mbtiles")


def test_an_archive_that_changes_amid_a_run_is_refused_by_its_chunks_and_the_next_run_takes_the_new_one(app, server, generations, tmp_path):
    old, new = generations.sites[0], generations.sites[1]
    # As of a server without second names, where a file is replaced under its name.
    for site in (old, new):
        shutil.copytree(site, tmp_path / site.name)
        listed = json.loads((site / "towns.updates.json").read_text())
        inner = json.loads(listed["list"])
        inner["archive"].pop("download", None)
        (tmp_path / site.name / "towns.updates.json").write_text(json.dumps({"list": json.dumps(inner), "signatures": []}))
    app.key = "-"
    server.show(tmp_path / old.name)
    server.midway = lambda: server.show(tmp_path / new.name)
    assert app.refusal() == "wrongBytes"
    app.fetch()
    # Lists that nobody signed have another state, and the region no other one.
    server.show(new)
    app.key = generations.key
    app.fetch(region=tmp_path / "whole.mbtiles")
    assert same(app.region, tmp_path / "whole.mbtiles")


def test_a_server_without_ranges_is_refused_with_the_reason(app, server):
    server.has_ranges = False
    assert app.refusal((4, 45, 5, 46), (7, 8)) == "network" and "range" in app.errors, app.errors


def test_four_generations_are_followed_by_their_deltas(app, server, generations, tmp_path):
    app.fetch()
    if regions.fixture():
        regions.by_swift(tmp_path / "swift.mbtiles", generations.sites[0], BOX, (0, 8))
    # The second generation is missed.
    for generation in (1, 3):
        site = generations.sites[generation]
        server.show(site)
        server.asked.clear()
        assert app.update() == "updated" and any(name.endswith(".delta") for name in server.asked)
        assert app.update() == "nothing new"
        fresh = tmp_path / f"fresh-{generation}.mbtiles"
        app.fetch(region=fresh)
        assert same(app.region, fresh, isNumbered=False)
        quadrille(app.folder, "verify", "part.mbtiles")
        if regions.fixture():
            assert regions.by_swift(tmp_path / "swift.mbtiles", site) == "updated"
            assert same(app.region, tmp_path / "swift.mbtiles", isNumbered=False)
    assert app.left() == ["part.mbtiles", "part.mbtiles.previous", "part.update-state.json"]


@pytest.mark.parametrize("status", [404, 503])
def test_without_its_delta_a_region_is_cut_anew(app, server, generations, tmp_path, status):
    app.fetch()
    server.show(generations.sites[1])
    server.gone = {name: status for name in server.files if name.endswith(".delta")}
    assert app.update() == "updated"
    app.fetch(region=tmp_path / "fresh.mbtiles")
    assert same(app.region, tmp_path / "fresh.mbtiles")


def test_what_cannot_be_cut_is_refused_by_its_kind(app, server, generations, tmp_path, reader):
    assert app.refusal(BOX, (10, 12)) == "notAnArchive"
    assert app.refusal((-60, -50, -50, -40), (5, 8)) == "notAnArchive"
    assert app.refusal((-180, -80, 180, 80), (0, 22)) == "tooLarge"
    assert app.refusal((3, 47, 7, 44), (0, 8)) == "tooLarge"
    # Another archive than a region is not brought up to date as one.
    shutil.copyfile(generations.sites[0] / "towns.mbtiles", app.region)
    assert app.ask((), ()) == "notAnArchive"
    os.remove(app.region)
    assert app.ask((), ()) == "missing"
    listed = json.loads((generations.sites[0] / "towns.updates.json").read_text())
    inner = json.loads(listed["list"])
    chunks = inner["archive"]["chunks"]
    app.key = "-"
    wrong = [{"bytes": chunks["bytes"]}, {**chunks, "bytes": 100_000}, {**chunks, "hashes": chunks["hashes"][4:]}, {**chunks, "hashes": "?"}, 7, None]
    for one in wrong:
        archive = {**inner["archive"], "chunks": one}
        (tmp_path / "wrong.json").write_text(json.dumps({"list": json.dumps({**inner, "archive": archive}), "signatures": []}))
        server.files["towns.updates.json"] = str(tmp_path / "wrong.json")
        assert app.refusal() == "badList", one


def test_archives_with_utfgrid_have_no_regions(tmp_path, reader):
    if not os.path.exists(cases.PROGRAM):
        pytest.skip("no quadrille: make test-readers")
    regions.build(tmp_path, 0, "auto", "utfgrid")
    server = Server(tmp_path / "site")
    try:
        told = clients.run(*reader, "region", tmp_path / "part.mbtiles", server.list, "-", *BOX, 0, 8)
        assert told.stdout.strip() == "notAnArchive" and "UTFGrid" in told.stderr
    finally:
        server.close()


def test_a_region_is_an_archive_that_sqlite_finds_right(app):
    app.fetch()
    database = sqlite3.connect(app.region)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    told = dict(database.execute("SELECT name, value FROM metadata"))
    database.close()
    origin = json.loads(told["quadrille:extract"])
    assert origin["box"] == list(BOX) and (origin["minzoom"], origin["maxzoom"], origin["name"]) == (0, 8, "towns")


LAID = """
import { open, readFile } from 'node:fs/promises';
import { updated } from '%(javascript)s/layered.js';
import { Archive, fromNode } from '%(javascript)s/quadrille.js';
const archive = await Archive.open(await fromNode(await open('%(path)s')));
const { list } = JSON.parse(await readFile('%(list)s', 'utf8'));
await updated(archive, JSON.parse(list), () => { throw new Error('a file is fetched'); }).catch(({ kind, message }) => console.log(kind, message));
process.exit();
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no node: make deps-readers")
def test_javascript_says_that_it_brings_no_region_up_to_date(app, generations):
    app.fetch((4, 45, 5, 46), (5, 6))
    javascript = os.path.join(clients.CLIENTS, "javascript")
    for generation in (0, 1):
        code = LAID % {"javascript": javascript, "path": app.region, "list": generations.sites[generation] / "towns.updates.json"}
        told = clients.run("node", "--input-type=module", "-e", code)
        assert told.stdout.startswith("wrongBase") and "region" in told.stdout, told.stdout + told.stderr
