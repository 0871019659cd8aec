"""Reads archives and series of Quadrille as docs/archive.md, taps.md and series.md describe them, by Python's standard library."""

import hashlib
import json
import math
import os
import re
import sqlite3
import urllib.request

from taps import Block, QuadrilleError, checked, grid_key, inflate, page


class Archive:
    @checked
    def __init__(self, path):
        if not os.path.exists(path):
            raise QuadrilleError("missing", path)
        self.path = path
        self.database = sqlite3.connect(f"file:{urllib.request.pathname2url(os.path.abspath(path))}?mode=ro&immutable=1", uri=True)
        tables = {name for (name,) in self.rows("SELECT name FROM sqlite_master")}
        if not {"metadata", "tiles"} <= tables:
            raise QuadrilleError("notAnArchive", path)
        self.metadata = dict(self.rows("SELECT name, value FROM metadata"))
        self.minzoom, self.maxzoom = int(self.metadata["minzoom"]), int(self.metadata["maxzoom"])
        self.density = int(self.metadata.get("scale", 1))
        self.taps = "compact" if "taps" in tables else "utfgrid" if "grids" in tables else None
        self.blocks, self.pages = {}, {}

    def rows(self, sql, *values):
        return list(self.each(sql, *values))

    def each(self, sql, *values):
        try:
            yield from self.database.execute(sql, values)
        except sqlite3.DatabaseError as error:
            raise QuadrilleError("notAnArchive" if "not a database" in str(error) else "damaged", f"{self.path}: {error}") from error

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
        z = min(math.floor(zoom), self.maxzoom)
        if z < self.minzoom or abs(lat) >= 90:
            return None
        sine = math.sin(math.radians(lat))
        x, y = (lng + 180) / 360 * 2**z, (0.5 - math.log((1 + sine) / (1 - sine)) / 4 / math.pi) * 2**z
        column, row = math.floor(x), math.floor(y)
        if not (self.taps and 0 <= column < 1 << z and 0 <= row < 1 << z):
            return None
        tms = (1 << z) - 1 - row
        if self.taps == "utfgrid":
            data = self.row("SELECT grid FROM grids WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?", z, column, tms)
            key = data and grid_key(data, x - column, y - row)
            return self.search(key) if key else None
        place = (z, column >> 3, tms >> 3)
        if place not in self.blocks:
            sql = "SELECT block_data FROM taps WHERE zoom_level = ? AND block_column = ? AND block_row = ?"
            data = self.row(sql, *place)
            self.blocks[place] = data and Block(inflate(data))
        block = self.blocks[place]
        feature = block and block.feature((row & 7) * 8 + (column & 7), x - (column & ~7), y - (row & ~7))
        return None if feature is None else self.entry(feature)

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
        blocks = {}
        for z, x, row, data in self.each("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
            y = (1 << z) - 1 - row
            blocks.setdefault((z, quadkey(x >> 6, y >> 6), x >> 6, y >> 6), []).append((quadkey(x, y), x, y, hashlib.sha256(data).digest()))
        root = hashlib.sha256()
        for (z, _, X, Y), tiles in sorted(blocks.items()):
            block = b"".join(b"%d/%d/%d\n" % (z, x, y) + tile for _, x, y, tile in sorted(tiles))
            root.update(b"%d/%d/%d\n" % (z, X, Y) + hashlib.sha256(block).digest())
        if root.hexdigest() != self.metadata.get("quadrille:digest"):
            raise QuadrilleError("damaged", f"{self.path}: its tiles are not those of its digest")
        return root.hexdigest()


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
