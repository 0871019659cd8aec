"""Boxes of degrees as docs/taps.md describes them: what of a zoom's tiles they hold, across the antimeridian, too."""

import math

from taps import QuadrilleError

# The most blocks of 8 × 8 tiles that one question reads.
BLOCK_LIMIT = 64
MAX_LATITUDE = 85.0511287798066


def tiles(lng, lat, z):
    """A place in tiles of a zoom, eastward and southward."""
    sine = math.sin(math.radians(lat))
    return (lng + 180) / 360 * 2**z, (0.5 - math.log((1 + sine) / (1 - sine)) / 4 / math.pi) * 2**z


def degrees(x, y, z):
    return x / 2**z * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / 2**z))))


class Box:
    """A box in tiles of a zoom; places within it count eastward from its west edge, and southward from the map's north edge."""

    def __init__(self, west, south, east, north, z):
        self.n, self.z = 1 << z, z
        self.left = (west + 180) / 360 % 1 * self.n
        self.wide = self.n if east - west >= 360 else (east - west) % 360 / 360 * self.n
        self.top, self.bottom = (tiles(0, min(max(lat, -MAX_LATITUDE), MAX_LATITUDE), z)[1] for lat in (north, south))
        self.middle = self.wide / 2, (self.top + self.bottom) / 2

    def blocks(self):
        """(column, row) of the blocks that hold a tile of the box, or one beside such a tile; rows count from the north."""
        first, last = math.floor(self.left) - 1, math.floor(self.left + self.wide) + 1
        above, below = max(math.floor(self.top) - 1, 0), min(math.floor(self.bottom) + 1, self.n - 1)
        spans = [(first, last)]
        if last - first + 1 >= self.n:
            spans = [(0, self.n - 1)]
        elif first < 0:
            spans = [(first + self.n, self.n - 1), (0, last)]
        elif last >= self.n:
            spans = [(first, self.n - 1), (0, last - self.n)]
        rows = range(above >> 3, (below >> 3) + 1)
        if sum((b >> 3) - (a >> 3) + 1 for a, b in spans) * len(rows) > BLOCK_LIMIT:
            raise QuadrilleError("tooLarge", "the box has too many tiles at this zoom")
        columns = dict.fromkeys(column for a, b in spans for column in range(a >> 3, (b >> 3) + 1))
        return [(column, row) for row in rows for column in columns]

    def holds(self, x, y):
        """The place of a symbol in the box; None outside."""
        x = (x - self.left) % self.n
        return (x, y) if x <= self.wide and self.top <= y <= self.bottom else None

    def part(self, left, top, right, bottom):
        """The part of a rectangle that lies in the box; None for none."""
        far, (top, bottom) = (left - self.left) % self.n, (max(top, self.top), min(bottom, self.bottom))
        # One that begins west of the box may reach into it.
        start = far if far <= self.wide else 0
        end = min(far + right - left - (0 if far <= self.wide else self.n), self.wide)
        return (start, top, end, bottom) if start <= end and top <= bottom else None

    def distance(self, place):
        return (place[0] - self.middle[0]) ** 2 + (place[1] - self.middle[1]) ** 2

    def found(self, blocks):
        """What blocks, (column, row, block), have in the box, the nearest to its middle first: (identifier, layer, (lng, lat))."""
        layers, symbols, parts = {}, {}, {}
        for column, row, block in blocks:
            for x, y, layer, feature in block.symbols:
                place = self.holds(column * 8 + x / block.side, row * 8 + y / block.side)
                if place is not None:
                    layers[feature] = max(layer, layers.get(feature, layer))
                    symbols[feature] = min(place, symbols.get(feature, place), key=lambda one: (self.distance(one), one[::-1]))
            for feature, layer, (left, top, right, bottom) in block.rectangles():
                part = self.part(column * 8 + left, row * 8 + top, column * 8 + right, row * 8 + bottom)
                if part is not None:
                    layers[feature] = max(layer, layers.get(feature, layer))
                    a, b = part, parts.get(feature, part)
                    parts[feature] = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
        places = {feature: ((a + c) / 2, (b + d) / 2) for feature, (a, b, c, d) in parts.items()} | symbols
        order = sorted(places, key=lambda feature: (self.distance(places[feature]), feature))
        return [(feature, layers[feature], degrees((self.left + places[feature][0]) % self.n, places[feature][1], self.z)) for feature in order]
