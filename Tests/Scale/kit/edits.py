"""Random edits of small pipelines, each kind with data of its own; the archive of each is compared with that of a full build.

By hand: python edits.py KIND SEED STEPS, from the folder that holds `kit`.
"""

import gzip
import json
import math
import os
import random
import shutil
import struct
import sys
import zlib
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from kit.program import digest, digests, quadrille  # noqa: E402

COLOURS = ["red", "teal", "#336699", "rgba(200,80,0,0.6)", "gold"]

CHOICES = {"scale": ["[1]", "[1, 2]"], "layout": ["flat", "dedup"], "taps": ["utfgrid", "compact"]}


def png(width, height, pixel):
    """A PNG of RGBA pixels, `pixel(x, y)` being four numbers."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Ground:
    """A pipeline in a folder, whose data and look change at random. `look` are the values of its template."""

    template = ""
    look = {}
    maxzoom = 5

    def __init__(self, folder, seed):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.random = random.Random(f"{type(self).__name__} {seed}")
        self.values = {**self.look, "maxzoom": self.maxzoom}
        self.start()
        self.write()

    def start(self):
        raise NotImplementedError

    def change(self):
        """Changes the data, and says how."""
        raise NotImplementedError

    def write_data(self):
        raise NotImplementedError

    def write(self):
        text = self.template
        for name, value in self.values.items():
            text = text.replace(f"<{name}>", str(value))
        (self.folder / "map.yml").write_text(text)
        self.write_data()

    def edit(self):
        if self.random.random() < 0.2:
            name = self.random.choice(list(self.values))
            self.values[name] = self.other(name)
            said = f"{name} = {self.values[name]}"
        else:
            said = self.change()
        self.write()
        return said

    def other(self, name):
        value = self.values[name]
        if name == "maxzoom":
            return self.maxzoom - self.random.randrange(3)
        if name in CHOICES:
            return self.random.choice(CHOICES[name])
        if isinstance(value, str):
            return self.random.choice(COLOURS)
        if name == "opacity":
            return round(self.random.uniform(0.1, 1), 2)
        return round(value * self.random.choice([0.5, 0.8, 1.25, 2]), 2) or 1

    def built(self):
        quadrille("build", "-q", self.folder / "map.yml")
        return self.digests(self.folder)

    def digests(self, folder):
        """Those of the densities that the pipeline has; an archive of an earlier one stays where it is."""
        return digests(folder / "out.mbtiles")[: 2 if "2" in self.values["scale"] else 1]

    def built_whole(self):
        other = self.folder.with_name(f"{self.folder.name}-whole")
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(self.folder, other, ignore=lambda folder, names: [n for n in names if n.startswith((".quadrille", "out"))])
        quadrille("build", "-q", "--no-cache", other / "map.yml")
        return self.digests(other)


class Points(Ground):
    """Clusters of the grid with counts, circles, labels and taps."""

    template = """
version: 1
name: points
sources:
  places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 4, id: key}
layers:
  - {id: disc, type: circle, source: places, paint: {circle-radius: <radius>, circle-color: [case, [has, point_count], "<colour>", green]}}
  - {id: count, type: symbol, source: places, filter: [has, point_count], layout: {text-field: [get, point_count_abbreviated]}}
