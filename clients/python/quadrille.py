"""Reads archives and series of Quadrille as docs/archive.md, taps.md and series.md describe them, by Python's standard library."""

import contextlib
import hashlib
import json
import math
import os
import re
import sqlite3
import urllib.request

from boxes import Box, tiles
from taps import Block, QuadrilleError, checked, grid_key, inflate, page


def opened(path, mode):
    """A connection to a file, under SQLite's locks: an update may change it in place."""
    return sqlite3.connect(f"file:{urllib.request.pathname2url(os.path.abspath(path))}?mode={mode}", uri=True, isolation_level=None)


class Archive:
    @checked
    def __init__(self, path, database=None):
        if not os.path.exists(path):
            raise QuadrilleError("missing", path)
        self.path = path
        if database is None and os.path.exists(f"{path}-journal"):
            # A killed update has left it: only a connection that may write restores the file by it.
            with contextlib.suppress(sqlite3.Error), contextlib.closing(opened(path, "rw")) as writer:
                writer.execute("PRAGMA schema_version").fetchone()
        self.database = database or opened(path, "ro")
        tables = {name for (name,) in self.rows("SELECT name FROM sqlite_master")}
        if not {"metadata", "tiles"} <= tables:
            raise QuadrilleError("notAnArchive", path)
        self.metadata = dict(self.rows("SELECT name, value FROM metadata"))
        self.minzoom, self.maxzoom = int(self.metadata["minzoom"]), int(self.metadata["maxzoom"])
        self.density = int(self.metadata.get("scale", 1))
        self.taps = "compact" if "taps" in tables else "utfgrid" if "grids" in tables else None
        self.blocks, self.pages, self.version = {}, {}, None

    @contextlib.contextmanager
    def reading(self):
        """One state of the archive for several queries, whatever an update does meanwhile."""
        self.rows("BEGIN")
        try:
            # The first query begins to hold the state.
            self.rows("PRAGMA schema_version")
            version = self.row("PRAGMA data_version")
            if version != self.version:
                self.blocks, self.pages, self.version = {}, {}, version
            yield
        finally:
            self.rows("COMMIT")

    def rows(self, sql, *values):
        return list(self.each(sql, *values))

    def each(self, sql, *values):
        try:
            yield from self.database.execute(sql, values)
        except sqlite3.DatabaseError as error:
            kind = "notAnArchive" if "not a database" in str(error) else "disk" if "locked" in str(error) else "damaged"
            raise QuadrilleError(kind, f"{self.path}: {error}") from error

    def row(self, sql, *values):
        return next(iter(self.rows(sql, *values)), (None,))[0]

    def at(self, density):
        """The archive of a density if it lies beside this one, else this one."""
        path = f"{os.path.splitext(self.path)[0]}@{density}x.mbtiles"
        return Archive(path) if density > self.density == 1 and os.path.exists(path) else self

    @checked
    def tile(self, z, x, y):
        """(stored z, x, y), (left, top, side) of the part to draw in shares of that tile, its bytes; None for nothing."""
        if not (z >= self.minzoom and 0 <= x < 1 << z and 0 <= y < 1 << z):
            return None
        up = max(z - self.maxzoom, 0)
        (z, x, y), side, part = (z - up, x >> up, y >> up), 2.0**-up, (x & (1 << up) - 1, y & (1 << up) - 1)
        sql = "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
        data = self.row(sql, z, x, (1 << z) - 1 - y)
        return data and ((z, x, y), (part[0] * side, part[1] * side, side), data)

    def legend(self):
        """The legend beside the archive, and its image; None without one."""
        base = os.path.splitext(self.path)[0] + ".legend"
        if not os.path.exists(base + ".json"):
            return None
        with open(base + ".json", encoding="utf-8") as text, open(base + ".png", "rb") as image:
            return json.load(text), image.read()

    @checked
    def tap(self, lng, lat, zoom):
        """The entry of what is shown at a place; its `id` is the key."""
        with self.reading():
            return self.answer(lng, lat, zoom)

    def answer(self, lng, lat, zoom):
        z = min(math.floor(zoom), self.maxzoom)
        if z < self.minzoom or abs(lat) >= 90:
            return None
        x, y = tiles(lng, lat, z)
        column, row = math.floor(x), math.floor(y)
        if not (self.taps and 0 <= column < 1 << z and 0 <= row < 1 << z):
            return None
        tms = (1 << z) - 1 - row
        if self.taps == "utfgrid":
            data = self.row("SELECT grid FROM grids WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?", z, column, tms)
            key = data and grid_key(data, x - column, y - row)
            return self.found(key) if key else None
        block = self.block(z, column >> 3, tms >> 3)
        feature = block and block.feature((row & 7) * 8 + (column & 7), x - (column & ~7), y - (row & ~7))
        return None if feature is None else self.entry(feature)

    @checked
    def entries(self, box, zoom, limit=1000):
        """What a zoom shows in a box (west, south, east, north), the nearest to its middle first; west > east crosses the antimeridian."""
        return entries([self], box, min(math.floor(zoom), self.maxzoom), limit)

    def changes(self, from_zoom, to_zoom, box, limit=1000):
        """The entries to keep and to add when a map goes from one zoom to another, and those to remove."""
        return sets(self.entries(box, from_zoom, limit), self.entries(box, to_zoom, limit))

    def block(self, *place):
        if place not in self.blocks:
            sql = "SELECT block_data FROM taps WHERE zoom_level = ? AND block_column = ? AND block_row = ?"
            data = self.row(sql, *place)
            self.blocks[place] = data and Block(inflate(data))
        return self.blocks[place]

    def entry(self, feature):
        found = self.pieces(feature)
        return found and self.whole(found)

    def whole(self, entry):
        """The JSON of an entry, with the members of a cluster."""
        members = [self.pieces(member) for member in entry.members or []]
        if None in members:
            raise QuadrilleError("damaged", "a cluster has a member without an entry")
        return entry.json(members)

    def pieces(self, feature):
        first = self.row("SELECT max(first_feature) FROM tap_entries WHERE first_feature <= ?", feature)
        return None if first is None else self.page(first).get(feature)

    def page(self, first):
        if first not in self.pages:
            self.pages[first] = page(inflate(self.row("SELECT entry_data FROM tap_entries WHERE first_feature = ?", first)), first)
        return self.pages[first]

    @checked
    def search(self, key):
        """The entry of a key."""
        with self.reading():
            return self.found(key)

    def found(self, key):
        if self.taps == "utfgrid":
            text = self.row("SELECT key_json FROM keymap WHERE key_name = ?", key)
            return text and json.loads(text)
        name = key.encode()
        for (first,) in self.rows("SELECT first_feature FROM tap_entries") if self.taps else []:
            for entry in self.page(first).values():
                # Entries of the first format have the key among their fields.
                if entry.key == name or (not entry.key and name in entry.fields):
                    found = self.whole(entry)
                    if found["id"] == key:
                        return found
        return None

    @checked
    def verify(self):
        """The digest of the tiles, which has to be that of the metadata."""
        found = digest(self.each(TILES))
        if found != self.metadata.get("quadrille:digest"):
            raise QuadrilleError("damaged", f"{self.path}: its tiles are not those of its digest")
        return found


