"""Draws tiles with a peer, one after the other in one warm process. usage: peers.py pymgl|mapnik DIR TILES [--save DIR]

TILES is a file with a tile `z/x/y` (rows southward) a line; a PNG of 512 px is made of each. Prints `z ms` for each tile,
the processor time of all threads. With `mapnik:4` Mapnik draws squares of 4 × 4 tiles at once, as servers do, and each tile
has its share.
"""
import argparse
import json
import math
import os
import time

import style

SIDE = 512
WORLD = 20_037_508.342789244
WARM = 6  # tiles drawn before the first that counts


def mercator(z, x, y):
    size = 2 * WORLD / 2**z
    return (x * size - WORLD, WORLD - (y + 1) * size, (x + 1) * size - WORLD, WORLD - y * size)


class MapLibre:
    """MapLibre Native by pymgl; glyphs are files that compare/glyphs.py made."""

    def __init__(self, folder, fonts):
        import pymgl
        description = style.maplibre(style.make(), f"mbtiles://{folder}/city.mbtiles")
        description["glyphs"] = f"file://{fonts}/{{fontstack}}/{{range}}.pbf"
        description["sprite"] = f"file://{folder}/sprite"
        self.map = pymgl.Map(json.dumps(description), SIDE, SIDE, 1, 0, 0, 0)

    def draw(self, tiles):
        (z, x, y), = tiles
        n = 2**z
        self.map.setCenter((x + 0.5) / n * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * (y + 0.5) / n)))))
        self.map.setZoom(z)
        return [self.map.renderPNG()]


class Mapnik:
    def __init__(self, folder, _fonts):
        import mapnik
        import mapnik_style
        self.mapnik = mapnik
        mapnik.register_fonts("/usr/share/fonts/truetype/dejavu")
        self.map = mapnik.Map(SIDE, SIDE)
        mapnik.load_map_from_string(self.map, mapnik_style.map_xml(style.make(), folder))

    def draw(self, tiles):
        z = tiles[0][0]
        columns, rows = [x for _, x, _ in tiles], [y for _, _, y in tiles]
        left, top = min(columns), min(rows)
        width, height = max(columns) - left + 1, max(rows) - top + 1
        west, _, _, north = mercator(z, left, top)
        _, south, east, _ = mercator(z, left + width - 1, top + height - 1)
        self.map.resize(width * SIDE, height * SIDE)
        self.map.zoom_to_box(self.mapnik.Box2d(west, south, east, north))
        image = self.mapnik.Image(width * SIDE, height * SIDE)
        self.mapnik.render(self.map, image)
        return [image.view((x - left) * SIDE, (y - top) * SIDE, SIDE, SIDE).tostring("png") for _, x, y in tiles]


def groups(tiles, side):
    """The tiles of each square of `side` × `side` tiles."""
    out = {}
    for z, x, y in tiles:
        out.setdefault((z, x // side, y // side), []).append((z, x, y))
    return list(out.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer")
    parser.add_argument("folder")
    parser.add_argument("tiles")
    parser.add_argument("--fonts", default=os.environ.get("PEER_FONTS", "/tmp/peers/fonts"))
    parser.add_argument("--save", help="writes the pictures here")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    name, _, side = options.peer.partition(":")
    folder = os.path.abspath(options.folder)
    peer = {"pymgl": MapLibre, "mapnik": Mapnik}[name](folder, os.path.abspath(options.fonts))
    with open(options.tiles, encoding="utf-8") as file:
        tiles = [tuple(map(int, line.split("/"))) for line in file]
    work = groups(tiles, int(side or 1))
    for group in work[-WARM:] if not side else work[-1:]:
        peer.draw(group)
    for group in work:
        start = time.process_time()
        pictures = peer.draw(group)
        spent = (time.process_time() - start) * 1000 / len(group)
        for (z, x, y), picture in zip(group, pictures):
            print(f"{z} {spent:.2f}", flush=True)
            if options.save:
                os.makedirs(options.save, exist_ok=True)
                with open(f"{options.save}/{z}-{x}-{y}.png", "wb") as file:
                    file.write(picture)


if __name__ == "__main__":
    main()