tiles: {maxzoom: <maxzoom>, scale: <scale>, snap: 1, interactivity: {format: <taps>, layers: [disc], fields: [name]}}
output: {path: out.mbtiles}
"""
    look = {"radius": 7, "colour": "red", "scale": "[1]", "taps": "utfgrid"}

    def start(self):
        self.keys, self.rows = 0, {}
        self.add(self.random.randrange(40, 300))

    def place(self):
        if self.random.random() < 0.1:
            return self.random.uniform(-180, 180), self.random.uniform(-84, 84)
        return self.random.gauss(8, 20), self.random.gauss(46, 8)

    def add(self, count):
        for _ in range(count):
            self.keys += 1
            self.rows[self.keys] = [*self.place(), f"Name {self.keys % 37}", self.random.randrange(9)]

    def some(self):
        return self.random.sample(sorted(self.rows), min(len(self.rows), self.random.choice([1, 1, 1, 2, 40])))

    def change(self):
        kind = self.random.choice(["move", "nudge", "add", "remove", "name", "rank"])
        chosen = self.some()
        for key in chosen:
            row = self.rows[key]
            if kind == "move":
                row[:2] = self.place()
            elif kind == "nudge":
                row[0] += self.random.uniform(-0.2, 0.2)
            elif kind == "name":
                row[2] = f"Name {self.random.randrange(99)}"
            elif kind == "rank":
                row[3] = self.random.randrange(9)
        if kind == "add" or kind == "remove" and len(self.rows) <= len(chosen) + 3:
            self.add(len(chosen))
        elif kind == "remove":
            for key in chosen:
                del self.rows[key]
        return f"{kind} {len(chosen)}"

    def text(self, keys):
        lines = [f"{x:.5f},{y:.5f},{key},{name},{rank}" for key in keys for x, y, name, rank in [self.rows[key]]]
        return "\n".join(["lng,lat,key,name,rank", *lines]) + "\n"

    def write_data(self):
        (self.folder / "places.csv").write_text(self.text(self.rows))


class Radius(Points):
    """Clusters by radius, flat layout."""

    template = Points.template.replace("cluster: true", "cluster: true, clusterRadius: 50").replace("out.mbtiles", "out.mbtiles, layout: flat")
    look = {**Points.look, "taps": "compact"}

    def other(self, name):
        return "compact" if name == "taps" else super().other(name)


class Donuts(Points):
    """Donuts of clusters of the grid, whose slices follow from a rank."""

    keys = "cluster: true, clusterMaxZoom: 4, id: key, clusterProperties: " + (
        "{low: [+, [case, [<, [get, rank], 3], 1, 0]], high: [+, [case, [<, [get, rank], 3], 0, 1]]}"
    )
    template = """
version: 1
name: donuts
sources:
  places: {type: csv, data: places.csv, KEYS}
layers:
  - id: donut
    type: chart
    source: places
    filter: [has, point_count]
    layout: {chart-type: donut, chart-slices: [{value: [get, low], color: "<colour>"}, {value: [get, high], color: green}]}
    paint: {chart-radius: <radius>, chart-stroke-width: 1}
  - {id: disc, type: circle, source: places, filter: ["!", [has, point_count]]}
tiles: {maxzoom: <maxzoom>, scale: <scale>, snap: 1, interactivity: {format: <taps>, layers: [donut], fields: [name]}}
output: {path: out.mbtiles}
""".replace("KEYS", keys)
    look = {**Points.look, "radius": 12}


class Bubbles(Donuts):
    """Donuts that keep apart, by their size."""

    template = Donuts.template.replace("cluster: true", "cluster: true, clusterMethod: bubble")


class Cells(Points):
    """Hexagons with classes and aggregates of several types."""

    template = """
version: 1
name: cells
sources:
  places:
    type: csv
    data: places.csv
    id: key
    cluster: true
    clusterMethod: hexagon
    clusterCellSize: <size>
    clusterMaxZoom: 3
    classes: {method: quantile, n: 3}
    clusterProperties: {most: [mode, [get, name]], middle: [median, [get, rank]], top: [first, [get, name], {orderBy: [rank, desc]}]}
layers:
  - {id: cell, type: fill, source: places, paint: {fill-color: [match, [get, class], 0, "<colour>", 1, orange, purple]}}
  - {id: name, type: symbol, source: places, layout: {text-field: [coalesce, [get, top], [get, name]], text-font: [DejaVu Sans]}}
tiles: {maxzoom: <maxzoom>, scale: <scale>, interactivity: {format: <taps>, layers: [cell]}}
output: {path: out.mbtiles}
"""
    look = {"size": 40, "colour": "gold", "scale": "[1]", "taps": "utfgrid"}

    def other(self, name):
        return self.random.choice([24, 40, 64]) if name == "size" else super().other(name)


class Stacks(Points):
    """Spread points with legs."""

    template = Points.template.replace("cluster: true, clusterMaxZoom: 4,", "stacks: {from: 2, distance: 12, spacing: 10},").replace(
        "layers:\n", "layers:\n  - {id: leg, type: leg, source: places}\n", 1
    )


class Labels(Points):
    """Labels that look for room."""

    template = """
