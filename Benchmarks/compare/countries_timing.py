"""Times Mapnik and MapLibre Native on country tiles: fill, 1 px border and label, 256 px, to PNG.

usage: countries_timing.py mapnik|maplibre FILE.geojson… [--zooms 0-8] [--tiles 60] [--fonts DIR] [--save DIR]

MapLibre Native needs an X display (xvfb-run -a) and draws with the CPU (Mesa's llvmpipe, one thread with LP_NUM_THREADS=0);
its zoom of a 256 px tile is one less than the tile's, so that it starts at tile zoom 1. One map is moved from tile to tile.
Prints a line a zoom: tiles that a border crosses, tiles rendered of them, evenly spread, median and mean wall ms, mean CPU ms (all threads), bytes a
tile.
"""
import argparse
import json
import os
import tempfile

import grid
import views

XML = """<Map srs="epsg:3857" background-color="#a8c8e8" buffer-size="64"><Style name="s"><Rule>
<PolygonSymbolizer fill="#d8e0c8"/><LineSymbolizer stroke="#806040" stroke-width="1"/>
</Rule></Style><Style name="t"><Rule>
<TextSymbolizer face-name="DejaVu Sans Book" size="12" fill="#222" halo-fill="white" halo-radius="1.5" placement="interior">[%s]</TextSymbolizer>
</Rule></Style><Layer name="l" srs="epsg:3857"><StyleName>s</StyleName><StyleName>t</StyleName><Datasource>
<Parameter name="type">geojson</Parameter><Parameter name="file">%s</Parameter>
</Datasource></Layer></Map>"""


def name_key(items):
    return "NAME" if "NAME" in items[0]["properties"] else "name"


def mapnik_pictures(items, folder, options):
    """A function that renders and encodes a tile with Mapnik."""
    import mapnik

    path = os.path.join(folder, "metres.geojson")
    grid.write_metres(items, path)
    peer = mapnik.Map(256, 256)
    mapnik.load_map_from_string(peer, XML % (name_key(items), path))
    image = mapnik.Image(256, 256)

    def draw(zoom, x, y):
        peer.zoom_to_box(mapnik.Box2d(*grid.box(zoom, x, y)))
        image.clear()
        mapnik.render(peer, image)
        return image.to_string("png32")

    return draw


def maplibre_pictures(items, folder, options):
    """A function that renders and encodes a tile with MapLibre Native."""
    import pymgl

    label = {"text-field": ["get", name_key(items)], "text-size": 12, "text-font": ["DejaVu Sans"]}
    style = {
        "version": 8,
        "glyphs": f"file://{os.path.abspath(options.fonts)}/{{fontstack}}/{{range}}.pbf",
        "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": items}}},
        "layers": [
            {"id": "b", "type": "background", "paint": {"background-color": "#a8c8e8"}},
            {"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "#d8e0c8"}},
            {"id": "l", "type": "line", "source": "s", "paint": {"line-color": "#806040", "line-width": 1}},
            {"id": "t", "type": "symbol", "source": "s", "layout": label, "paint": {"text-color": "#222", "text-halo-color": "#fff", "text-halo-width": 1.5}},
        ],
    }
    peer = pymgl.Map(json.dumps(style), 256, 256, 1, 0, 0, 0)

    def draw(zoom, x, y):
        peer.setCenter(*views.tile_center(zoom, x, y))
        peer.setZoom(zoom - 1)
        return peer.renderPNG()

    draw(1, 0, 0)  # the map's own set-up is not a tile's time
    return draw


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=("mapnik", "maplibre"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--zooms", default="0-8")
    parser.add_argument("--tiles", type=int, default=60)
    parser.add_argument("--fonts", default="/tmp/peers/fonts")
    parser.add_argument("--save", help="write one tile a zoom here")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    items = grid.features(options.files)
    low, _, high = options.zooms.partition("-")
    first = max(int(low), 1 if options.peer == "maplibre" else 0)
    with tempfile.TemporaryDirectory() as folder:
        draw = (mapnik_pictures if options.peer == "mapnik" else maplibre_pictures)(items, folder, options)
        print(f"# {options.peer}, {len(items)} countries")
        print("zoom\tof\ttiles\tmedian\tmean\tCPU\tbytes", flush=True)
        for zoom in range(first, int(high or low) + 1):
            every = grid.crossed(items, zoom)
            times, largest = grid.Times(), b""
            for x, y in grid.sample(every, options.tiles):
                picture = times.measure(lambda: draw(zoom, x, y))
                times.bytes += len(picture)
                largest = max(largest, picture, key=len)
            print(f"{zoom}\t{len(every)}\t{len(times.wall)}\t{times.line()}\t{times.bytes // len(times.wall)}", flush=True)
            if options.save:
                os.makedirs(options.save, exist_ok=True)
                with open(f"{options.save}/{options.peer}-{zoom}.png", "wb") as file:
                    file.write(largest)


if __name__ == "__main__":
    main()
