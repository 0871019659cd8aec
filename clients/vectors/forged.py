"""Archives with compact taps that no program writes: one of version 1, and damaged ones of version 2 (docs/taps.md)."""

import os
import sqlite3
import zlib

from files import HERE

# In the tile 0/0/0, 256 px wide: everywhere the first feature of the list.
HEAD = bytes([2]) + bytes([1, 0, 0, 0, 0, 0, 0, 0]) + b"\x80\x02"
WHOLE = b"\0\0\1\0\0\0"


def n(value):
    """A number of seven bits per byte."""
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes(data + bytes([value]))


def block(*steps, count=None, place=b"\0"):
    """A block with a list of identifiers, of whose places one answers."""
    return HEAD + n(len(steps) if count is None else count) + b"".join(step if isinstance(step, bytes) else n(step) for step in steps) + WHOLE + place


def entry(step, key, fields='"n":1', members=b"\0"):
    return n(step) + b"".join(n(len(text)) + text.encode() for text in (key, fields, '"source":"s"')) + members


PAGE = b"\2" + entry(0, "a") + entry(2, "b") + entry(3, "c", '"cluster":true', b"\3\x09\4")
FORGED = {
    # Block, first identifier, page, key of the answer or None for damage.
    "version-1": (b"\1" + HEAD[1:] + WHOLE + b"\x12", 7, b"\0\x0e" + b'{"n":1,"id":7}' + b"\2\x10" + b'{"n":2,"id":"b"}', "b"),
    "first-of-the-list": (block(7, 2), 7, PAGE, "a"),
    "second-of-the-list": (block(7, 2, place=b"\2"), 7, PAGE, "b"),
    "a-cluster": (block(12), 7, PAGE, "c"),
    "an-identifier-of-eight-bytes": (block((1 << 53) - 1), (1 << 53) - 1, b"\2" + entry(0, "z"), "z"),
    "a-list-that-is-too-long": (block(7, count=99), 7, PAGE, None),
    "a-list-that-does-not-ascend": (block(7, 0), 7, PAGE, None),
    "an-identifier-of-nine-bytes": (block(b"\x87" + b"\x80" * 7 + b"\1"), 7, PAGE, None),
    "an-identifier-beyond-the-limit": (block(1 << 53), 7, PAGE, None),
    "a-place-beyond-the-list": (block(7, 2, place=b"\4"), 7, PAGE, None),
    "a-place-before-the-list": (block(7, 2, place=b"\1"), 7, PAGE, None),
    "version-3": (b"\3" + block(7)[1:], 7, PAGE, None),
    "a-page-of-version-3": (block(7), 7, b"\3" + PAGE[1:], None),
    "a-page-that-does-not-ascend": (block(7), 7, b"\2" + entry(0, "a") + entry(0, "b"), None),
    "a-page-that-ends-too-early": (block(7), 7, PAGE[:-1], None),
    "more-members-than-bytes": (block(7), 7, b"\2" + entry(0, "a", members=b"\x63"), None),
    "a-member-below-zero": (block(7), 7, b"\2" + entry(0, "a", members=b"\2\x11"), None),
    "a-member-that-is-not-there": (block(7), 7, b"\2" + entry(0, "a", members=b"\2\2"), None),
}


def forge():
    """Makes `forged`."""
    for name, (data, first, page, _) in FORGED.items():
        stored(name, 0, [(0, 0, 0, data)], [(first, page)])


def stored(name, maxzoom, blocks, pages):
    """Writes an archive of blocks, (zoom, column, row from the south, bytes), and pages, (first identifier, bytes)."""
    path = os.path.join(HERE, "forged", f"{name}.mbtiles")
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path)
    database.executescript(
        """PRAGMA page_size = 512;
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE TABLE taps (zoom_level INTEGER, block_column INTEGER, block_row INTEGER, block_data BLOB);
        CREATE TABLE tap_entries (first_feature INTEGER, entry_data BLOB);
        CREATE UNIQUE INDEX taps_index ON taps (zoom_level, block_column, block_row);
        CREATE UNIQUE INDEX tap_entries_index ON tap_entries (first_feature);"""
    )
    told = {"name": name, "format": "png", "minzoom": "0", "maxzoom": str(maxzoom), "bounds": "-180,-85,180,85", "center": "0,0,0"}
    database.executemany("INSERT INTO metadata VALUES (?, ?)", told.items())
    database.execute("INSERT INTO tiles VALUES (0, 0, 0, x'00')")
    database.executemany("INSERT INTO taps VALUES (?, ?, ?, ?)", [(*place, zlib.compress(data, 9)) for *place, data in blocks])
    database.executemany("INSERT INTO tap_entries VALUES (?, ?)", [(first, zlib.compress(page, 9)) for first, page in pages])
    database.commit()
    database.close()
    # SQLite's own version is no part of the vectors.
    with open(path, "r+b") as file:
        file.seek(92)
        file.write(bytes(8))


def forged_cases():
    """Taps in the middle of the tile."""
    entries = {
        "a": {"n": 1, "source": "s", "id": "a"}, "b": {"n": 1, "source": "s", "id": "b"}, "z": {"n": 1, "source": "s", "id": "z"},
        "c": {"cluster": True, "members": [{"n": 1, "id": "a"}, {"n": 1, "id": "b"}], "source": "s", "id": "c"},
    }  # fmt: skip
    for name, (_, _, _, key) in FORGED.items():
        case = {"name": f"forged: {name}", "do": "tap", "file": f"forged/{name}.mbtiles", "lng": 10, "lat": 10, "zoom": 0}
        expect = {"n": 2, "id": "b"} if name == "version-1" else entries.get(key)
        yield {**case, "expect": {"key": key, "entry": expect}} if key else {**case, "error": "damaged"}