TILES = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"


def digest(tiles):
    """The digest of tiles, (zoom, column, row from the south, bytes)."""
    blocks = {}
    for z, x, row, data in tiles:
        y = (1 << z) - 1 - row
        blocks.setdefault((z, quadkey(x >> 6, y >> 6), x >> 6, y >> 6), []).append((quadkey(x, y), x, y, hashlib.sha256(data).digest()))
    root = hashlib.sha256()
    for (z, _, X, Y), tiles in sorted(blocks.items()):
        block = b"".join(b"%d/%d/%d\n" % (z, x, y) + tile for _, x, y, tile in sorted(tiles))
        root.update(b"%d/%d/%d\n" % (z, X, Y) + hashlib.sha256(block).digest())
    return root.hexdigest()


def taps_digest(database):
    """The digest of all that answers taps (docs/taps.md)."""
    found = hashlib.sha256()
    for keys, content, table in (("zoom_level, block_column, block_row", "block_data", "taps"), ("first_feature", "entry_data", "tap_entries")):
        for *place, data in database.execute(f"SELECT {keys}, {content} FROM main.{table} ORDER BY {keys}"):
            found.update(b"%s:%d:" % ("/".join(map(str, place)).encode(), len(data)) + data)
    return found.hexdigest()


def entries(archives, box, z, limit):
    """What archives of one map show in a box at a zoom that they have."""
    for archive in archives:
        if archive.taps != "compact":
            raise QuadrilleError("noPlaces", f"{archive.path} has no compact taps: build it with 'interactivity: {{format: compact}}'")
    archives = [archive for archive in archives if z >= archive.minzoom]
    if not archives or box[1] > box[3]:
        return []
    with contextlib.ExitStack() as stack:
        for archive in archives:
            stack.enter_context(archive.reading())
        return shown(archives, Box(*box, z), z, limit)


