"""Taps: what node-mbtiles, mb-util and every client of UTFGrid get from the archive."""

import json
import subprocess
import zlib

import numpy as np
import pytest

from kit import cases
from kit.archive import Archive
from test_files import program

# node-mbtiles: the grid, and what its keys stand for
GRID = "SELECT grid FROM grids WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
DATA = "SELECT key_name, key_json FROM grid_data WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
SIDE = 64


def has_grids(path):
    names = {row[0] for row in Archive(path).database.execute("SELECT name FROM sqlite_master")}
    return {"grids", "grid_data"} <= names


def index(character):
    """The place in `keys` that a character of a grid stands for, as the specification of UTFGrid has it."""
    code = ord(character)
    return code - 32 - (code >= 93) - (code >= 35)


@pytest.fixture(params=[case for case in cases.CASES if case.name != "rain"], ids=str)
def tapped(request):
    case = request.param
    if not has_grids(case.path):
        pytest.skip(f"{case} has no taps")
    return case


def test_grids_inflate_and_their_keys_resolve(tapped):
    archive = tapped.open()
    places = archive.database.execute("SELECT zoom_level, tile_column, tile_row FROM grids").fetchall()
    assert len(places) == len(set(places)) > 0
    for z, x, row in places[:: max(1, len(places) // 200)]:
        (stored,) = archive.database.execute(GRID, (z, x, row)).fetchone()
        assert stored[:2] == b"\x78\x9c"
        text = zlib.decompress(stored).decode("utf-8")
        assert len(text.encode("utf-8")) <= 65536
        grid = json.loads(text)
        assert len(grid["grid"]) == SIDE and all(len(line) == SIDE for line in grid["grid"])
        assert grid["keys"][0] == "" and len(set(grid["keys"])) == len(grid["keys"])
        used = {index(character) for line in grid["grid"] for character in line}
        assert used | {0} == set(range(len(grid["keys"])))
        told = {name: json.loads(text) for name, text in archive.database.execute(DATA, (z, x, row))}
        assert set(told) == set(grid["keys"]) - {""}
        assert all(isinstance(entry, dict) and entry for entry in told.values())


def test_what_is_drawn_is_tapped_and_nothing_else(tapped):
    """A cell has a key if its middle is opaque; if it has one, something is drawn on it or beside it."""
    archive = tapped.open()
    step = 4 * tapped.density
    for view in tapped.views():
        for x, y in view.tiles:
            pixels = archive.pixels(view.zoom, x, y)[..., 3]
            row = archive.database.execute(GRID, (view.zoom, x, (1 << view.zoom) - 1 - y)).fetchone()
            keyed = np.zeros((SIDE, SIDE), bool)
            if row:
                grid = json.loads(zlib.decompress(row[0]))
                keyed = np.array([[grid["keys"][index(c)] != "" for c in line] for line in grid["grid"]])
            cells = pixels.reshape(SIDE, step, SIDE, step)
            opaque = (cells == 255).all(axis=(1, 3))
            assert not (opaque & ~keyed).any(), f"{view.zoom}/{x}/{y}: drawn, not tapped"
            drawn = np.pad((cells > 0).any(axis=(1, 3)), 1)
            near = np.logical_or.reduce([drawn[i : i + SIDE, j : j + SIDE] for i in range(3) for j in range(3)])
            assert not (keyed & ~near).any(), f"{view.zoom}/{x}/{y}: tapped, not drawn"


def test_densities_have_the_same_grids(tapped):
    if tapped.density == 2:
        pytest.skip("compared by the other density")
    if tapped.name in cases.OTHERS:
        pytest.skip("baked in one density")
    sql = "SELECT zoom_level, tile_column, tile_row, grid FROM grids ORDER BY 1, 2, 3"
    one, two = (
        {row[:3]: json.loads(zlib.decompress(row[3])) for row in Archive(cases.path(tapped.name, density)).database.execute(sql)}
        for density in (1, 2)
    )
    # The last pixel of a circle, in which it fades, is half as wide in the other, so that it may show in a tile more.
    assert one.keys() <= two.keys() and len(two) - len(one) <= len(one) / 1000
    differing = 0
    for tile, grid in one.items():
        other = two[tile]
        for row, line in zip(grid["grid"], other["grid"]):
            differing += sum(grid["keys"][index(a)] != other["keys"][index(b)] for a, b in zip(row, line) if a != b or grid["keys"] != other["keys"])
    # Shapes are rounded to 1/256 px of their own density, so a border may fall to the other side of a cell's middle.
    # Of circles only the last pixel, which a tile may show at one density alone.
    assert differing <= len(one) * (1 if tapped.name == "hotels" else SIDE * SIDE) // 1000


def test_the_program_answers_a_tap_as_the_grid_does(tapped):
    archive = tapped.open()
    for view in tapped.views()[:2]:
        x, y = view.tiles[0]
        row = archive.database.execute(GRID, (view.zoom, x, (1 << view.zoom) - 1 - y)).fetchone()
        if not row:
            continue
        grid = json.loads(zlib.decompress(row[0]))
        cells = [(i, j) for j in range(SIDE) for i in range(SIDE) if grid["keys"][index(grid["grid"][j][i])] != ""]
        i, j = cells[len(cells) // 2]
        key = grid["keys"][index(grid["grid"][j][i])]
        from kit.archive import place

        longitude, latitude = place(view.zoom, x + (i + 0.5) / SIDE, y + (j + 0.5) / SIDE)
        command = [cases.PROGRAM, "query", tapped.path, f"--tap={longitude!r},{latitude!r}", "--zoom", str(view.zoom)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        (wanted,) = archive.database.execute("SELECT key_json FROM keymap WHERE key_name = ?", (key,)).fetchone()
        wanted = json.loads(wanted)
        (feature,) = json.loads(run.stdout)["features"]
        assert wanted.items() <= {**feature["properties"], **{k: v for k, v in feature.items() if k in ("id", "bbox")}}.items()


def test_mbutil_writes_grids_with_their_data(tapped, tmp_path):
    mbutil = program("mb-util")
    if not mbutil:
        pytest.skip("no mbutil: make deps-readers")
    folder = tmp_path / "tiles"
    command = [mbutil, "--scheme=xyz", "--grid_callback=", tapped.path, str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    archive = tapped.open()
    count = archive.database.execute("SELECT count(*) FROM grids").fetchone()[0]
    files = list(folder.rglob("*.grid.json"))
    assert len(files) == count
    view = tapped.views()[0]
    written = json.loads((folder / f"{view.zoom}/{view.x}/{view.y}.grid.json").read_text())
    assert set(written["data"]) == set(written["keys"]) - {""}
