"""Twelve pipelines for which a ceiling of memory matters, each with data of a given size, and the memory of a run.

By hand: python memory.py KIND FOLDER [SIZE] writes the pipeline and its data; SIZE 1 is the size of the long tests.
"""

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from kit.edits import png, vector_tile  # noqa: E402
from kit.program import PROGRAM  # noqa: E402

DISC = "{id: disc, type: circle, source: data, paint: {circle-radius: 8, circle-color: teal}}"
LABEL = "{id: label, type: symbol, source: data, layout: {text-field: %s, text-size: 11, text-font: [DejaVu Sans]}}"
COUNT = LABEL % "'{point_count_abbreviated}'"
FILL = "{id: area, type: fill, source: data, %spaint: {fill-color: teal, fill-opacity: 0.6}}"
LINE = "{id: line, type: line, source: data, paint: {line-width: 2}}"
CLUSTERED = "{type: csv, data: data.csv, cluster: true, clusterMethod: grid}"
PLAIN = "{type: csv, data: data.csv}"
GEOJSON = "{type: geojsonseq, data: data.geojsonl}"


def places(count, spread):
    """Points around 3,000 towns, or everywhere."""

    def write(folder, size):
        numbers = random.Random(1)
        towns = [(numbers.uniform(-170, 170), numbers.uniform(-60, 70), numbers.uniform(0.05, 3)) for _ in range(3000)]
        with open(folder / "data.csv", "w") as file:
            file.write("lng,lat,name\n")
            for number in range(int(count * size)):
                if spread:
                    x, y = numbers.uniform(-179.9, 179.9), numbers.uniform(-84, 84)
                else:
                    east, north, reach = towns[numbers.randrange(3000)]
                    x = min(max(numbers.gauss(east, reach), -179.9), 179.9)
                    y = min(max(numbers.gauss(north, reach), -84), 84)
                file.write(f"{x:.5f},{y:.5f},Place {number}\n")

    return write


def shapes(count, kind):
    """Lots of a city, or roads."""

    def write(folder, size):
        numbers = random.Random(2)
        with open(folder / "data.geojsonl", "w") as file:
            for number in range(int(count * size)):
                x, y = numbers.uniform(8, 9), numbers.uniform(50, 51)
                ends = [(x, y), (x + 4e-4, y), (x + 4e-4, y + 3e-4), (x, y + 3e-4), (x, y)]
                shape = [ends] if kind == "Polygon" else ends[:3]
                feature = {"type": "Feature", "properties": {"name": f"Lot {number}", "floors": number % 9},
                           "geometry": {"type": kind, "coordinates": shape}}
                file.write(json.dumps(feature) + "\n")

    return write


def tiles(count):
    """Vector tiles of zoom 8 with areas that reach over their edges."""

    def write(folder, size):
        numbers = random.Random(3)
        side = max(2, int((count * size) ** 0.5))
        for x in range(100, 100 + side):
            for y in range(80, 80 + side):
                areas = []
                for number in range(60):
                    west, north = numbers.randrange(-60, 3900), numbers.randrange(-60, 3900)
                    corners = [(0, 0), (260, 0), (260, 220), (130, 250), (0, 220)]
                    areas.append((number, 3, [(west + i, north + j) for i, j in corners], f"Area {number}"))
                path = folder / f"tiles/8/{x}/{y}.pbf"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(vector_tile({"areas": areas}))

    return write


def picture(folder, size):
    side = int(3000 * size**0.5)
    (folder / "data.png").write_bytes(png(side, side, lambda x, y: (x % 256, y % 256, x * y % 251, 255)))


# The source, the layers, the keys of `tiles`, and the writer of the data.
KINDS = {
    "counts": (CLUSTERED, [DISC, COUNT], "maxzoom: 10, tileSize: 256, fill: children", places(2_000_000, False)),
    "uniform": (CLUSTERED, [DISC], "maxzoom: 8", places(5_000_000, True)),
    "dots": (PLAIN, [DISC], "maxzoom: 9", places(1_000_000, False)),
    "labels": (PLAIN, [LABEL % "'{name}'"], "maxzoom: 7", places(500_000, False)),
    "radius": ("{type: csv, data: data.csv, cluster: true}", [DISC, COUNT], "maxzoom: 8", places(300_000, False)),
    "heat": (PLAIN, ["{id: heat, type: heatmap, source: data}"], "maxzoom: 7", places(500_000, False)),
    "grids": (CLUSTERED, [DISC], "maxzoom: 7, interactivity: {format: utfgrid}", places(300_000, False)),
    "taps": (CLUSTERED, [DISC], "maxzoom: 8, interactivity: {format: compact}", places(500_000, False)),
    "lots": (GEOJSON, [FILL % "", LINE], "minzoom: 8, maxzoom: 14", shapes(200_000, "Polygon")),
    "roads": (GEOJSON, [LINE], "minzoom: 8, maxzoom: 14", shapes(300_000, "LineString")),
    "tiles": ("{type: vector, data: tiles}", [FILL % "source-layer: areas, "], "minzoom: 5, maxzoom: 9", tiles(2000)),
    "picture": ("{type: image, url: data.png, bounds: [8, 48, 12, 52]}",
                ["{id: photo, type: raster, source: data}"], "minzoom: 4, maxzoom: 11", picture),
}


def write(kind, folder, size):
    """Writes the pipeline of a kind and its data; returns its path."""
    source, layers, keys, data = KINDS[kind]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    data(folder, size)
    lines = ["version: 1", f"name: {kind}", "sources:", f"  data: {source}", "layers:"]
    lines += [f"  - {layer}" for layer in layers]
    lines += [f"tiles: {{{keys}}}", "output: {path: out.mbtiles}"]
    path = folder / "map.yml"
    path.write_text("\n".join(lines) + "\n")
    return path


def anonymous(process):
    """The anonymous memory of a process in bytes; 0 once it has ended."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


class Run:
    """A build, with the most memory that the system says it held, and its report."""

    def __init__(self, pipeline, *options, timeout=1800):
        self.peak = 0
        arguments = [PROGRAM, "build", "-f", "--no-cache", "-j", "2", "--progress", "none", pipeline.name, *options]
        process = subprocess.Popen(
            arguments, cwd=pipeline.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        is_over = threading.Event()

        def watch():
            while not is_over.wait(0.01):
                self.peak = max(self.peak, anonymous(process.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            _, errors = process.communicate(timeout=timeout)
        finally:
            process.kill()
            is_over.set()
            watcher.join()
        assert process.returncode == 0, errors
        self.report = json.loads((pipeline.parent / "out.report.json").read_text())

    @property
    def told(self):
        return self.report["peakAnonymousBytes"]

    @property
    def notes(self):
        return self.report.get("notes", [])

    @property
    def says_so(self):
        """Whether the report says that the run held more than it was given."""
        return any("more than the" in note and "--memory" in note for note in self.notes)


if __name__ == "__main__":
    print(write(sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 1))
