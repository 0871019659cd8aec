"""The rows, pictures and pipelines that the archives of the golden vectors are built from."""

import json
import math
import struct
import zlib


class Turn:
    """Random numbers that are the same in every version of Python (SplitMix64)."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) / 2**64

    def between(self, low, high):
        return low + self.next() * (high - low)


def town_rows():
    """Towns in four places, so that clusters come apart at several zooms, and two at the antimeridian."""
    turn, rows = Turn(1), []
    for lng, lat, wide, count in ((8, 47, 4, 20), (-100, 40, 15, 14), (140, -25, 10, 8), (8.2, 46.9, 0.4, 12)):
        for _ in range(count):
            rows.append([turn.between(lng - wide, lng + wide), turn.between(lat - wide / 2, lat + wide / 2)])
    rows += [[179.99, 5], [-179.99, -5]]
    return [[f"t{i}", f"Tówn {i}", int(turn.between(100, 9000)), round(x, 4), round(y, 4)] for i, (x, y) in enumerate(rows)]


def towns(version):
    """The rows of a version: in the second a town has moved, in the third one has gone and one has come."""
    rows = town_rows()
    if version > 1:
        rows[3][3:] = [9.1234, 47.4321]
    if version > 2:
        del rows[40]
        rows.append(["t999", "New Town", 12, 8.3333, 46.6666])
    return "id,name,people,lng,lat\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def inns():
    """Inns in two towns, and ten in one house."""
    turn = Turn(4)
    rows = [(turn.between(x - 0.2, x + 0.2), turn.between(y - 0.1, y + 0.1)) for x, y in ((11, 48), (14, 49)) for _ in range(45)]
    rows += [(12.1, 48.55)] * 10
    return "id,name,rooms,lng,lat\n" + "".join(f"i{i},Inn {i},{i % 7 * 10},{x:.5f},{y:.5f}\n" for i, (x, y) in enumerate(rows))


def dots(version=2):
    """The rows of a version: in the second a dot has moved."""
    turn = Turn(2)
    rows = [(turn.between(7.3, 7.7), turn.between(46.85, 47.1)) for _ in range(30)]
    if version < 2:
        rows[11] = (7.35, 47.08)
    return "id,name,lng,lat\n" + "".join(f"d{i},Dot {i},{x:.4f},{y:.4f}\n" for i, (x, y) in enumerate(rows))


def shapes():
    turn, features = Turn(3), []
    for i in range(16):
        x, y = turn.between(7.3, 7.65), turn.between(46.85, 47.05)
        ring = [[x, y], [x + 0.06, y], [x + 0.04, y + 0.04], [x, y]]
        ring = [[round(a, 4), round(b, 4)] for a, b in ring]
        shape = {"type": "Polygon", "coordinates": [ring]} if i % 2 else {"type": "LineString", "coordinates": ring[:3]}
        features.append({"type": "Feature", "id": 100 + i, "properties": {"name": f"Shape {i}"}, "geometry": shape})
    lines = ",\n".join(json.dumps(feature) for feature in features)
    return '{"type": "FeatureCollection", "features": [\n' + lines + "\n]}\n"


def isles():
    """Isles on both sides of the antimeridian, and some that no region holds."""
    turn, rows = Turn(5), []
    for x, y, wide, count in ((178, -17, 3, 24), (-178.5, -18, 1.5, 12), (165, -21, 4, 20), (170, 10, 2, 8)):
        for _ in range(count):
            rows.append(((x + turn.between(-wide, wide) + 180) % 360 - 180, y + turn.between(-wide / 2, wide / 2)))
    return "id,name,lng,lat\n" + "".join(f"i{i},Isle {i},{x:.4f},{y:.4f}\n" for i, (x, y) in enumerate(rows))


def regions():
    boxes = {"East": (174, -22, 182, -12), "West": (158, -25, 174, -17)}
    features = []
    for name, (west, south, east, north) in boxes.items():
        ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        features.append({"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Polygon", "coordinates": [ring]}})
    return json.dumps({"type": "FeatureCollection", "features": features}) + "\n"


def picture(frame):
    """A PNG of 48 × 48 px with a cloud that moves, in three classes and transparency."""
    side, colors = 48, b"\x00\x00\x00\x9e\xc5\xfe\x3b\x82\xf6\x1e\x3a\x8a"
    rows = bytearray()
    for y in range(side):
        rows.append(0)
        for x in range(side):
            far = math.hypot(x - 12 - 10 * frame, y - 24)
            rows.append(3 if far < 4 else 2 if far < 8 else 1 if far < 12 else 0)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 3, 0, 0, 0)
    body = [(b"IHDR", head), (b"PLTE", colors), (b"tRNS", b"\x00"), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in body)


TOWNS = """version: 1
name: towns
description: Towns that were made up, as clusters
attribution: Made up for the golden vectors
sources:
  towns: {type: csv, data: towns.csv, x: lng, y: lat, id: id, cluster: true, clusterRadius: 40, clusterMaxZoom: 4}