version: 1
name: labels
sources:
  places: {type: csv, data: places.csv, id: key}
layers:
  - {id: disc, type: circle, source: places, paint: {circle-radius: <radius>, circle-color: "<colour>"}}
  - id: label
    type: symbol
    source: places
    layout: {text-field: [get, name], text-font: [DejaVu Sans], text-size: <size>, symbol-sort-key: [get, rank]}
tiles: {maxzoom: <maxzoom>, scale: <scale>}
output: {path: out.mbtiles, layout: <layout>}
"""
    look = {"radius": 7, "colour": "red", "scale": "[1]", "layout": "dedup", "size": 14}
    maxzoom = 4


class Packed(Points):
    """A packed file."""

    template = Points.template.replace("places.csv", "places.csv.gz")

    def write_data(self):
        (self.folder / "places.csv.gz").write_bytes(gzip.compress(self.text(self.rows).encode(), mtime=0))


class Globbed(Points):
    """Several files as one source, which come and go."""

    template = Points.template.replace("data: places.csv", 'data: "parts/*.csv"')

    def write_data(self):
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        (self.folder / "parts").mkdir()
        parts = {}
        for key in self.rows:
            parts.setdefault(key // 40, []).append(key)
        for part, keys in parts.items():
            (self.folder / "parts" / f"{part:03d}.csv").write_text(self.text(keys))


class Logged(Points):
    """A file with a log of edits, which is sometimes laid into the file."""

    template = Points.template.replace("data: places.csv", "data: places.csv, edits: log.csv")

    def start(self):
        super().start()
        self.base, self.log = {}, []

    def write_data(self):
        if not self.base or self.random.random() < 0.05:
            self.base, self.log = {key: list(row) for key, row in self.rows.items()}, []
            (self.folder / "places.csv").write_text(self.text(self.rows))
        else:
            known = {**self.base, **{key: row for key, row in self.log}}
            for key in known:
                if known[key] is not None and key not in self.rows:
                    self.log.append((key, None))
            self.log += [(key, list(row)) for key, row in self.rows.items() if known.get(key) != row]
        lines = [f"{key},delete,,,," if row is None else f"{key},upsert,{row[0]:.5f},{row[1]:.5f},{row[2]},{row[3]}" for key, row in self.log]
        (self.folder / "log.csv").write_text("\n".join(["key,op,lng,lat,name,rank", *lines]) + "\n")


class Container(Points):
    """Clusters in a PMTiles file, which has no taps."""

    template = Points.template.replace(", interactivity: {format: <taps>, layers: [disc], fields: [name]}", "").replace("mbtiles", "pmtiles")
    look = {"radius": 7, "colour": "red", "scale": "[1]"}

    def digests(self, folder):
        paths = [folder / "out.pmtiles", folder / "out@2x.pmtiles"]
        return [digest(path) for path in paths[: 2 if "2" in self.values["scale"] else 1]]


class Packs(Points):
    """Clusters divided into packs of regions that move."""

    template = Container.template.replace("out.pmtiles", "out.mbtiles, packs: {by: regions.geojson, shared: {maxzoom: 2}}")
    look = Container.look

    def start(self):
        self.west = 0
        super().start()

    def change(self):
        if self.random.random() < 0.2:
            self.west = self.random.randrange(-9, 9)
            return f"region {self.west}"
        return super().change()

    def write_data(self):
        super().write_data()
        regions = []
        for name, west in ("West", self.west - 30), ("Middle", self.west), ("East", self.west + 20):
            ring = [[west, 30], [west + 25, 30], [west + 25, 60], [west, 60], [west, 30]]
            geometry = {"type": "Polygon", "coordinates": [ring]}
            regions.append({"type": "Feature", "properties": {"name": name}, "geometry": geometry})
        (self.folder / "regions.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": regions}))

    def digests(self, folder):
        twins = "2" in self.values["scale"]
        return {path.name: digest(path) for path in folder.glob("out*.mbtiles") if twins or "@" not in path.name}


class Lots(Ground):
    """Areas with outlines, names and compact taps."""

    template = """
version: 1
name: lots
sources:
  lots: {type: geojsonseq, data: lots.geojsonl, id: key}
