"""Records, and by brute force over them what a map shows in a box and at a place, without a look at the archive."""

import functools
import json
import math
import random

from kit import rows

# Positions in archives are rounded to 1/16 px, and edges of boxes fall into px.
NEAR = 0.2
# A grid of taps has cells of so many px.
CELL = 4

STYLE = """version: 1
name: {name}
sources:
{sources}
layers:
{layers}
tiles: {{minzoom: 1, maxzoom: {maxzoom}{taps}}}
output: {{path: {name}-{form}.mbtiles, layout: {layout}}}
"""
CSV = "  {0}: {{type: csv, data: {0}.csv, x: lng, y: lat, id: id{1}}}"
CIRCLES = "- {{id: {0}, type: circle, source: {0}, paint: {{circle-radius: {1}}}}}"


def crowds(turn, count):
    """Places in crowds, two of them at the antimeridian, as a file has them."""
    places = []
    for lng, lat, wide, share in ((179.6, 10, 2, 0.2), (-179.8, -40, 1, 0.1), (8, 47, 6, 0.4), (-100, 60, 40, 0.2), (0, 0, 0.3, 0.1)):
        for _ in range(int(count * share)):
            x, y = (lng + turn.uniform(-wide, wide) + 180) % 360 - 180, lat + turn.uniform(-wide, wide) / 2
            places.append((round(x, 5), round(y, 5)))
    return places


def csv(folder, name, places):
    lines = [f"{index},{name} {index},{lng},{lat}\n" for index, (lng, lat) in enumerate(places)]
    (folder / f"{name}.csv").write_text("id,name,lng,lat\n" + "".join(lines), encoding="utf-8")


class Box:
    """A box in px of a zoom, from its west edge eastward and from the north edge of the map southward."""

    def __init__(self, box, zoom):
        west, south, east, north = box
        self.side, self.zoom = 256 * 2**zoom, zoom
        self.left = rows.world(west, 0, self.side)[0]
        self.wide = self.side if east - west >= 360 else (east - west) % 360 / 360 * self.side
        self.top, self.bottom = (rows.world(0, lat, self.side)[1] for lat in (north, south))
        self.middle = self.wide / 2, (self.top + self.bottom) / 2

    def x(self, x):
        """The place east of the west edge: of all copies of the world the one that is nearest to the middle."""
        return (x - self.left - self.wide / 2 + self.side / 2) % self.side - self.side / 2 + self.wide / 2

    def depth(self, x, y):
        """How far a place lies within; negative outside."""
        return min(x, self.wide - x, y - self.top, self.bottom - y)

    def distance(self, x, y):
        return math.hypot(x - self.middle[0], y - self.middle[1])


class Points:
    """Discs in their places; `answers` are the keys that surely are in a box, and those that may be, with their places."""

    name, maxzoom, zooms, order = "points", 8, range(1, 9), 0

    def __init__(self, folder, turn):
        self.places = crowds(turn, 500)
        csv(folder, "points", self.places)
        self.sources, self.layers = CSV.format("points", ""), CIRCLES.format("points", 5)

    @functools.cache
    def shown(self, zoom):
        """(key, x, y, radius, count) of all discs in px, the topmost last."""
        side = 256 * 2**zoom
        return [(rows.key("points", index), *rows.world(lng, lat, side), 5, 1) for index, (lng, lat) in enumerate(self.places)]

    def check(self, entries, box, zoom):
        """What is wrong with the entries of a box; None if nothing is."""
        view, sure, may = Box(box, zoom), set(), {}
        for key, x, y, _, count in self.shown(zoom):
            place = view.x(x), y
            depth = view.depth(*place)
            if depth > -NEAR:
                may[key] = (*place, count)
            if depth > NEAR:
                sure.add(key)
        return compared(entries, view, sure, may)

    def reach(self, x, y, zoom):
        """(order, depth, key) of what a place may hit, the topmost last."""
        side, found = 256 * 2**zoom, []
        for order, (key, a, b, radius, _) in enumerate(self.shown(zoom)):
            # A disc at the antimeridian is on both sides of the map.
            found.append((order, radius - math.hypot((x - a + side / 2) % side - side / 2, y - b), key))
        return found

    def spots(self, zoom):
        return [(x, y, radius) for _, x, y, radius, _ in self.shown(zoom)]


def compared(entries, view, sure, may):
    """What is wrong with entries [key, lng, lat, count]: `sure` are the keys that have to be there, `may` the places of those that can be."""
    keys = [key for key, *_ in entries]
    if len(set(keys)) < len(keys) or sure - set(keys) or set(keys) - may.keys():
        return "keys", sorted(sure - set(keys)), sorted(set(keys) - may.keys())
    last = -1
    for key, lng, lat, count in entries:
        x, y = rows.world(lng, lat, view.side)
        x = view.x(x)
        a, b, wanted = may[key]
        if math.hypot(x - a, y - b) > NEAR or count != wanted:
            return "place", key, (lng, lat, count), (x - a, y - b, wanted)
        if view.distance(x, y) < last - 1e-6 * view.side:
            return "order", key
        last = view.distance(x, y)
    return None