layers:
  - id: bubble
    type: circle
    source: towns
    paint: {circle-radius: [case, [has, point_count], 11, 6], circle-color: [case, [has, point_count], "#c2410c", "#0369a1"]}
tiles: {minzoom: 0, maxzoom: 5, interactivity: {layers: [bubble], fields: [name, people]}}
output: {path: towns.mbtiles, layout: dedup}
"""

SHAPES = """version: 1
name: shapes
sources:
  dots: {type: csv, data: dots.csv, x: lng, y: lat, id: id}
  shapes: {type: geojson, data: shapes.geojson}
layers:
  - {id: areas, type: fill, source: shapes, filter: [==, [geometry-type], Polygon], paint: {fill-color: "#9ec5a8"}}
  - {id: ways, type: line, source: shapes, filter: [==, [geometry-type], LineString], paint: {line-width: 5, line-color: "#64748b"}}
  - {id: dots, type: circle, source: dots, paint: {circle-radius: 7, circle-color: "#b91c1c"}}
tiles: {minzoom: 1, maxzoom: 10, scale: [1, 2], format: webp, interactivity: {fields: [name], format: compact}}
output: {path: shapes.mbtiles, layout: flat}
"""

INNS = """version: 1
name: inns
attribution: Made up for the golden vectors
sources:
  inns:
    type: csv
    data: inns.csv
    id: id
    cluster: true
    clusterMethod: grid
    clusterCellSize: {0: 64}
    clusterMaxZoom: 6
layers:
  - {id: inns, type: circle, source: inns, paint: {circle-radius: 9, circle-color: "#0f766e"}}
tiles: {minzoom: 4, maxzoom: 7, interactivity: {fields: [name, rooms], text: "{name}", format: compact}}
output: {path: inns.mbtiles, layout: dedup, sidecars: false}
"""

ISLES = """version: 1
name: isles
sources: {isles: {type: csv, data: isles.csv, id: id, cluster: true, clusterMethod: grid, clusterCellSize: {0: 64}, clusterMaxZoom: 5}}
layers: [{id: isles, type: circle, source: isles, paint: {circle-radius: 9, circle-color: "#0f766e"}}]
tiles: {minzoom: 0, maxzoom: 7, interactivity: {fields: [name], format: compact}}
output: {path: isles.mbtiles, layout: dedup, sidecars: false, packs: {by: regions.geojson, shared: {maxzoom: 3}}}
"""

PLAIN = """version: 1
name: plain
sources: {towns: {type: csv, data: towns.csv, x: lng, y: lat, id: id}}
layers: [{id: dots, type: circle, source: towns, paint: {circle-radius: 4, circle-color: "#7c3aed"}}]
tiles: {minzoom: 0, maxzoom: 3}
output: {path: plain.mbtiles, layout: flat, sidecars: false}
"""

RAIN = """version: 1
name: rain
sources:
  rain: {type: image-series, frames: "rain/*.png", time: "%Y-%m-%dT%H%MZ", bounds: [-12, 48, 5, 61], every: 900, onMissing: hold, frameDuration: 400}
layers: [{id: rain, type: raster, source: rain}]
tiles: {minzoom: 2, maxzoom: 4}
output: {path: rain.mbtiles}
"""
