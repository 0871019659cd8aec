"""Times Mapnik on polygon tiles, one core: translucent fill and red 1 px outline, 256 px, to PNG.

usage: mapnik_parcels.py FILE.geojson [--zooms 13-17] [--tiles 400] [--formats png8,png32] [--save DIR]

The file is reprojected once and held in memory behind Mapnik's R-tree (the geojson plugin's cache) before any tile is
timed; every tile is rendered with a buffer of 4 px. Prints a line a zoom and format: tiles of the zoom, tiles rendered,
median and mean wall ms and mean CPU ms of rendering, the same of encoding, and bytes a tile.
"""
import argparse
import os
import tempfile

import mapnik

import grid

STYLE = """<Map srs="epsg:3857" background-color="transparent" buffer-size="4"><Style name="s"><Rule>
<PolygonSymbolizer fill="rgb(64,0,0)" fill-opacity="0.25"/><LineSymbolizer stroke="red" stroke-width="1"/>
</Rule></Style><Layer name="l" srs="epsg:3857"><StyleName>s</StyleName><Datasource>
<Parameter name="type">geojson</Parameter><Parameter name="file">%s</Parameter>
</Datasource></Layer></Map>"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--zooms", default="13-17")
    parser.add_argument("--tiles", type=int, default=400, help="at most so many a zoom, evenly spread")
    parser.add_argument("--formats", default="png8,png32")
    parser.add_argument("--save", help="write one tile a zoom here")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    low, _, high = options.zooms.partition("-")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "metres.geojson")
        boxes = grid.write_metres(grid.features([options.file]), path)
        peer = mapnik.Map(256, 256)
        mapnik.load_map_from_string(peer, STYLE % path)
        print(f"# {os.path.basename(options.file)}: {len(boxes)} polygons")
        print("zoom\tof\ttiles\tformat\trender median\tmean\tCPU\tencode median\tmean\tCPU\tbytes", flush=True)
        for zoom in range(int(low), int(high or low) + 1):
            time_zoom(peer, boxes, zoom, options)


def time_zoom(peer, boxes, zoom, options):
    every = grid.touched(boxes, zoom)
    tiles = grid.sample(every, options.tiles)
    image = mapnik.Image(256, 256)
    for form in options.formats.split(","):
        rendering, encoding = grid.Times(), grid.Times()
        largest = b""
        for x, y in tiles:
            peer.zoom_to_box(mapnik.Box2d(*grid.box(zoom, x, y)))
            image.clear()
            rendering.measure(lambda: mapnik.render(peer, image))
            picture = encoding.measure(lambda: image.to_string(form))
            encoding.bytes += len(picture)
            largest = max(largest, picture, key=len)
        mean_bytes = encoding.bytes // len(tiles)
        print(f"{zoom}\t{len(every)}\t{len(tiles)}\t{form}\t{rendering.line()}\t{encoding.line()}\t{mean_bytes}", flush=True)
        if options.save:
            os.makedirs(options.save, exist_ok=True)
            with open(f"{options.save}/{zoom}.{form}.png", "wb") as file:
                file.write(largest)


if __name__ == "__main__":
    main()
