"""How many requests the JavaScript reader makes of an archive on a server, and of how many bytes."""

import json
import shutil
import sqlite3
import subprocess

import pytest

from kit import cases, clients

SCRIPT = """
import { open } from "node:fs/promises";
import { Archive } from "%(javascript)s/quadrille.js";

const file = await open("%(archive)s");
const { size } = await file.stat();
let asked = [];
const fetcher = async (url, { headers }) => {
  const [first, last] = /^bytes=(\\d+)-(\\d+)$/.exec(headers.Range).slice(1).map(Number);
  const length = Math.min(last + 1, size) - first;
  const { buffer } = await file.read(new Uint8Array(length), 0, length, first);
  asked.push([first, length]);
  return new Response(buffer, { status: 206, headers: { "Content-Range": `bytes ${first}-${first + length - 1}/${size}` } });
};
const told = {};
const measure = (name) => {
  told[name] = { requests: asked.length, bytes: asked.reduce((sum, [, length]) => sum + length, 0), twice: asked.length - new Set(asked.map(String)).size };
  asked = [];
};
const [lng, lat] = [-73.985, 40.755];
const archive = await Archive.open("x", { fetcher });
const [x, y] = Archive.place(lng, lat, 12).map(Math.floor);
const first = await archive.tile(12, x, y);
measure("first");
for (let i = 0; i < 9; i++) await archive.tile(12, x - 1 + (i %% 3), y - 1 + Math.floor(i / 3));
measure("around");
const empty = await archive.tap(lng, lat, 16);
measure("empty");
// A cluster, by an archive that has shown its tile.
const [place, zoom] = [[-74, 40.7], 12];
const other = await Archive.open("x", { fetcher });
await other.tile(zoom, ...Archive.place(...place, zoom).map(Math.floor));
asked = [];
const tap = await other.tap(...place, zoom);
measure("tap");
await other.tap(place[0], place[1] + 0.001, zoom);
measure("near");
await file.close();
console.log(JSON.stringify({ ...told, length: first.data.length, empty_tap: empty, tap_entry: tap }));
"""


def measured(archive, folder):
    if not shutil.which("node"):
        pytest.skip("no node: make deps-readers")
    script = folder / "measure.mjs"
    script.write_text(SCRIPT % {"javascript": f"{clients.CLIENTS}/javascript", "archive": archive}, encoding="utf-8")
    found = clients.run("node", script)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["length"] > 100 and told["empty_tap"] is None and told["tap_entry"]["point_count"] == 17
    assert all(told[name]["twice"] == 0 for name in ("first", "around", "empty", "tap", "near")), told
    return told


@pytest.fixture(scope="module")
def compact(tmp_path_factory):
    """The hotels with compact taps."""
    folder = tmp_path_factory.mktemp("compact")
    with open(f"{cases.HERE}/pipelines/hotels.yml", encoding="utf-8") as file:
        text = file.read().replace("../../../pipelines/", f"{cases.ROOT}/pipelines/").replace("scale: [1, 2]", "scale: 1")
    text = text.replace("interactivity: {", "interactivity: {format: compact, ").replace("../../../.build-readers/archives", str(folder))
    (folder / "hotels.yml").write_text(text, encoding="utf-8")
    subprocess.run([cases.PROGRAM, "build", "-q", "--no-cache", folder / "hotels.yml"], check=True)
    return folder / "hotels.mbtiles"


def within(told, limits):
    """Whether no part takes more requests or bytes than its limits."""
    return all(told[name]["requests"] <= requests and told[name]["bytes"] <= limit for name, (requests, limit) in limits.items())


def test_the_first_tile_takes_few_requests(tmp_path):
    told = measured(cases.path("hotels", 1), tmp_path)
    # The head, a page above the leaves of images, which are more than a root leads to, and a leaf of tiles and of images.
    limits = {"first": (4, 115_000), "around": (5, 115_000)}
    # The rows of a tile and of the last one, which shows that the numbers are those of tiles; the index of keys and what it leads to.
    assert within(told, limits | {"empty": (3, 82_000), "tap": (3, 82_000), "near": (0, 0)}), told


def test_the_first_tap_takes_few_requests(compact, tmp_path):
    told = measured(compact, tmp_path)
    # A block, and the page of entries that it leads to.
    assert within(told, {"first": (4, 115_000), "around": (4, 99_000), "empty": (1, 33_000), "tap": (2, 66_000), "near": (0, 0)}), told


def test_rows_with_other_numbers_are_found_by_the_index(compact, tmp_path):
    """As after a program that leaves the numbers to SQLite."""
    told = measured(compact, tmp_path)
    other = tmp_path / "other.mbtiles"
    shutil.copy(compact, other)
    with sqlite3.connect(other) as archive:
        for table in ("map", "taps", "tap_entries"):
            rows = [row for (row,) in archive.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
            archive.executemany(f"UPDATE {table} SET rowid = ? WHERE rowid = ?", [(rows[-1] + i, row) for i, row in enumerate(rows, 1) if i % 3])
    archive.close()
    again = measured(other, tmp_path)
    assert again["tap_entry"] == told["tap_entry"] and again["length"] == told["length"]
