"""Favourites that an app keeps by key, over twenty generations of an archive."""

import json
import math
import os
import sqlite3
import subprocess
import sys

import pytest

from kit import cases, clients

sys.path.insert(0, os.path.join(clients.CLIENTS, "python"))

from packs import PackSet  # noqa: E402
from quadrille import Archive  # noqa: E402

GENERATIONS, FAVOURITES = 20, range(10)

# Rows with an id, rows without one, and vector tiles: the same towns, each under a name of its own.
PIPELINE = """version: 1
sources:
  known: {{type: csv, data: known.csv, x: lng, y: lat, id: id}}
  plain: {{type: csv, data: plain.csv, x: lng, y: lat}}
  tiled: {{type: vector, data: tiled.mbtiles}}
layers:
- {{id: known, type: circle, source: known, paint: {{circle-radius: 3}}}}
- {{id: plain, type: circle, source: plain, paint: {{circle-radius: 3}}}}
- {{id: tiled, type: circle, source: tiled, source-layer: towns, paint: {{circle-radius: 3}}}}
tiles: {{maxzoom: {maxzoom}, interactivity: {{format: {format}, fields: [name]}}}}
output: {{path: out.mbtiles{packs}}}
"""
REGIONS = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Polygon", "coordinates": [[[west, -60], [east, -60], [east, 60], [west, 60], [west, -60]]]}}
        for name, west, east in (("West", -170, 0), ("East", 0, 170))
    ],
}


def towns(generation, source):
    """{number: (lng, lat)}: in each generation a town comes, one goes, and some move; favourites move where their key comes from an id."""
    is_moving, aside = source != "plain", 1.5 * ["known", "plain", "tiled"].index(source)
    numbers = [number for number in range(40 + generation) if number in FAVOURITES or number >= 10 + generation]

    def place(number):
        steps = sum(1 for g in range(1, generation + 1) if g % 10 == number % 10) if is_moving or number not in FAVOURITES else 0
        return round(-150 + 300 * (number * 0.618 % 1) + 0.7 * steps + aside, 4), round(-50 + 100 * (number * 0.414 % 1) - 0.4 * steps, 4)

    return {number: place(number) for number in numbers}


def varint(value):
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])


def run(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def vector_tile(points):
    """A tile with a layer of points, {number: (x, y)} in 4,096 steps; the id of a feature is its number."""
    layer = varint(15 << 3) + varint(2) + run(1, b"towns") + run(3, b"name")
    for index, (number, (x, y)) in enumerate(points.items()):
        commands = varint(9) + varint(x << 1) + varint(y << 1)
        feature = varint(1 << 3) + varint(number) + run(2, varint(0) + varint(index)) + varint(3 << 3) + varint(1) + run(4, commands)
        layer += run(2, feature) + run(4, run(1, f"tiled {number}".encode()))
    return run(3, layer)


def write_tiles(path, places):
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE metadata (name TEXT, value TEXT); CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    described = json.dumps({"vector_layers": [{"id": "towns", "fields": {"name": "String"}}]})
    told = {"name": "towns", "format": "pbf", "minzoom": "0", "maxzoom": "2", "bounds": "-180,-85,180,85", "json": described}
    database.executemany("INSERT INTO metadata VALUES (?, ?)", told.items())
    for z in range(3):
        tiles = {}
        for number, (lng, lat) in places.items():
            x = (lng + 180) / 360 * 2**z
            y = (0.5 - math.asinh(math.tan(math.radians(lat))) / math.pi / 2) * 2**z
            tiles.setdefault((int(x), int(y)), {})[number] = int(x % 1 * 4096), int(y % 1 * 4096)
        for (x, y), points in tiles.items():
            database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (z, x, 2**z - 1 - y, vector_tile(points)))
    database.commit()
    database.close()


def write(folder, generation):
    for name in ("known", "plain"):
        places = towns(generation, name)
        lines = [f"{number},{name} {number},{lng},{lat}" for number, (lng, lat) in places.items()]
        head = "id,name,lng,lat"
        if name == "plain":
            lines, head = [line.split(",", 1)[1] for line in lines], "name,lng,lat"
        (folder / f"{name}.csv").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    write_tiles(folder / "tiled.mbtiles", towns(generation, "tiled"))


def build(folder, generation):
    """Every form of taps, three depths, and packs every third time."""
    packs = ", packs: {by: regions.geojson, shared: {maxzoom: 2}}" if generation % 3 == 0 else ""
    text = PIPELINE.format(maxzoom=3 + generation % 3, format=["compact", "utfgrid"][generation % 2], packs=packs)
    (folder / "map.yml").write_text(text, encoding="utf-8")
    told = subprocess.run([cases.PROGRAM, "build", "-q", "map.yml"], cwd=folder, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def named(entries):
    """{name: keys} of entries."""
    found = {}
    for entry in entries:
        found.setdefault(entry["fields"]["name"], set()).add(entry["key"])
    return found


def test_favourites_survive_twenty_generations(tmp_path):
    if not os.path.exists(cases.PROGRAM):
        pytest.skip("no quadrille: make test-readers")
    (tmp_path / "regions.geojson").write_text(json.dumps(REGIONS), encoding="utf-8")
    world, kept, first = (-180, -85, 180, 85), {}, {}
    for generation in range(GENERATIONS + 1):
        write(tmp_path, generation)
        build(tmp_path, generation)
        archive = Archive(str(tmp_path / "out.mbtiles"))
        maps = [archive] + ([PackSet(str(tmp_path / "out.packs.json"))] if generation % 3 == 0 else [])
        for shown in maps if archive.taps == "compact" else []:
            for zoom in range(archive.maxzoom + 1):
                keys = named(shown.entries(world, zoom, 10_000))
                # A feature has one key on all zooms and tiles, in packs and in the whole.
                assert all(len(one) == 1 for one in keys.values()), (generation, zoom)
                for source in ("known", "plain", "tiled"):
                    for number in FAVOURITES:
                        (key,) = keys[f"{source} {number}"]
                        assert kept.setdefault(f"{source} {number}", key) == key, (generation, zoom, source, number)
        for shown in maps:
            for name, key in kept.items():
                assert shown.search(key)["name"] == name, (generation, name)
        first = first or {name: key for name, (key,) in named(archive.entries(world, 3, 10_000)).items()}
        archive.database.close()
    assert len(kept) == 30 and len(set(kept.values())) == 30
    # What went is gone, and nothing that came has its key.
    archive = Archive(str(tmp_path / "out.mbtiles"))
    gone = [key for name, key in first.items() if int(name.split()[1]) in range(10, 30)]
    assert len(gone) == 60 and not any(map(archive.search, gone))