def shown(archives, box, z, limit):
    blocks, shown = [], []
    for column, row in box.blocks():
        for archive in archives:
            block = archive.block(z, column, ((1 << z) - 1 - (row << 3)) >> 3)
            blocks += [(column, row, block)] if block else []
    for feature, layer, (lng, lat) in box.found(blocks)[:limit]:
        entry = next(filter(None, (archive.entry(feature) for archive in archives)), None)
        if entry:
            count = entry["point_count"] if entry.get("cluster") is True else 1
            shown.append({"key": entry["id"], "lng": lng, "lat": lat, "count": count, "layer": layer, "fields": entry})
    return shown


def sets(before, after):
    """The entries of two zooms to keep, to add and to remove."""
    old, now = ({one["key"] for one in entries} for entries in (before, after))
    return {
        "keep": [one for one in after if one["key"] in old], "add": [one for one in after if one["key"] not in old],
        "remove": [one for one in before if one["key"] not in now],
    }  # fmt: skip


def cluster_view(entry):
    """(zoom, (west, south, east, north)) at which a cluster comes apart; None for anything else."""
    return (entry["expansion_zoom"], entry["bbox"]) if entry and entry.get("cluster") is True else None


class Series:
    """The frames of a manifest, `NAME.frames.json`."""

    @checked
    def __init__(self, path):
        if not os.path.exists(path):
            raise QuadrilleError("missing", path)
        with open(path, encoding="utf-8") as text:
            self.manifest = json.load(text)
        for file in [frame["file"] for frame in self.manifest["frames"]] + [self.manifest["latest"]]:
            if re.search(r"(?:^|/)\.{0,2}(?:/|\Z)|[\\\0-\x1f]|^[A-Za-z]:", file):
                raise QuadrilleError("damaged", f"{path} names the file '{file}'")
        self.folder, self.frames, self.loop = os.path.dirname(path), self.manifest["frames"], self.manifest["loop"]
        self.default = next(i for i, frame in enumerate(self.frames) if frame["time"] == self.manifest["default"])

    def open(self, index):
        return Archive(os.path.join(self.folder, self.frames[index]["file"]))

    def shown(self, elapsed):
        """The index of the frame that is shown so many milliseconds after the first one began."""
        total = sum(frame["duration"] for frame in self.frames)
        left = elapsed % total if self.loop else min(elapsed, total - 1)
        for index, frame in enumerate(self.frames):
            left -= frame["duration"]
            if left < 0:
                return index


def quadkey(x, y):
    return sum((x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1 for bit in range(22))