layers:
  - {id: area, type: fill, source: lots, paint: {fill-color: "<colour>", fill-opacity: <opacity>}}
  - {id: edge, type: line, source: lots, paint: {line-color: brown, line-width: <width>}}
  - {id: label, type: symbol, source: lots, layout: {text-field: [get, name], text-font: [DejaVu Sans]}}
tiles: {maxzoom: <maxzoom>, scale: <scale>, interactivity: {format: compact, layers: [area], fields: [name]}}
output: {path: out.mbtiles, layout: <layout>}
"""
    look = {"colour": "gold", "opacity": 0.5, "width": 1.5, "scale": "[1]", "layout": "dedup"}

    def start(self):
        self.keys, self.lots = 0, {}
        self.add(self.random.randrange(20, 90))

    def ring(self):
        x, y, size = self.random.uniform(-60, 60), self.random.uniform(-50, 65), self.random.choice([0.5, 3, 3, 12, 40])
        turns = sorted(self.random.uniform(0, 2 * math.pi) for _ in range(self.random.randrange(3, 9)))
        ring = [[round(x + size * math.cos(t), 4), round(max(-84, min(84, y + size * math.sin(t) / 2)), 4)] for t in turns]
        return [*ring, ring[0]]

    def add(self, count):
        for _ in range(count):
            self.keys += 1
            self.lots[self.keys] = [self.ring(), f"Lot {self.keys % 23}"]

    def change(self):
        kind = self.random.choice(["shape", "name", "add", "remove"])
        chosen = self.random.sample(sorted(self.lots), min(len(self.lots), self.random.choice([1, 1, 2, 9])))
        for key in chosen:
            if kind == "shape":
                self.lots[key][0] = self.ring()
            elif kind == "name":
                self.lots[key][1] = f"Lot {self.random.randrange(99)}"
        if kind == "add" or kind == "remove" and len(self.lots) <= len(chosen) + 3:
            self.add(len(chosen))
        elif kind == "remove":
            for key in chosen:
                del self.lots[key]
        return f"{kind} {len(chosen)}"

    def write_data(self):
        lines = []
        for key, (ring, name) in self.lots.items():
            geometry = {"type": "Polygon", "coordinates": [ring]}
            lines.append(json.dumps({"type": "Feature", "properties": {"key": key, "name": name}, "geometry": geometry}))
        (self.folder / "lots.geojsonl").write_text("\n".join(lines) + "\n")


class Pictures(Points):
    """An image and icons under and over points."""

    template = """
version: 1
name: pictures
sources:
  sea: {type: image, url: sea.png, projection: equirectangular}
  places: {type: csv, data: places.csv, id: key}
images: {pin: pin.png}
layers:
  - {id: sea, type: raster, source: sea, paint: {raster-opacity: <opacity>}}
  - {id: pin, type: symbol, source: places, layout: {icon-image: pin, icon-size: <size>, icon-allow-overlap: true}}
