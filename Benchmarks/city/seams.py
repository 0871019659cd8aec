"""Compares tiles drawn from vector tiles with tiles drawn from the GeoJSON that they were made of.

usage: seams.py DIR --quadrille FILE --tippecanoe FILE [--side N] [--solid] [--save DIR]

DIR has the data of data.py. tippecanoe makes z12 to z14 with full detail and without dropping or simplifying; areas and lines of
the style are drawn at these zooms and two zooms beyond, in N × N tiles of z14 in the middle of the city. Prints for each zoom the
share of pixels that differ by more than 40 of 255, and the same share of the columns and rows beside the borders of source
tiles: where both are alike, there is no seam.
"""
import argparse
import io
import json
import math
import os
import sqlite3
import subprocess
import sys

import numpy
from PIL import Image

import streets
import style

FIRST, LAST, BEYOND = 12, 14, 2
SIDE, LIMIT = 512, 40
NEAR = 2  # pixels on each side of a border


def tile_corner(zoom, x, y):
    n = 2**zoom
    return x / n * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / n))))


def make(folder, tippecanoe):
    """The tiles, and each layer as a FeatureCollection; both without the members that only one of them reads."""
    layers = sorted(name for name in os.listdir(folder) if name.endswith(".geojsonl"))
    for name in layers:
        with open(f"{folder}/{name}", encoding="utf-8") as lines:
            features = [json.loads(line) for line in lines]
        for feature in features:
            feature.pop("tippecanoe")
        with open(f"{folder}/{name[:-1]}", "w", encoding="utf-8") as file:
            json.dump({"type": "FeatureCollection", "features": features}, file)
    subprocess.run(
        [tippecanoe, "-q", "-f", "-o", f"{folder}/full.mbtiles", f"-Z{FIRST}", f"-z{LAST}", "-d12", "-D12", "-r1", "-pf", "-pk", "-ps", "-pt",
         *(x for name in layers for x in ("-L", f"{name[:-len('.geojsonl')]}:{folder}/{name[:-1]}"))], check=True)


def write_styles(folder, is_solid):
    """One style for the tiles, one for the GeoJSON, with equal layers; solid ones have no dashes."""
    layers = [layer for layer in style.make() if layer["type"] in ("background", "fill", "line")]
    if is_solid:
        layers = [layer for layer in layers if "line-dasharray" not in layer["paint"]]
    tiles = style.maplibre(layers, "full.mbtiles")
    direct = json.loads(json.dumps(tiles))
    direct["sources"] = {}
    for layer in direct["layers"]:
        name = layer.pop("source-layer", None)
        if name:
            layer["source"] = name
            direct["sources"][name] = {"type": "geojson", "data": f"{name}.geojson"}
    for name, content in (("tiles", tiles), ("direct", direct)):
        with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(content, file)


def draw(quadrille, folder, name, zoom, area):
    """The picture of an area of tiles (left, top, right, bottom) at a zoom."""
    left, top, right, bottom = area
    west, north = tile_corner(zoom, left + 0.01, top + 0.01)
    east, south = tile_corner(zoom, right - 0.01, bottom - 0.01)
    source = ["--source", "openmaptiles=full.mbtiles"] if name == "tiles" else []
    subprocess.run(
        [quadrille, "build", f"{name}.json", *source, "-Z", str(zoom), "-z", str(zoom), f"--bbox={west},{south},{east},{north}", "-o", f"{name}.mbtiles"],
        check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    picture = numpy.zeros(((bottom - top) * SIDE, (right - left) * SIDE, 4), numpy.uint8)
    with sqlite3.connect(f"{folder}/{name}.mbtiles") as database:
        rows = database.execute("SELECT tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ?", (zoom,))
        for x, row, data in rows:
            y = 2**zoom - 1 - row
            if left <= x < right and top <= y < bottom:
                place = picture[(y - top) * SIDE:(y - top + 1) * SIDE, (x - left) * SIDE:(x - left + 1) * SIDE]
                place[:] = numpy.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
    return picture


def shares(wrong, source):
    """The share of wrong pixels, of those at the borders of source tiles of `source` px, and of all others, in percent."""
    height, width = wrong.shape
    def near(count):
        places = numpy.arange(count)
        inner = (places >= NEAR) & (places < count - NEAR)
        return inner & ((places + NEAR) % source < 2 * NEAR)
    border = near(height)[:, None] | near(width)[None, :]
    return [100 * float(wrong[mask].mean()) if mask.any() else 0.0 for mask in (numpy.ones_like(border), border, ~border)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--quadrille", required=True)
    parser.add_argument("--tippecanoe", default="tippecanoe")
    parser.add_argument("--side", type=int, default=2, help="an even number")
    parser.add_argument("--solid", action="store_true", help="leaves out dashed lines, whose phase follows from tiles")
    parser.add_argument("--save", help="writes the pictures here")
    options = parser.parse_args()
    folder, quadrille = os.path.abspath(options.folder), os.path.abspath(options.quadrille)
    if not os.path.exists(f"{folder}/full.mbtiles"):
        make(folder, options.tippecanoe)
    style.write_sprite(folder)
    write_styles(folder, options.solid)
    half = options.side // 2
    middle = [(2 * place + 1) << (LAST - streets.ZOOM - 1) for place in (streets.COLUMN, streets.ROW)]
    print("zoom\twrong %\tat borders %\telsewhere %\tlargest difference")
    for zoom in range(FIRST, LAST + BEYOND + 1):
        unit = 2 ** max(zoom - LAST, 0)
        center = [place * unit if zoom >= LAST else place >> (LAST - zoom) for place in middle]
        area = (center[0] - half * unit, center[1] - half * unit, center[0] + half * unit, center[1] + half * unit)
        pictures = [draw(quadrille, folder, name, zoom, area) for name in ("tiles", "direct")]
        difference = numpy.abs(pictures[0].astype(int) - pictures[1].astype(int)).max(axis=2)
        numbers = shares(difference > LIMIT, SIDE * unit)
        print(f"{zoom}\t" + "\t".join(f"{number:.4f}" for number in numbers) + f"\t{difference.max()}", flush=True)
        if options.save:
            os.makedirs(options.save, exist_ok=True)
            for name, picture in zip(("tiles", "direct"), pictures):
                Image.fromarray(picture).save(f"{options.save}/{zoom}-{name}.png")
            Image.fromarray(numpy.minimum(difference * 4, 255).astype(numpy.uint8)).save(f"{options.save}/{zoom}-difference.png")


if __name__ == "__main__":
    sys.exit(main())
