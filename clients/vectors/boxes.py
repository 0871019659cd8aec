"""What boxes hold: the cases of `entries` and `changes`, the forged archives for them, and the answers by docs/taps.md in the fewest words."""

import json
import math
import os
import zlib

from files import HERE
from forged import n, stored
from reference import Block, Taps, opened, world

LATITUDE = 85.0511287798066
BLOCKS = 64


def s(value):
    """A signed number of seven bits per byte."""
    return n(2 * value if value >= 0 else -2 * value - 1)


def steps(values, write=s):
    return b"".join(write(b - a) for a, b in zip([0, *values], values))


def block(version, symbols, shapes):
    """A block of tiles of 256 px that all answer. Symbols: (x, y, layers, feature); shapes: (tile, kind, layer, feature, runs)."""
    names = sorted({one[3] for one in symbols + shapes})
    place = names.index if version == 2 else int
    stacks = sorted({one[2] for one in symbols})
    data = n(version) + b"\xff" * 8 + n(256) + (n(len(names)) + steps(names, n) if version == 2 else b"")
    data += n(len(stacks)) + b"".join(n(len(stack)) + b"".join(n(layer) + n(1) + s(-2048) * 2 + s(2048) * 2 for layer in stack) for stack in stacks)
    data += n(len(symbols)) + b"".join(n(stacks.index(one[2])) for one in symbols)
    data += b"".join(steps([one[axis] for one in symbols]) for axis in (0, 1)) + steps([place(one[3]) for one in symbols]) + n(len(shapes))
    tile = feature = x = y = 0
    for at, kind, layer, name, runs in shapes:
        data += n(at - tile) + n(kind) + n(layer) + s(place(name) - feature) + (n(512) + n(0) if kind > 2 else b"")
        tile, feature = at, place(name)
        data += n(len(runs)) if kind else b""
        for run in runs:
            data += n(len(run))
            for a, b in run:
                data += s(a - x) + s(b - y)
                x, y = a, b
    return data


def page(version, entries):
    """A page of entries: (identifier, key, count), of which a count of more than one makes a cluster."""
    data, last = b"\2" if version == 2 else b"", entries[0][0]
    for name, key, count in entries:
        fields = f'"cluster":true,"point_count":{count}' if count > 1 else f'"n":{name}'
        data += n(name - last)
        last = name
        if version == 1:
            members = ',"members":[]' if count > 1 else ""
            text = f'{{{fields}{members},"id":"{key}"}}'.encode()
            data += n(len(text)) + text
        else:
            data += b"".join(n(len(text)) + text.encode() for text in (key, fields, "")) + n(1 if count > 1 else 0)
    return data


PX = 16
SIDE = 8 * 256 * PX