tiles: {maxzoom: <maxzoom>, scale: <scale>}
output: {path: out.mbtiles, layout: <layout>}
"""
    look = {"opacity": 0.8, "size": 1, "scale": "[1]", "layout": "dedup"}
    maxzoom = 3

    def start(self):
        self.spots, self.pin = {}, (200, 0, 0, 255)
        super().start()

    def change(self):
        kind = self.random.choice(["points", "pixel", "part", "icon"])
        if kind == "points":
            return super().change()
        if kind == "icon":
            self.pin = (*(self.random.randrange(256) for _ in range(3)), 255)
        else:
            x, y = self.random.randrange(120), self.random.randrange(60)
            reach = 1 if kind == "pixel" else self.random.randrange(2, 40)
            for i in range(x, min(x + reach, 120)):
                for j in range(y, min(y + reach, 60)):
                    self.spots[i, j] = (self.random.randrange(256), 90, 30, self.random.choice([0, 128, 255]))
        return kind

    def write_data(self):
        super().write_data()
        (self.folder / "sea.png").write_bytes(png(120, 60, lambda x, y: self.spots.get((x, y), (x * 2, y * 4, x * y % 256, 255))))
        (self.folder / "sea.wld").write_text("2.0\n0.0\n0.0\n-1.5\n-120.0\n60.0\n")
        edge = [(0, 0, 0, 0), self.pin]
        (self.folder / "pin.png").write_bytes(png(10, 10, lambda x, y: edge[(x - 5) ** 2 + (y - 5) ** 2 < 20]))


class Frames(Pictures):
    """A series of images under points."""

    template = Pictures.template.replace("sea: {type: image, url: sea.png, projection: equirectangular}", """sea:
    type: image-series
    frames: "sea*.png"
    time: "sea%Y-%m-%d.png"
    every: 86400
    bounds: [-120, -60, 120, 60]
    projection: equirectangular""").replace(", layout: <layout>", "")
    look = {"opacity": 0.8, "size": 1, "scale": "[1]"}
    maxzoom = 2

    def digests(self, folder):
        twins = "2" in self.values["scale"]
        return {name: value for name, value in digests(folder / "out.mbtiles").items() if twins or "@" not in name}

    def write_data(self):
        super().write_data()
        picture = (self.folder / "sea.png").read_bytes()
        (self.folder / "sea.png").unlink()
        days = ["2024-05-01", "2024-05-02"]
        for day in days:
            (self.folder / f"sea{day}.png").write_bytes(picture if day == days[-1] else png(120, 60, lambda x, y: (x, y, 9, 255)))


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, data):
    """A field of protobuf: a number, or bytes with their length."""
    if isinstance(data, int):
        return varint(number << 3) + varint(data)
    return varint(number << 3 | 2) + varint(len(data)) + data


def zigzag(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def commands(points, closes):
    """The geometry of one path; a single point is a point."""
    out, at = b"", (0, 0)
    for i, (x, y) in enumerate(points):
        if i < 2:
            out += varint(9 if i == 0 else (len(points) - 1) << 3 | 2)
        out += zigzag(x - at[0]) + zigzag(y - at[1])
        at = (x, y)
    return out + (varint(15) if closes else b"")


def vector_tile(layers):
    """A Mapbox Vector Tile of {name: [(id, kind, points, name of the feature)]}, kind 1 to 3 as in the specification."""
    tile = b""
    for name, features in layers.items():
        texts = sorted({text for _, _, _, text in features})
        layer = field(15, 2) + field(1, name.encode())
        for key, kind, points, text in features:
            tags = varint(0) + varint(texts.index(text))
            layer += field(2, field(1, key) + field(2, tags) + field(3, kind) + field(4, commands(points, kind == 3)))
        layer += field(3, b"name") + b"".join(field(4, field(1, text.encode())) for text in texts) + field(5, 4096)
        tile += field(3, layer)
    return tile


class Tiles(Ground):
    """A folder of vector tiles, which change, come and go; beyond their last zoom, too."""

    template = """
version: 1
name: tiles
sources:
  world: {type: vector, data: tiles}
layers:
  - {id: area, type: fill, source: world, source-layer: areas, paint: {fill-color: "<colour>", fill-opacity: <opacity>}}
  - {id: line, type: line, source: world, source-layer: lines, paint: {line-width: <width>, line-dasharray: [3, 1]}}
  - {id: disc, type: circle, source: world, source-layer: points, paint: {circle-radius: <width>}}
  - {id: name, type: symbol, source: world, source-layer: points, layout: {text-field: [get, name], text-font: [DejaVu Sans]}}
  - {id: street, type: symbol, source: world, source-layer: lines, layout: {symbol-placement: line, text-field: [get, name], text-font: [DejaVu Sans]}}
