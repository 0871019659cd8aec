"""The documents in the fewest words: what archives answer, by docs/archive.md, docs/taps.md and the protocol of docs/updates.md.

The expected answers of the vectors come from here and from the rows that the archives were built from,
not from one of the clients: these have to agree with it.
"""

import hashlib
import itertools
import json
import math
import sqlite3
import zlib


def opened(path):
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def metadata(archive):
    return dict(archive.execute("SELECT name, value FROM metadata"))


def digest(archive):
    """The root of the hash tree over all tiles."""

    def quadkey(x, y):
        return sum((x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1 for bit in range(22))

    tiles = []
    for z, x, row, data in archive.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
        y = (1 << z) - 1 - row
        tiles.append((z, quadkey(x, y), x, y, hashlib.sha256(data).digest()))
    tiles.sort()
    root = hashlib.sha256()
    for (z, X, Y), block in itertools.groupby(tiles, lambda tile: (tile[0], tile[2] >> 6, tile[3] >> 6)):
        digest = hashlib.sha256()
        for _, _, x, y, tile in block:
            digest.update(b"%d/%d/%d\n" % (z, x, y) + tile)
        root.update(b"%d/%d/%d\n" % (z, X, Y) + digest.digest())
    return root.hexdigest()


def stored(archive, z, x, y):
    """The bytes of a tile; None if it is not stored."""
    place = (z, x, (1 << z) - 1 - y)
    found = archive.execute("SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?", place).fetchone()
    return found and found[0]


def tile(archive, z, x, y):
    """What to draw at z/x/y: the stored tile and the part of it, [left, top, side] in shares; None for nothing."""
    told = metadata(archive)
    if not (int(told["minzoom"]) <= z and 0 <= x < 1 << z and 0 <= y < 1 << z):
        return None
    up = max(z - int(told["maxzoom"]), 0)
    data = stored(archive, z - up, x >> up, y >> up)
    if data is None:
        return None
    side, mask = 2.0**-up, (1 << up) - 1
    return {
        "tile": [z - up, x >> up, y >> up], "part": [(x & mask) * side, (y & mask) * side, side],
        "bytes": len(data), "sha256": sha256(data),
    }  # fmt: skip


def world(lng, lat):
    """Shares of the world's square, eastward and southward."""
    sine = math.sin(math.radians(lat))
    return (lng + 180) / 360, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


class Taps:
    """Hit tests of one archive."""

    def __init__(self, archive):
        self.archive = archive
        told = metadata(archive)
        self.low, self.high = int(told["minzoom"]), int(told["maxzoom"])
        names = {name for (name,) in archive.execute("SELECT name FROM sqlite_master")}
        self.kind = "compact" if "taps" in names else "utfgrid" if "grids" in names else None
        self.blocks = {}

    def at(self, lng, lat, zoom):
        """The key of what answers, None if nothing does."""
        if zoom < self.low or self.kind is None:
            return None
        z = min(math.floor(zoom), self.high)
        x, y = (share * (1 << z) for share in world(lng, lat))
        if not (0 <= x < 1 << z and 0 <= y < 1 << z):
            return None
        return (self.in_block if self.kind == "compact" else self.in_grid)(z, x, y)

    def in_grid(self, z, x, y):
        column, row = math.floor(x), math.floor(y)
        sql = "SELECT grid FROM grids WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
        found = self.archive.execute(sql, (z, column, (1 << z) - 1 - row)).fetchone()
        if not found:
            return None
        grid = json.loads(zlib.decompress(found[0]))
        side = len(grid["grid"])
        code = ord(grid["grid"][math.floor((y - row) * side)][math.floor((x - column) * side)])
        return grid["keys"][code - (code >= 93) - (code >= 35) - 32] or None

    def in_block(self, z, x, y):
        column, row = math.floor(x), math.floor(y)
        place = (z, column >> 3, ((1 << z) - 1 - row) >> 3)
        if place not in self.blocks:
            sql = "SELECT block_data FROM taps WHERE zoom_level = ? AND block_column = ? AND block_row = ?"
            found = self.archive.execute(sql, place).fetchone()
            self.blocks[place] = found and Block(zlib.decompress(found[0]))
        block = self.blocks[place]
        if block is None:
            return None
        # The rows of blocks count from the south, those of tiles within a block from the north.
        feature = block.at(column & 7, row & 7, x - (column & ~7), y - (row & ~7))
        return None if feature is None else self.entries()[feature]["id"]

    def entries(self):
        """The entries by identifier (compact): docs/taps.md, version 2."""
        found = {}
        for feature, data in self.archive.execute("SELECT first_feature, entry_data FROM tap_entries"):
            numbers = Numbers(zlib.decompress(data))
            assert numbers.n() == 2
            while numbers.at < len(numbers.data):
                feature += numbers.n()
                key, fields, more = (numbers.take(numbers.n()).decode() for _ in range(3))
                count, member, members = numbers.n(), feature, []
                for _ in range(count - 1):
                    member += numbers.s()
                    members.append(member)
                found[feature] = (key, fields, more, members if count else None)

        def written(*pieces):
            return "{" + ",".join(piece for piece in pieces if piece) + "}"

        def entry(key, fields, more, members):
            listed = ""
            if members is not None:
                listed = '"members":[' + ",".join(written(found[one][1], f'"id":"{found[one][0]}"') for one in members) + "]"
            return json.loads(written(fields, listed, more, f'"id":"{key}"'))

        return {feature: entry(*pieces) for feature, pieces in found.items()}

    def by_key(self):
        """The entries by their keys."""
        if self.kind == "compact":
            return {entry["id"]: entry for entry in self.entries().values()}
        return {key: json.loads(text) for key, text in self.archive.execute("SELECT key_name, key_json FROM keymap")}


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def n(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def s(self):
        value = self.n()
        return -(value + 1) // 2 if value & 1 else value // 2

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]


class Block:
    def __init__(self, data):
        numbers = Numbers(data)
        n, s = numbers.n, numbers.s
        assert n() == 2
        self.tiles, self.side = int.from_bytes(numbers.take(8), "little"), n()
        listed = list(itertools.accumulate(n() for _ in range(n())))
        stacks = [[(n(), n(), s(), s(), s(), s()) for _ in range(n())] for _ in range(n())]
        count = n()
        chosen = [stacks[n()] for _ in range(count)]
        xs, ys, features = (list(itertools.accumulate(s() for _ in range(count))) for _ in range(3))
        self.symbols = list(zip(chosen, xs, ys, (listed[place] for place in features)))
        self.shapes = []
        tile = feature = x = y = 0
        for _ in range(n()):
            tile, kind, layer, feature = tile + n(), n(), n(), feature + s()
            half, gap = (n(), n()) if kind in (3, 4) else (0, 0)
            runs = []
            for _ in range(n() if kind else 0):
                run = []
                for _ in range(n()):
                    x, y = x + s(), y + s()
                    run.append((x / 16, y / 16))
                runs.append(run)
            self.shapes.append((tile, kind, layer, listed[feature], half / 256, gap / 256, runs))

    def at(self, column, row, x, y):
        """The feature at a place in tiles from the block's corner; `column` and `row` are its tile's."""
        x, y, index, best, answer = x * self.side, y * self.side, row * 8 + column, None, None
        if not self.tiles >> index & 1:
            return None
        for stack, ax, ay, feature in self.symbols:
            for layer, kind, *edges in stack:
                dx, dy = (ax // 16, ay // 16) if kind & 2 else (ax / 16, ay / 16)
                left, top, right, bottom = (edge / 256 + d for edge, d in zip(edges, (dx, dy, dx, dy)))
                hit = left <= x < right and top <= y < bottom
                if kind & 1:
                    hit = math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) / 2
                if hit and (best is None or (layer, 0) >= best):
                    best, answer = (layer, 0), feature
        for tile, kind, layer, feature, half, gap, runs in self.shapes:
            rank = (layer, (2, 2, 1, 0, 0)[kind])
            if tile == index and (best is None or rank >= best) and in_shape(kind, half, gap, runs, x, y):
                best, answer = rank, feature
        return answer


def in_shape(kind, half, gap, runs, x, y):
    if kind == 0:
        return True
    if kind == 1:
        return in_rings(runs, x, y)
    if kind == 2:
        left, top = runs[0][0]
        return left <= x < left + 1 and top <= y < top + 1
    far = min(distance(run, x, y) for run in runs)
    return far < half and (gap == 0 or far > gap)


def in_rings(rings, x, y):
    """Whether a place is inside of rings, even-odd."""
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
            if (ay <= y) != (by <= y) and ax + (bx - ax) * (y - ay) / (by - ay) <= x:
                inside = not inside
    return inside


def distance(line, x, y):
    """The distance of a place from a line."""
    least = math.hypot(line[0][0] - x, line[0][1] - y)
    for (ax, ay), (bx, by) in zip(line, line[1:]):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        share = max(0, min(1, ((x - ax) * dx + (y - ay) * dy) / length)) if length else 0
        least = min(least, math.hypot(x - ax - share * dx, y - ay - share * dy))
    return least


def path(deltas, start, end):
    """The files of the cheapest chain of deltas: fewest bytes, then fewer files, then their names; None without one."""
    best, changed = {start: (0, 0, [])}, True
    while changed:
        changed = False
        for delta in deltas:
            before = (delta["before"], delta.get("tapsBefore", ""))
            after = (delta["after"], delta.get("tapsAfter", ""))
            if before not in best or delta["file"] in best[before][2]:
                continue
            size, count, files = best[before]
            way = (size + delta["bytes"], count + 1, files + [delta["file"]])
            if after not in best or way < best[after]:
                best[after], changed = way, True
    return best.get(end)
