"""Small pipelines with data of their own, and how each is built on one machine."""

import random
import struct
import zlib
from pathlib import Path

from kit.program import ROOT, digests, quadrille

KINDS = ["hotels", "labels", "grids", "compact", "image", "series"]

# Labels that look for room: whether one is drawn depends on those before it, also beyond the border of a shard.
LABELS = """
version: 1
name: labels
sources:
  places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 3, id: name}
layers:
  - {id: disc, type: circle, source: places, paint: {circle-radius: 6, circle-color: [case, [has, point_count], red, green]}}
  - id: label
    type: symbol
    source: places
    layout:
      text-field: [coalesce, [get, name], [concat, "Group of ", [to-string, [get, point_count]]]]
      text-font: [DejaVu Sans]
      text-size: 14
tiles: {maxzoom: 5, scale: [1, 2]}
output: {path: out.mbtiles}
"""

TAPS = """
version: 1
name: taps
sources:
  places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 2, id: name}
  lots: {type: geojsonseq, data: lots.geojsonl}
layers:
  - {id: area, type: fill, source: lots, paint: {fill-color: orange, fill-opacity: 0.5}}
  - {id: edge, type: line, source: lots, paint: {line-color: brown, line-width: 2}}
  - {id: disc, type: circle, source: places, paint: {circle-radius: 7}}
tiles: {maxzoom: 4, interactivity: {FORMAT}}
output: {path: out.mbtiles}
"""

IMAGE = """
version: 1
name: image
sources:
  sea: {type: image, url: sea.png, projection: equirectangular}
  places: {type: csv, data: places.csv}
layers:
  - {id: sea, type: raster, source: sea}
  - {id: disc, type: circle, source: places, paint: {circle-radius: 5, circle-color: white}}
tiles: {maxzoom: 4}
output: {path: out.mbtiles}
"""

SERIES = """
version: 1
name: series
sources:
  rain: {type: image-series, frames: "in/*.png", time: "%Y%m%d%H", bounds: [-30, 30, 40, 65], keep: 9}
  places: {type: csv, data: places.csv}
layers:
  - {id: rain, type: raster, source: rain}
  - {id: disc, type: circle, source: places, paint: {circle-radius: 4, circle-color: white}}
tiles: {maxzoom: 3, scale: [1, 2]}
output: {path: out.mbtiles}
"""


class Sample:
    """A pipeline of one kind in a folder of its own, with the digests of its archives built on one machine."""

    def __init__(self, folder, kind, rows=400, seed=3):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kind = kind
        self.pipeline = self.folder / f"{kind}.yml"
        numbers = random.Random(seed)
        if kind == "hotels":
            self._write_hotels(numbers, rows)
        else:
            self._write_places(numbers, rows)
            self.pipeline.write_text({"labels": LABELS, "image": IMAGE, "series": SERIES}.get(kind) or TAPS.replace(
                "{FORMAT}", "{format: compact}" if kind == "compact" else "{}"))
        if kind in ("grids", "compact"):
            self._write_lots(numbers, 60)
        if kind == "image":
            self._write_picture("sea.png")
            (self.folder / "sea.wld").write_text("2.0\n0.0\n0.0\n-1.5\n-120.0\n60.0\n")
        if kind == "series":
            (self.folder / "in").mkdir()
            for hour in range(10):
                self._write_picture(f"in/201401190{hour}.png", shift=hour * 9)
        # Named as merges name theirs: the files of a series have its name inside.
        self.one = self.folder / "merged.mbtiles"
        quadrille("build", "-q", "--no-cache", self.pipeline, "-o", self.one)
        self.digests = digests(self.one)
        assert self.digests

    def _write_hotels(self, numbers, rows):
        """The pipeline of pipelines/hotels.yml over fewer points and zooms."""
        text = (ROOT / "pipelines/hotels.yml").read_text()
        for old, new in [
            ("data: data/hotels.csv", "data: hotels.csv"), ("maxzoom: 16", "maxzoom: 7"),
            ("path: ../output/us-hotels.mbtiles", "path: out.mbtiles"), ("min: 80000", "min: 1"),
        ]:
            assert old in text, f"pipelines/hotels.yml has no '{old}' any more"
            text = text.replace(old, new)
        self.pipeline.write_text(text)
        lines = []
        for row in range(rows):
            lng, lat = numbers.uniform(-124, -67), numbers.uniform(25, 49)
            lines.append(f"{lng:.5f},{lat:.5f},Hotel {row},US,+1 {row:07d}")
        (self.folder / "hotels.csv").write_text("\n".join(lines) + "\n")

    def _write_places(self, numbers, rows):
        lines = ["lng,lat,name"]
        for row in range(rows):
            lines.append(f"{numbers.gauss(10, 25):.4f},{numbers.gauss(45, 8):.4f},Place number {row}")
        (self.folder / "places.csv").write_text("\n".join(lines) + "\n")

    def _write_lots(self, numbers, rows):
        lines = []
        for row in range(rows):
            x, y = numbers.uniform(-30, 50), numbers.uniform(20, 60)
            ring = [[x, y], [x + 6, y], [x + 5, y + 4], [x, y + 4], [x, y]]
            corners = ",".join(f"[{lng:.4f},{lat:.4f}]" for lng, lat in ring)
            lines.append(
                f'{{"type":"Feature","properties":{{"name":"Lot {row}"}},'
                f'"geometry":{{"type":"Polygon","coordinates":[[{corners}]]}}}}')
        (self.folder / "lots.geojsonl").write_text("\n".join(lines) + "\n")

    def _write_picture(self, name, width=120, height=60, shift=0):
        rows = b"".join(
            b"\0" + b"".join(bytes(((x + shift) * 2 % 256, y * 4, x * y % 256)) for x in range(width))
            for y in range(height))

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        (self.folder / name).write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

    def plan(self, folder, shards):
        """Plans the build into a folder."""
        quadrille("plan", "-q", "--no-cache", self.pipeline, "--shards", shards, "-o", folder)
        return Path(folder)


def part(plan, shard):
    """The path of a shard's part."""
    return Path(plan) / "parts" / f"part-{shard:05d}.tiles"
