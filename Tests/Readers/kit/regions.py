"""Archives that a program publishes for some generations, out of which regions are cut, and what is seen of these."""

import math
import os
import shutil
import sqlite3
import subprocess
import sys
import zlib

from kit import cases, clients

BOX = (3, 44, 7, 47)
PIPELINE = """version: 1
sources: {places: {type: csv, data: places.csv, x: lng, y: lat, id: id, cluster: true, clusterRadius: 30}}
layers:
- {id: dots, type: circle, source: places, paint: {circle-radius: 5, circle-color: "#d33"}}
tiles: {maxzoom: 9, interactivity: {format: %(taps)s, fields: [name]}}
output: {path: site/towns.mbtiles, layout: %(layout)s}
"""
PLACES = [(index % 50 * 0.4 - 3, index // 50 * 0.3 + 42) for index in range(1500)] + [(lng, lat) for lng in (-179.9, -178, 179, 179.95) for lat in (-17, 0, 9)]


def quadrille(folder, *words):
    told = subprocess.run([cases.PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def build(folder, generation, layout, taps="compact"):
    """Builds an archive, signed; some of the places have other names than in the generation before, and some are gone."""
    (folder / "site").mkdir(exist_ok=True)
    rows = ["id,lng,lat,name"]
    for index, (lng, lat) in enumerate(PLACES):
        if generation == 0 or index % 211 != 7 * generation:
            rows.append(f"{index},{lng},{lat},{f'New {generation}' if index % 97 == generation else 'Place'} {index}")
    (folder / "places.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "towns.yml").write_text(PIPELINE % {"layout": layout, "taps": taps}, encoding="utf-8")
    key = ["--sign", "city.key"] if (folder / "city.key").exists() else ["--delta"]
    quadrille(folder, "build", "-q", "towns.yml", *key)


class Generations:
    """The folders that a server had after each of four builds."""

    def __init__(self, folder, layout):
        self.key = quadrille(folder, "keys", "new", "city").split()
        self.key = next(word for word in self.key if len(word) == 44 and word.endswith("="))
        self.layout, self.sites = layout, []
        for generation in range(4):
            build(folder, generation, layout)
            self.sites.append(folder / f"site-{generation}")
            shutil.copytree(folder / "site", self.sites[-1])


def rows(path, isNumbered=True):
    """All that readers see of an archive: {table: rows}. Pages of entries count as inflated, since each zlib packs them in its own way."""
    database = sqlite3.connect(path)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: database.execute(f"SELECT {'rowid, ' if isNumbered else ''}* FROM {name} ORDER BY rowid").fetchall() for name in names}
    database.close()
    if "tap_entries" in found:
        found["tap_entries"] = [(*place, zlib.decompress(data)) for *place, data in found["tap_entries"]]
        found["metadata"] = [row for row in found["metadata"] if row[-2] not in ("quadrille:taps", "quadrille:seal")]
    return found if isNumbered else {name: sorted(rows) for name, rows in found.items()}


def tiles(path):
    """{(zoom, x, y): bytes}, y from the north."""
    database = sqlite3.connect(path)
    found = {(z, x, (1 << z) - 1 - row): data for z, x, row, data in database.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")}
    database.close()
    return found


def is_inside(tile, box):
    """Whether the square of 8 × 8 tiles that has a tile touches a box."""
    z, x, y = tile
    west, south, east, north = box

    def square(lng, lat):
        sine = math.sin(math.radians(min(max(lat, -85.0511), 85.0511)))
        share = (lng + 180) / 360, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
        return [min(int(one * 2**z), 2**z - 1) >> 3 for one in share]

    (left, top), (right, bottom) = square(west, north), square(east, south)
    is_in_columns = left <= x >> 3 <= right if west <= east else x >> 3 >= left or x >> 3 <= right
    return is_in_columns and top <= y >> 3 <= bottom


def fixture():
    """The program by which the Swift library cuts regions; None where the tests of the package were not built."""
    found = os.path.join(os.path.dirname(cases.PROGRAM), "update-fixture")
    found = os.environ.get("QUADRILLE_UPDATE_FIXTURE", found)
    return found if os.path.exists(found) else None


def by_swift(path, site, box=(), zooms=()):
    """Cuts or updates a region by the Swift library."""
    told = clients.run(fixture(), "region", path, site / "towns.updates.json", *box, *zooms)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout.strip()


sys.path.insert(0, os.path.join(clients.CLIENTS, "python"))