class Cells(Points):
    """Squares of 64 px: the middle of each that has a point, with the number of its points, and from zoom 6 on the points."""

    name, maxzoom, zooms, size = "cells", 7, range(1, 8), 64

    def __init__(self, folder, turn):
        self.places, self.keys = crowds(turn, 900), {}
        csv(folder, "cells", self.places)
        cluster = ", cluster: true, clusterMethod: square, clusterMaxZoom: 5, clusterCellSize: {0: 64}"
        self.sources, self.layers = CSV.format("cells", cluster), CIRCLES.format("cells", 6)

    @functools.cache
    def shown(self, zoom):
        side, cells, found = 256 * 2**zoom, {}, []
        for index, (lng, lat) in enumerate(self.places):
            x, y = rows.world(lng, lat, side)
            if zoom > 5:
                found.append((rows.key("cells", index), x, y, 6, 1))
            else:
                cell = int(x // self.size), int(y // self.size)
                cells[cell] = cells.get(cell, 0) + 1
        for (column, row), count in cells.items():
            found.append((f"{zoom}/{column}/{row}", (column + 0.5) * self.size, (row + 0.5) * self.size, 6, count))
        return found

    def check(self, entries, box, zoom):
        if zoom > 5:
            return super().check(entries, box, zoom)
        # Names of cells by their places; that a cell keeps its key is seen by all answers.
        named = []
        for key, lng, lat, count in entries:
            x, y = rows.world(lng, lat, 256 * 2**zoom)
            cell = f"{zoom}/{int(x // self.size)}/{int(y // self.size)}"
            if self.keys.setdefault(cell, key) != key:
                return "key", key, self.keys[cell]
            named.append([cell, lng, lat, count])
        return super().check(named, box, zoom)

    def reach(self, x, y, zoom):
        return [(order, depth, self.keys.get(key, key)) for order, depth, key in super().reach(x, y, zoom)]


class Shapes:
    """Areas, lines above them, and discs above all."""

    name, maxzoom, zooms = "shapes", 10, range(6, 11)

    def __init__(self, folder, turn):
        features = []
        for number in range(60):
            x, y, wide = turn.uniform(7, 8), turn.uniform(46.7, 47.2), turn.uniform(0.08, 0.5)
            ring = [[x, y], [x + wide, y], [x + wide * 0.6, y + wide * 0.6], [x, y]]
            ring = [[round(a, 4), round(b, 4)] for a, b in ring]
            geometry = {"type": "Polygon", "coordinates": [ring]} if number % 2 else {"type": "LineString", "coordinates": ring[:3]}
            features.append({"type": "Feature", "id": number, "properties": {"name": f"Shape {number}"}, "geometry": geometry})
        (folder / "shapes.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
        self.places = [(round(turn.uniform(7, 8), 5), round(turn.uniform(46.7, 47.2), 5)) for _ in range(80)]
        csv(folder, "dots", self.places)
        self.sources = "  shapes: {type: geojson, data: shapes.geojson}\n" + CSV.format("dots", "")
        self.layers = "\n".join([
            "- {id: areas, type: fill, source: shapes, filter: [==, [geometry-type], Polygon]}",
            "- {id: ways, type: line, source: shapes, filter: [==, [geometry-type], LineString], paint: {line-width: 5}}",
            CIRCLES.format("dots", 7),
        ])  # fmt: skip
        self.features = features

    @functools.cache
    def shown(self, zoom):
        side = 256 * 2**zoom
        shapes = [rows.Shape(feature, side) for feature in self.features]
        return shapes + [rows.Disc("dots", {"id": index, "lng": lng, "lat": lat}, side, 7) for index, (lng, lat) in enumerate(self.places)]

    def check(self, entries, box, zoom):
        view, sure, may, areas = Box(box, zoom), set(), {}, {}
        inner = (view.left + 1.5, view.top + 1.5, view.left + view.wide - 1.5, view.bottom - 1.5)
        for one in self.shown(zoom):
            if isinstance(one, rows.Disc):
                depth = view.depth(view.x(one.x), one.y)
                if depth > -NEAR:
                    may[one.key] = (view.x(one.x), one.y, 1)
                sure |= {one.key} if depth > NEAR else set()
                continue
            # Of each tile the part of the box around a shape counts, not the shape.
            if meets(one, (view.left - 2, view.top - 2, view.left + view.wide + 2, view.bottom + 2), True):
                areas[one.key] = one.box
            if inner[0] < inner[2] and inner[1] < inner[3] and meets(one, inner, False):
                sure.add(one.key)
        dots = [entry for entry in entries if entry[0] in may]
        others = [entry for entry in entries if entry[0] not in may]
        wrong = {key for key, *_ in others} - areas.keys() or (sure - {key for key, *_ in entries})
        if wrong:
            return "shapes", sorted(wrong)
        for key, lng, lat, count in others:
            x, y = rows.world(lng, lat, view.side)
            left, top, right, bottom = areas[key]
            if count != 1 or view.depth(view.x(x), y) < -1.5 or not (left - 3 <= x <= right + 3 and top - 3 <= y <= bottom + 3):
                return "place of a shape", key, lng, lat
        return compared(dots, view, sure - areas.keys(), may)

    def reach(self, x, y, zoom):
        found = []
        for order, one in enumerate(self.shown(zoom)):
            left, top, right, bottom = one.box
            if left - 12 <= x <= right + 12 and top - 12 <= y <= bottom + 12:
                found.append(((one.layer, order), one.depth(x, y), one.key))
        return [(order, depth, key) for order, depth, key in sorted(found)]

    def spots(self, zoom):
        return [((a + c) / 2, (b + d) / 2, (c - a) / 2) for a, b, c, d in (one.box for one in self.shown(zoom))]


def meets(shape, box, isLoose):
    """Whether a shape has a part in a box of px; loosely, whether in a tile that the box touches the part of the box around it has."""
    left, top, right, bottom = box
    west, north, east, south = shape.box
    if west > right or east < left or north > bottom or south < top:
        return False
    if not isLoose:
        return has_part(shape, box)
    for column in range(int(left // 256), int(right // 256) + 1):
        for row in range(int(top // 256), int(bottom // 256) + 1):
            tile = (256 * column - 8, 256 * row - 8, 256 * column + 264, 256 * row + 264)
            if has_part(shape, tile):
                return True
    return False


def has_part(shape, box):
    left, top, right, bottom = box
    pairs = zip(shape.points, shape.points[1:])
    return any(crosses(*pair, box) for pair in pairs) or (shape.is_area and shape.depth((left + right) / 2, (top + bottom) / 2) > 0)


def crosses(a, b, box):
    """Whether a line has a part in a box (Liang and Barsky)."""
    (ax, ay), (bx, by), (left, top, right, bottom) = a, b, box
    first, last = 0.0, 1.0
    for step, low, high in ((bx - ax, left - ax, right - ax), (by - ay, top - ay, bottom - ay)):
        if step == 0:
            if low > 0 or high < 0:
                return False
            continue
        one, other = sorted((low / step, high / step))
        first, last = max(first, one), min(last, other)
    return first <= last


KINDS = (Points, Cells, Shapes)


def boxes(kind, turn, count):
    """Boxes (west, south, east, north, zoom) around what an archive shows, which belong to few blocks."""
    found = []
    while len(found) < count:
        zoom = turn.choice(kind.zooms)
        x, y, _ = turn.choice(kind.spots(zoom))
        side = 256 * 2**zoom
        wide, high = (turn.uniform(0.05, 1) ** 2 * min(3000, 0.9 * side) for _ in range(2))
        left, top = x - turn.uniform(0, wide), y - turn.uniform(0, high)
        west, north = rows.place(left % side, min(max(top, 1), side - 1), side)
        east, south = rows.place((left + wide) % side, min(max(top + high, 1), side - 1), side)
        if isinstance(kind, Shapes) and west > east:
            continue
        found.append((round(west, 6), round(south, 6), round(east, 6), round(north, 6), zoom))
    return found


def taps(kind, turn, count):
    """Places (lng, lat, zoom) in and near what an archive shows."""
    found = []
    for _ in range(count):
        zoom = turn.choice(kind.zooms)
        x, y, radius = turn.choice(kind.spots(zoom))
        side, far = 256 * 2**zoom, radius + 4
        x, y = (x + turn.uniform(-far, far)) % side, min(max(y + turn.uniform(-far, far), 1), side - 1)
        found.append((*rows.place(x, y, side), zoom))
    return found


def may_answer(kind, tap, doubt):
    """The keys that may answer a tap, "" for none: the topmost that is surely hit, and doubtful ones above it."""
    lng, lat, zoom = tap
    side, keys = 256 * 2**zoom, set()
    for _, depth, key in reversed(kind.reach(*rows.world(lng, lat, side), zoom)):
        if depth > -doubt:
            keys.add(key)
        if depth > doubt:
            return keys
    return keys | {""}


def made(kind, folder):
    return kind(folder, random.Random(kind.__name__))