def tile_run(tile, *places):
    """Vertices in shares of a tile."""
    return [(round((tile % 8 + x) * 256 * PX), round((tile // 8 + y) * 256 * PX)) for x, y in places]


def forge_boxes():
    """Makes `places` and `places-1`: symbols at the antimeridian and at the edges of blocks, several of one feature, lines and areas."""
    for version in (1, 2):
        # Of the zoom 4 the four blocks, by column and row from the north.
        north_west = block(
            version,
            [
                (-32, 9000, (1,), 10), (40, 9000, (0, 3), 11), (5000, 5000, (1,), 20), (30000, 5000, (2,), 20),
                (17000, 17000, (1,), 30), (SIDE - 8, 20000, (1,), 31), (9000, SIDE + 16, (1,), 32), (17000, 17000, (1,), 33),
                (12000, 12000, (1,), 41), (2000, 30000, (1,), 90),
            ],
            [
                (9, 1, 4, 40, [tile_run(9, (0.25, 0.25), (1, 0.25), (1, 0.75), (0.25, 0.5))]),
                (10, 1, 4, 40, [tile_run(10, (-0.1, 0.25), (0.5, 0.3), (-0.1, 0.75))]),
                (18, 1, 0, 41, [tile_run(18, (0.1, 0.1), (0.9, 0.1), (0.9, 0.9))]), (27, 0, 5, 50, []),
                (36, 2, 6, 60, [tile_run(36, (0.5, 0.5))]), (45, 3, 7, 70, [tile_run(45, (0.2, 0.2), (0.4, 0.8)), tile_run(45, (0.6, 0.1), (0.7, 0.2))]),
                (54, 4, 8, 80, [tile_run(54, (1.01, 0.2), (1.05, 0.8))]),
            ],
        )  # fmt: skip
        north_east = block(version, [(SIDE - 32, 9000, (1,), 10), (SIDE + 40, 9000, (0, 3), 11), (-8, 20000, (1,), 31), (100, 100, (1,), 100)], [(63, 0, 5, 50, [])])
        south_west = block(version, [(9000, 16, (1,), 32), (500, 500, (9,), 110)], [])
        world_block = block(version, [(2048, 2048, (1,), 110), (-8, 1000, (1,), 20), (4096 - 8, 1000, (1,), 20)], [(0, 1, 4, 40, [[(100, 100), (3000, 100), (3000, 3000)]])])
        names = [10, 11, 20, 30, 31, 32, 33, 40, 41, 50, 60, 70, 80, 90]
        pages = [(10, page(version, [(name, f"k{name}", 1) for name in names])), (110, page(version, [(110, "c110", 12)]))]
        blocks = [(4, 0, 1, north_west), (4, 1, 1, north_east), (4, 0, 0, south_west), (0, 0, 0, world_block)]
        stored("places" + ("" if version == 2 else "-1"), 4, blocks, pages)


class Square:
    """A box in a zoom, whose places count in tiles from its west edge and from the north."""

    def __init__(self, box, zoom):
        west, south, east, north = box
        self.size = 1 << zoom
        self.left = (west + 180) / 360 % 1 * self.size
        self.wide = self.size if east - west >= 360 else (east - west) % 360 / 360 * self.size
        self.top, self.bottom = (world(0, min(max(lat, -LATITUDE), LATITUDE))[1] * self.size for lat in (north, south))

    def far(self, place):
        return (place[0] - self.wide / 2) ** 2 + (place[1] - (self.top + self.bottom) / 2) ** 2

    def blocks(self):
        """The number of blocks, with those of the tiles around the box."""
        first, last = math.floor(self.left) - 1, math.floor(self.left + self.wide) + 1
        spans = [(0, self.size - 1)]
        if last - first + 1 < self.size:
            spans = [(max(first, 0), min(last, self.size - 1))]
            spans += [(first + self.size, self.size - 1)] if first < 0 else []
            spans += [(0, last - self.size)] if last >= self.size else []
        rows = max(math.floor(self.top) - 1, 0) >> 3, min(math.floor(self.bottom) + 1, self.size - 1) >> 3
        return sum((b >> 3) - (a >> 3) + 1 for a, b in spans) * (rows[1] - rows[0] + 1)


class Shown:
    """What the zooms of an archive show, or those of packs of one, from all of their blocks."""

    def __init__(self, *files):
        self.all = [Taps(opened(os.path.join(HERE, file))) for file in files]
        self.taps = self.all[0]
        self.known = {feature: entry for taps in self.all for feature, entry in taps.entries().items()}

    def entries(self, box, zoom, limit=1000):
        zoom = min(math.floor(zoom), self.taps.high)
        if zoom < self.taps.low or box[1] > box[3]:
            return []
        square, layers, symbols, parts = Square(box, zoom), {}, {}, {}
        if square.blocks() > BLOCKS:
            return "tooLarge"
        sql = "SELECT block_column, block_row, block_data FROM taps WHERE zoom_level = ?"
        for column, row, data in (found for taps in self.all for found in taps.archive.execute(sql, (zoom,))):
            known, north = Block(zlib.decompress(data)), (square.size - 1 - row * 8) >> 3
            for stack, x, y, feature in known.symbols:
                place = (column * 8 + x / 16 / known.side - square.left) % square.size, north * 8 + y / 16 / known.side
                if place[0] <= square.wide and square.top <= place[1] <= square.bottom:
                    layers.setdefault(feature, set()).update(print[0] for print in stack)
                    symbols.setdefault(feature, []).append((square.far(place), place[1], place[0]))
            for tile, kind, layer, feature, _, _, runs in known.shapes:
                west, top = tile % 8, tile // 8
                more = 1 / known.side if kind == 2 else 0
                corners = [(x / known.side, y / known.side) for run in runs for x, y in run] if kind else [(west, top), (west + 1, top + 1)]
                (a, b), (c, d) = map(min, zip(*corners)), map(max, zip(*corners))
                a, b, c, d = max(a, west), max(b, top), min(c + more, west + 1), min(d + more, top + 1)
                start = (column * 8 + a - square.left) % square.size
                spare = square.size if start > square.wide else 0
                part = max(start - spare, 0), max(north * 8 + b, square.top), min(start - spare + c - a, square.wide), min(north * 8 + d, square.bottom)
                if a <= c and b <= d and part[0] <= part[2] and part[1] <= part[3]:
                    layers.setdefault(feature, set()).add(layer)
                    parts.setdefault(feature, []).append(part)
        places = {feature: ((min(a) + max(c)) / 2, (min(b) + max(d)) / 2) for feature, (a, b, c, d) in ((f, zip(*all)) for f, all in parts.items())}
        places |= {feature: min(all)[:0:-1] for feature, all in symbols.items()}
        answer = []
        for feature in sorted(places, key=lambda one: (square.far(places[one]), one))[:limit]:
            if feature not in self.known:
                continue
            fields, (x, y) = self.known[feature], places[feature]
            lng = (square.left + x) / square.size % 1 * 360 - 180
            lat = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / square.size))))
            count = fields["point_count"] if fields.get("cluster") else 1
            answer.append({"key": fields["id"], "lng": round(lng, 6), "lat": round(lat, 6), "count": count, "layer": max(layers[feature]), "fields": fields})
        return answer

    def is_settled(self, box, zoom):
        """Whether boxes that are a little larger or smaller hold the same, so that no rounding decides."""
        if box[2] - box[0] >= 360:
            return True
        told = []
        for aside in (-1e-9, 0, 1e-9):
            found = self.entries([box[0] - aside, box[1] - aside, box[2] + aside, box[3] + aside], zoom)
            told.append([(one["key"], one["layer"]) for one in found] if isinstance(found, list) else found)
        return told[0] == told[1] == told[2]


