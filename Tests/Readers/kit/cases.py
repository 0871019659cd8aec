"""What the readers are asked to show: each archive of Tests/Readers/pipelines at three zooms."""

import json
import os

from kit.archive import Archive, View

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))
GROUND = os.path.join(ROOT, ".build-readers")
ARCHIVES = os.path.join(GROUND, "archives")
SHOTS = os.path.join(GROUND, "shots")
PROGRAM = os.environ.get("QUADRILLE", os.path.join(ROOT, ".build/release/quadrille"))
FRAME = "2014-01-19T0745Z"

# of one density each, in other formats than PNG
OTHERS = {"hotels-webp": (3, 11, 16)}
ZOOMS = {"hotels": (3, 11, 16), "parcels": (13, 14, 15), "parcels-floors": (13, 14, 15), "rain": (4, 5, 7)}


def path(name, density):
    suffix = "@2x" if density == 2 else ""
    return f"{ARCHIVES}/rain{suffix}/{FRAME}.mbtiles" if name == "rain" else f"{ARCHIVES}/{name}{suffix}.mbtiles"


class Case:
    """One archive in one density."""

    def __init__(self, name, density):
        self.name, self.density = name, density
        self.path = path(name, density)
        self.zooms = (ZOOMS | OTHERS)[name]

    def __str__(self):
        return f"{self.name}@{self.density}x"

    @property
    def format(self):
        """The ending of a tile's file."""
        return self.open().metadata["format"]

    def open(self):
        archive = Archive(self.path)
        assert archive.density == self.density
        return archive

    def views(self):
        archive = self.open()
        return [View(archive, zoom) for zoom in self.zooms]


CASES = [Case(name, density) for name in ZOOMS for density in (1, 2)] + [Case(name, 1) for name in OTHERS]


def frames(density=1):
    """The archives of the series, in order of time."""
    suffix = "@2x" if density == 2 else ""
    with open(f"{ARCHIVES}/rain{suffix}.frames.json", encoding="utf-8") as file:
        return [os.path.join(ARCHIVES, frame["file"]) for frame in json.load(file)["frames"]]
