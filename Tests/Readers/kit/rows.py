"""Brute force: what answers a tap by the rows that the golden vectors were built from, without a look at the archive."""

import base64
import csv
import json
import math
import os

from kit import cases

VECTORS = os.path.join(cases.ROOT, "clients", "vectors")
# Positions in archives are rounded to 1/16 px: nearer to an edge than this, either side is right.
DOUBT = 0.13


def key(source, name):
    """The key of a feature of a source without tables (docs/taps.md)."""
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in (source, "", str(name)))


def world(lng, lat, side):
    sine = math.sin(math.radians(lat))
    return (lng + 180) / 360 * side, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * side


def place(x, y, side):
    return x / side * 360 - 180, math.degrees(2 * math.atan(math.exp(math.pi - 2 * math.pi * y / side)) - math.pi / 2)


class Disc:
    layer = 2

    def __init__(self, source, row, side, radius):
        self.key, self.radius = key(source, row["id"]), radius
        self.x, self.y = world(float(row["lng"]), float(row["lat"]), side)
        self.box = (self.x - radius, self.y - radius, self.x + radius, self.y + radius)

    def depth(self, x, y):
        """How far a place lies within; negative outside."""
        return self.radius - math.hypot(x - self.x, y - self.y)

    def depth_of_cell(self, left, top, side):
        """How far it reaches into a square; negative if it does not."""
        return self.depth(min(max(self.x, left), left + side), min(max(self.y, top), top + side))


class Shape:
    def __init__(self, feature, side):
        geometry = feature["geometry"]
        self.key, self.is_area = key("shapes", feature["id"]), geometry["type"] == "Polygon"
        self.layer = 0 if self.is_area else 1
        line = geometry["coordinates"][0] if self.is_area else geometry["coordinates"]
        self.points = [world(*one, side) for one in line]
        xs, ys = zip(*self.points)
        self.box = (min(xs) - 3, min(ys) - 3, max(xs) + 3, max(ys) + 3)

    def depth(self, x, y):
        far = min(self.distance(*pair, x, y) for pair in zip(self.points, self.points[1:]))
        if not self.is_area:
            return 2.5 - far
        inside = False
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:]):
            inside ^= (ay <= y) != (by <= y) and ax + (bx - ax) * (y - ay) / (by - ay) <= x
        return far if inside else -far

    @staticmethod
    def distance(a, b, x, y):
        (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
        share = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1)
        return math.hypot(x - ax - share * dx, y - ay - share * dy)


def source(name):
    with open(os.path.join(VECTORS, "sources", name), encoding="utf-8", newline="") as file:
        return json.load(file)["features"] if name.endswith("json") else list(csv.DictReader(file))


def topmost(found):
    """The keys that may answer, of (layer, order, depth, key) in reach: the topmost that is surely hit, and doubtful ones above it."""
    keys = set()
    for _, _, depth, name in sorted(found, reverse=True):
        keys.add(name)
        if depth > DOUBT:
            return keys
    return keys | {""}


class Shapes:
    """The archive `shapes` at its last zoom: discs over lines over areas, each later row above the one before."""

    file, zoom = "archives/shapes.mbtiles", 10

    def __init__(self):
        self.side = 256 * 2**self.zoom
        areas_and_lines = [Shape(feature, self.side) for feature in source("shapes.geojson")]
        self.all = areas_and_lines + [Disc("dots", row, self.side, 7) for row in source("dots.csv")]

    def answers(self, x, y):
        found = []
        for order, one in enumerate(self.all):
            left, top, right, bottom = one.box
            if left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1:
                depth = one.depth(x, y)
                if depth > -DOUBT:
                    found.append((one.layer, order, depth, one.key))
        return topmost(found)


class Towns:
    """The archive `towns` at its last zoom, where no cluster is left: the topmost disc that reaches into the cell of 4 px."""

    file, zoom = "archives/towns.mbtiles", 5

    def __init__(self):
        self.side = 256 * 2**self.zoom
        self.all = [Disc("towns", row, self.side, 6) for row in source("towns.csv")]

    def answers(self, x, y):
        found = []
        for order, disc in enumerate(self.all):
            depth = disc.depth_of_cell(x // 4 * 4, y // 4 * 4, 4)
            if depth > -DOUBT:
                found.append((0, order, depth, disc.key))
        return topmost(found)