def entries_case(name, file, shown, box, zoom, limit=1000):
    case = {"name": f"{file}: {name}", "do": "entries", "file": file, "box": box, "zoom": zoom, "limit": limit}
    told = shown.entries(box, zoom, limit) if shown else "noPlaces"
    return {**case, "error": told} if isinstance(told, str) else {**case, "expect": told}


def box_cases(turn):
    for file, middle, wide in (("archives/shapes.mbtiles", (7.48, 46.92), 0.3), ("archives/shapes@2x.mbtiles", (7.48, 46.92), 0.3), ("archives/inns.mbtiles", (11, 48), 0.6)):
        shown, count = Shown(file), 0
        for zoom in range(shown.taps.low, shown.taps.high + 2):
            for _ in range(2):
                lng, lat = (turn.between(one - wide / 2, one + wide / 2) for one in middle)
                box = [round(lng, 4), round(lat, 4), round(lng + turn.between(0, wide), 4), round(lat + turn.between(0, wide / 2), 4)]
                if shown.is_settled(box, zoom):
                    case = entries_case(f"box {box} at {zoom}", file, shown, box, zoom, 6)
                    count += len(case["expect"])
                    yield case
        assert count > 3, (file, count)
    inns = "archives/inns.mbtiles"
    shown = Shown(inns)
    yield entries_case("all inns", inns, shown, [10, 47, 15, 50], 7)
    yield entries_case("a box of too many tiles", inns, shown, [-180, -85, 180, 85], 7)
    yield entries_case("below the first zoom", inns, shown, [10, 47, 15, 50], 3.9)
    for old, new in ((4, 5), (6, 7), (7, 6), (7, 7)):
        box = [10.9, 47.9, 11.3, 48.05]
        before, after = shown.entries(box, old), shown.entries(box, new)
        keys = [{one["key"] for one in each} for each in (before, after)]
        expect = {
            "keep": [one["key"] for one in after if one["key"] in keys[0]], "add": [one["key"] for one in after if one["key"] not in keys[0]],
            "remove": [one["key"] for one in before if one["key"] not in keys[1]],
        }  # fmt: skip
        yield {"name": f"{inns}: from {old} to {new}", "do": "changes", "file": inns, "box": box, "from": old, "to": new, "expect": expect}
    for file in ("archives/towns.mbtiles", "archives/plain.mbtiles"):
        yield entries_case("no places", file, None, [0, 0, 1, 1], 3)
    for file in ("forged/places.mbtiles", "forged/places-1.mbtiles"):
        # Version 1 says the same in other bytes.
        shown = Shown("forged/places.mbtiles")
        boxes = {
            "the world": ([-180, -90, 180, 90], 4), "the world from another edge": ([10, -90, 370, 90], 4), "the world at zoom 0": ([-180, -85, 180, 85], 0),
            "across the antimeridian": ([179, 70, -179, 83], 4), "west of the antimeridian": ([170, 70, 179.99, 83], 4),
            "across the antimeridian at zoom 0": ([179, 60, -179, 80], 0), "all but a strip": ([-170, -85, 170, 85], 4),
            "one of two symbols": ([-160, 74, -30, 84], 4), "the other symbol": ([-40, 70, 10, 84], 4), "the nearer of two symbols": ([-160, 70, 10, 84], 4), "at the edge of blocks": ([-2, 20, 2, 60], 4),
            "north of the equator": ([-131, -0.08, -130, 10], 4), "south of the equator": ([-131, -10, -130, -0.08], 4), "a part of an area": ([-150, 79.5, -140, 81], 4),
            "around a longitude beyond 180": ([359, 0, 361, 80], 4), "nothing": ([100, -60, 110, -50], 4), "no box": ([-180, 10, 180, -10], 4),
            "beyond the last zoom": ([-150, 20, -30, 84], 9.5),
        }  # fmt: skip
        for name, (box, zoom) in boxes.items():
            assert shown.is_settled(box, zoom), name
            yield entries_case(name, file, shown, box, zoom)
        yield entries_case("the three nearest", file, shown, [-180, -90, 180, 90], 4, 3)
        yield entries_case("none of all", file, shown, [-180, -90, 180, 90], 4, 0)
