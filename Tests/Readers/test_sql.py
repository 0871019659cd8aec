"""The statements of mobile readers, with the types of arguments that they bind."""

import sqlite3

import pytest

from kit import cases

# (reader, statements; the answer of one goes into the next, where it says {id})
READERS = {
    # iOS, MBTilesSource of mapbox-ios-sdk: numbers
    "mapbox-ios-sdk": (
        "select tile_data from tiles where zoom_level = ? and tile_column = ? and tile_row = ?",
        lambda z, x, row: (z, x, row),
    ),
    # node-mbtiles and all servers upon it: numbers
    "node-mbtiles": (
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
        lambda z, x, row: (z, x, row),
    ),
    # Android, MBTilesFileArchive of osmdroid: texts, the row as text of a double
    "osmdroid": (
        "SELECT tile_data FROM tiles WHERE tile_column=? and tile_row=? and zoom_level=?",
        lambda z, x, row: (str(x), f"{float(row)}", str(z)),
    ),
    # Android, MBTiles of WhirlyGlobe: texts
    "whirlyglobe-android": (
        "SELECT tile_data from tiles where zoom_level = ? AND tile_column = ? AND tile_row= ?;",
        lambda z, x, row: (str(z), str(x), str(row)),
    ),
}


def whirlyglobe_ios(database, z, x, row):
    """iOS, MaplyMBTileSource: values as texts within the statement; looks for a table `tiles`, not for a view."""
    tables = "SELECT name FROM sqlite_master WHERE type='table' AND name='tiles';"
    place = f"zoom_level='{z}' AND tile_column='{x}' AND tile_row='{row}';"
    if database.execute(tables).fetchone():
        return database.execute(f"SELECT tile_data from tiles where {place}").fetchone()
    found = database.execute(f"SELECT tile_id from map where {place}").fetchone()
    return found and database.execute(f"SELECT tile_data from images where tile_id='{found[0]}';").fetchone()


def answers(database, z, x, row):
    """What each reader gets for a tile, by the reader's name."""
    found = {name: database.execute(sql, bind(z, x, row)).fetchone() for name, (sql, bind) in READERS.items()}
    found["whirlyglobe-ios"] = whirlyglobe_ios(database, z, x, row)
    return {name: data and data[0] for name, data in found.items()}


def test_every_reader_finds_each_tile_and_nothing_elsewhere(case):
    archive = case.open()
    database = sqlite3.connect(f"file:{case.path}?mode=ro", uri=True)
    for view in case.views():
        for x in range(view.x - 1, view.x + 3):
            for y in range(view.y - 1, view.y + 3):
                if not (0 <= x < 1 << view.zoom and 0 <= y < 1 << view.zoom):
                    continue
                wanted = archive.bytes(view.zoom, x, y)
                for name, data in answers(database, view.zoom, x, (1 << view.zoom) - 1 - y).items():
                    assert data == wanted, f"{name} at {view.zoom}/{x}/{y}"


def test_every_reader_finds_the_tiles_of_each_frame():
    for path in cases.frames(1) + cases.frames(2):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        z, x, row, wanted = database.execute("SELECT * FROM tiles ORDER BY length(tile_data) DESC LIMIT 1").fetchone()
        assert set(answers(database, z, x, row).values()) == {wanted}, path


def test_metadata_is_what_readers_parse(case):
    database = sqlite3.connect(f"file:{case.path}?mode=ro", uri=True)
    # whirlyglobe-android and node-mbtiles take all, whirlyglobe-ios asks for single ones
    metadata = dict(database.execute("SELECT name, value FROM metadata;"))
    bounds = database.execute("select value from metadata where name='bounds';").fetchone()[0]
    west, south, east, north = (float(part) for part in bounds.split(","))
    assert -180 <= west <= east <= 180 and -85.06 <= south <= north <= 85.06
    longitude, latitude, zoom = metadata["center"].split(",")
    low, high = database.execute("select min(zoom_level), max(zoom_level) from tiles").fetchone()
    assert (metadata["minzoom"], metadata["maxzoom"]) == (str(low), str(high))
    assert low <= int(zoom) <= high and west <= float(longitude) <= east and south <= float(latitude) <= north
    assert metadata["format"] == ("webp" if "webp" in case.name else "png") and metadata["type"] == "overlay" and metadata["name"]
    assert not [value for value in metadata.values() if "/work" in value or "/tmp" in value or "/home" in value]


def test_a_read_only_medium_can_open_it(case):
    with open(case.path, "rb") as file:
        header = file.read(100)
    assert header[:16] == b"SQLite format 3\0"
    assert header[18:20] == b"\x01\x01", "write-ahead log"
    assert header[68:72] == b"MPBX"
    immutable = sqlite3.connect(f"file:{case.path}?immutable=1", uri=True)
    assert immutable.execute("SELECT count(*) FROM tiles").fetchone()[0] > 0


@pytest.mark.parametrize("name", ["hotels", "parcels"])
def test_a_tile_is_found_by_an_index(name):
    database = sqlite3.connect(f"file:{cases.path(name, 1)}?mode=ro", uri=True)
    for sql, bind in READERS.values():
        plan = " ".join(row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {sql}", bind(14, 1, 1)))
        assert "SCAN" not in plan, f"{sql}: {plan}"
