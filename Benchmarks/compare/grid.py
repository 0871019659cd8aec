"""Web Mercator: features to metres, the tiles that they touch, an evenly spread sample, and the times of rendering."""
import json
import math
import time

RADIUS = 6378137.0
HALF = math.pi * RADIUS


def features(paths):
    """The features of GeoJSON files, a single feature being one too."""
    out = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        out += data["features"] if data["type"] == "FeatureCollection" else [data]
    return [f for f in out if f["geometry"]]


def metres(coordinates):
    """Degrees to Web Mercator metres, at any depth of nesting."""
    if isinstance(coordinates[0], (int, float)):
        latitude = max(-85.0511, min(85.0511, coordinates[1]))
        y = math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2))
        return [math.radians(coordinates[0]) * RADIUS, y * RADIUS]
    return [metres(c) for c in coordinates]


def write_metres(items, path):
    """A GeoJSON file in metres. Returns the box of each feature (west, south, east, north)."""
    boxes, out = [], []
    for item in items:
        coordinates = metres(item["geometry"]["coordinates"])
        points = list(leaves(coordinates))
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
        out.append({**item, "geometry": {**item["geometry"], "coordinates": coordinates}})
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"type": "FeatureCollection", "features": out}, file)
    return boxes


def leaves(coordinates):
    if isinstance(coordinates[0], (int, float)):
        yield coordinates
    else:
        for item in coordinates:
            yield from leaves(item)


def touched(boxes, zoom):
    """The tiles (x, y, rows southward) that a feature's box touches, in order."""
    n, size = 2**zoom, 2 * HALF / 2**zoom
    tiles = set()
    for west, south, east, north in boxes:
        columns = range(max(0, int((west + HALF) // size)), min(n - 1, int((east + HALF) // size)) + 1)
        rows = range(max(0, int((HALF - north) // size)), min(n - 1, int((HALF - south) // size)) + 1)
        tiles.update((x, y) for x in columns for y in rows)
    return sorted(tiles)


def crossed(items, zoom):
    """The tiles (x, y) that an edge of a feature crosses, in order; edges are looked at every half tile."""
    n, size = 2**zoom, 2 * HALF / 2**zoom
    tiles = set()
    for item in items:
        for ring in rings(metres(item["geometry"]["coordinates"])):
            for (x0, y0), (x1, y1) in zip(ring, ring[1:]):
                steps = int(max(abs(x1 - x0), abs(y1 - y0)) / size * 2) + 1
                for i in range(steps + 1):
                    x, y = x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
                    tiles.add((min(n - 1, max(0, int((x + HALF) // size))), min(n - 1, max(0, int((HALF - y) // size)))))
    return sorted(tiles)


def rings(coordinates):
    """Every list of points in nested coordinates."""
    if isinstance(coordinates[0][0], (int, float)):
        yield coordinates
    else:
        for item in coordinates:
            yield from rings(item)


def sample(tiles, count):
    """At most `count` tiles, evenly spread over the list."""
    if len(tiles) <= count:
        return tiles
    return [tiles[i * len(tiles) // count] for i in range(count)]


def box(zoom, x, y):
    """A tile's box in metres."""
    size = 2 * HALF / 2**zoom
    return x * size - HALF, HALF - (y + 1) * size, (x + 1) * size - HALF, HALF - y * size


class Times:
    """Wall and CPU milliseconds of some tiles."""

    def __init__(self):
        self.wall, self.cpu, self.bytes = [], [], 0

    def measure(self, work):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        self.wall.append((time.perf_counter() - wall) * 1000)
        self.cpu.append((time.process_time() - cpu) * 1000)
        return result

    def line(self):
        """Median and mean of the wall clock, mean of the CPU, in ms a tile."""
        wall = sorted(self.wall)
        return f"{wall[len(wall) // 2]:.2f}\t{sum(wall) / len(wall):.2f}\t{sum(self.cpu) / len(self.cpu):.2f}"