tiles: {maxzoom: <maxzoom>, scale: <scale>}
output: {path: out.mbtiles, layout: <layout>}
"""
    look = {"colour": "teal", "opacity": 0.5, "width": 3, "scale": "[1]", "layout": "dedup"}
    maxzoom = 4
    zooms = range(0, 4)

    def start(self):
        self.tiles = {}
        for z in self.zooms:
            for x in range(2**z):
                for y in range(2**z):
                    if self.random.random() < 0.7:
                        self.tiles[z, x, y] = self.made()
        self.tiles[self.zooms[-1], 3, 3] = self.made()

    def made(self):
        def spot():
            return self.random.randrange(-128, 4224), self.random.randrange(-128, 4224)

        def around(count, reach):
            x, y = spot()
            turns = sorted(self.random.uniform(0, 2 * math.pi) for _ in range(count))
            return [(round(x + reach * math.cos(t)), round(y + reach * math.sin(t))) for t in turns]

        def named():
            return self.random.randrange(1, 60), f"Name {self.random.randrange(30)}"

        made = {"areas": [], "lines": [], "points": []}
        for _ in range(self.random.randrange(1, 5)):
            key, name = named()
            made["areas"].append((key, 3, around(5, self.random.randrange(200, 2500)), name))
            key, name = named()
            made["lines"].append((key, 2, [spot() for _ in range(self.random.randrange(2, 5))], name))
            key, name = named()
            made["points"].append((key, 1, [spot()], name))
        return {name: features for name, features in made.items() if self.random.random() < 0.9}

    def change(self):
        kind = self.random.choice(["change", "change", "add", "remove", "drop"])
        chosen = self.random.choice(sorted(self.tiles))
        if kind == "remove" and len(self.tiles) > 4:
            del self.tiles[chosen]
        elif kind == "add":
            z = self.random.choice(self.zooms)
            chosen = (z, self.random.randrange(2**z), self.random.randrange(2**z))
            self.tiles[chosen] = self.made()
        elif kind == "drop":
            for features in self.tiles[chosen].values():
                if features:
                    features.pop(self.random.randrange(len(features)))
        else:
            self.tiles[chosen] = self.made()
        return f"{kind} {'/'.join(map(str, chosen))}"

    def write_data(self):
        shutil.rmtree(self.folder / "tiles", ignore_errors=True)
        for (z, x, y), layers in self.tiles.items():
            path = self.folder / f"tiles/{z}/{x}/{y}.pbf"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(vector_tile(layers))


class RasterTiles(Ground):
    """A folder of raster tiles under a layer of them."""

    template = """
version: 1
name: imagery
sources:
  photo: {type: raster, data: tiles, tileSize: 256}
layers:
  - {id: photo, type: raster, source: photo, paint: {raster-opacity: <opacity>}}
tiles: {maxzoom: <maxzoom>, scale: <scale>}
output: {path: out.mbtiles, layout: <layout>}
"""
    look = {"opacity": 0.8, "scale": "[1]", "layout": "dedup"}
    maxzoom = 3

    def start(self):
        self.tiles = {(2, x, y): self.random.randrange(256) for x in range(4) for y in range(4)}

    def change(self):
        kind = self.random.choice(["change", "add", "remove"])
        chosen = (2, self.random.randrange(4), self.random.randrange(4))
        if kind == "remove" and len(self.tiles) > 2:
            self.tiles.pop(chosen, None)
        else:
            self.tiles[chosen] = self.random.randrange(256)
        return f"{kind} {chosen}"

    def write_data(self):
        shutil.rmtree(self.folder / "tiles", ignore_errors=True)
        for (z, x, y), value in self.tiles.items():
            path = self.folder / f"tiles/{z}/{x}/{y}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png(256, 256, lambda i, j, value=value: (value, i, j, 255)))


KINDS = {kind.__name__.lower(): kind for kind in (Points, Radius, Donuts, Bubbles, Cells, Stacks, Labels, Packed, Globbed, Logged, Container, Packs, Lots, Pictures, Frames, Tiles, RasterTiles)}


def compared(kind, seed, steps, folder):
    """Makes edits one after the other; fails at the first whose archive is not that of a full build."""
    ground = KINDS[kind](Path(folder) / f"{kind}-{seed}", seed)
    said = ["begin"]
    for step in range(steps + 1):
        if step:
            said.append(ground.edit())
        assert ground.built() == ground.built_whole(), f"{kind}, seed {seed}, after {' · '.join(said[-4:])}, edit {step}"
    shutil.rmtree(ground.folder)
    shutil.rmtree(ground.folder.with_name(f"{ground.folder.name}-whole"))


if __name__ == "__main__":
    import tempfile

    kinds = list(KINDS) if sys.argv[1] == "all" else [sys.argv[1]]
    for kind in kinds:
        compared(kind, int(sys.argv[2]), int(sys.argv[3]), tempfile.mkdtemp(prefix="quadrille-edits-"))
        print(kind, sys.argv[2], sys.argv[3], "edits: equal", flush=True)
