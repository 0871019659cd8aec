"""Writes cases over real vector tiles. usage: vector_cases.py TILES DIR (TILES: a folder of 13-x-y.mvt in the schema of Mapbox Streets v7)

One case for each property and each form of its value, in the manner of the published render tests: a view of a few hundred pixels
at the source's zoom or beyond it. DIR also gets the tiles as `tiles/z-x-y.mvt` and a sprite of generated shapes.
"""
import glob
import json
import os
import shutil
import sys

from PIL import Image, ImageDraw

PLACE = (-87.6685, 41.8715)  # near a corner of four tiles of z13, among many streets and areas
CROWD = (-87.6285, 41.8849)  # near a border of tiles, among many points of interest
MAXZOOM = 13
WHITE = {"id": "background", "type": "background", "paint": {"background-color": "white"}}
LAYOUT = (
    "-cap -join -miter-limit -round-limit -sort-key visibility -placement -spacing -avoid-edges -anchor -field -font text-size icon-size"
    " icon-image -rotate -offset -justify -max-width -line-height -letter-spacing -transform -padding -allow-overlap -ignore-placement"
    " -keep-upright -max-angle -alignment -optional -fit -writing-mode -z-order -overlap"
).split()


def is_layout(name):
    if "translate" in name or name.startswith(("line-offset", "line-gap")):
        return False
    return name.startswith("visibility") or any(name.endswith(end) for end in LAYOUT)


def layer(kind, source_layer, properties, filter=None, **more):
    out = {"id": f"{kind}-{source_layer}", "type": kind, "source": "streets", "source-layer": source_layer, **more}
    if filter:
        out["filter"] = filter
    for name, value in properties.items():
        out.setdefault("layout" if is_layout(name) else "paint", {})[name] = value
    return out


def stops(*pairs, **more):
    return {"stops": [list(pair) for pair in pairs], **more}


def by_class(first, second, other):
    return ["match", ["get", "class"], "main", first, ["street", "motorway"], second, other]


class Cases:
    def __init__(self, folder):
        self.folder, self.names = folder, []

    def add(self, name, layers, zoom=14, size=(256, 256), ratio=1, center=PLACE):
        assert name not in self.names, name
        self.names.append(name)
        layers = [{**item, "id": f"{i}-{item['id']}"} for i, item in enumerate([WHITE, *layers])]
        streets = {"type": "vector", "maxzoom": MAXZOOM, "tiles": ["local://tiles/{z}-{x}-{y}.mvt"]}
        style = {
            "version": 8,
            "name": name,
            "metadata": {"test": {"width": size[0], "height": size[1], "pixelRatio": ratio}},
            "center": list(center), "zoom": zoom,
            "sprite": "local://sprites/sprite", "sources": {"streets": streets}, "layers": layers,
        }  # fmt: skip
        with open(f"{self.folder}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(style, file, indent=1)


def fills(cases):
    def fill(name, layer_name="landuse", zoom=14, ratio=1, filter=None, **properties):
        cases.add(f"fill-{name}", [layer("fill", layer_name, {k.replace("_", "-"): v for k, v in properties.items()}, filter)], zoom, ratio=ratio)

    fill("color-default")
    fill("color-literal", fill_color="#c04020")
    fill("color-function", zoom=14.5, fill_color=stops([14, "red"], [15, "green"]))
    fill("color-property", fill_color=["match", ["get", "class"], "park", "green", "school", "#ccaa44", "#6644aa"])
    fill("opacity-literal", fill_color="#c04020", fill_opacity=0.5)
    fill("opacity-function", zoom=13.3, fill_color="#c04020", fill_opacity=stops([13, 0.1], [14, 0.9]))
    fill("opacity-property", fill_color="#2040c0", fill_opacity=["case", ["==", ["get", "class"], "park"], 0.8, 0.3])
    fill("outline-default", fill_antialias=True, fill_color="#e0e0c0")
    fill("outline-literal", fill_color="#e0e0c0", fill_outline_color="#a02020")
    fill("outline-function", zoom=14.4, fill_color="#e0e0c0", fill_outline_color=stops([13, "#a02020"], [16, "#20a020"]))
    fill("outline-opacity", fill_color="#e0e0c0", fill_outline_color="#a02020", fill_opacity=0.5)
    fill("outline-multiply", fill_color="rgba(224,224,192,0.5)", fill_outline_color="rgba(160,32,32,0.5)")
    fill("outline-transparent", fill_color="transparent", fill_outline_color="#a02020")
    fill("antialias-false", fill_color="#204080", fill_antialias=False)
    fill("antialias-false-2x", ratio=2, fill_color="#204080", fill_antialias=False)
    fill("color-2x", ratio=2, fill_color="#c04020")
    fill("buildings-overzoom", "building", zoom=16, fill_color="#806040")
    fill("water", "water", zoom=13, fill_color="#3060c0")
    fill("pattern-literal", fill_pattern="hatch")
    fill("pattern-opacity", fill_pattern="hatch", fill_opacity=0.5)
    fill("pattern-2x", ratio=2, fill_pattern="hatch")
    fill("pattern-zoomed", zoom=14.5, fill_pattern="hatch")
    fill("pattern-uneven", fill_pattern="uneven")
    fill("pattern-property", fill_pattern=["match", ["get", "class"], "park", "hatch", "uneven"])
    fill("translate-literal", fill_color="#c04020", fill_translate=[20, 12])
    fill("translate-function", zoom=14.5, fill_color="#c04020", fill_translate=stops([14, [0, 0]], [15, [30, 10]]))
    fill("translate-viewport", fill_color="#c04020", fill_translate=[20, 12], fill_translate_anchor="viewport")
    fill("sort-key", fill_color=["match", ["get", "class"], "park", "green", "#c0a040"], fill_sort_key=["match", ["get", "class"], "park", 2, 1])
    fill("filter", filter=["==", "class", "park"], fill_color="green")


def lines(cases):
    def line(name, layer_name="road", zoom=14, ratio=1, filter=("==", "$type", "LineString"), size=(256, 256), **properties):
        cases.add(f"line-{name}", [layer("line", layer_name, {k.replace("_", "-"): v for k, v in properties.items()}, list(filter))], zoom, size, ratio)

    main = ["in", "class", "main", "motorway", "street"]
    line("default")
    line("color-literal", line_color="#0050a0")
    line("color-function", zoom=14.5, line_color=stops([14, "red"], [15, "green"]), line_width=3)
    line("color-property", line_color=by_class("red", "blue", "#888"), line_width=3)
    line("width-literal", line_width=6)
    line("width-function", zoom=14.5, line_width=stops([14, 1], [16, 9]))
    line("width-property", line_width=by_class(6, 3, 1))
    line("width-thin", line_width=0.4)
    line("width-2x", ratio=2, line_width=4)
    line("width-overscaled", zoom=17, line_width=10)
    line("opacity-literal", line_width=6, line_opacity=0.4)
    line("opacity-property", line_width=6, line_opacity=by_class(0.8, 0.5, 0.2))
    line("blur-literal", line_width=8, line_blur=4)
    line("blur-property", line_width=8, line_blur=by_class(6, 3, 1))
    for cap in ("butt", "round", "square"):
        line(f"cap-{cap}", zoom=16, filter=main, line_width=14, line_cap=cap)
    for join in ("bevel", "miter", "round"):
        line(f"join-{join}", zoom=16, filter=main, line_width=14, line_join=join)
        line(f"join-{join}-translucent", zoom=16, filter=main, line_width=14, line_join=join, line_opacity=0.5)
    line("join-property", zoom=16, filter=main, line_width=14, line_join=by_class("bevel", "round", "miter"))
    dash = {"line_width": 4, "line_color": "#c02020"}
    line("dasharray-literal", filter=main, line_dasharray=[3, 2], **dash)
    line("dasharray-long", filter=main, line_dasharray=[10, 5], **dash)
    line("dasharray-fractional", zoom=14.5, filter=main, line_dasharray=[3, 2], **dash)
    line("dasharray-round", zoom=15, filter=main, line_dasharray=[0, 2], line_cap="round", **dash)
    line("dasharray-square", zoom=15, filter=main, line_dasharray=[2, 3], line_cap="square", **dash)
    line("dasharray-function", zoom=14.5, filter=main, line_dasharray=stops([13, [2, 2]], [14, [4, 1]]), **dash)
    line("dasharray-overscaled", zoom=17, filter=main, line_dasharray=[3, 2], line_width=8)
    line("dasharray-four", filter=main, line_dasharray=[6, 2, 1, 2], **dash)
    line("dasharray-2x", ratio=2, filter=main, line_dasharray=[3, 2], **dash)
    line("dasharray-source-zoom", zoom=13, filter=main, line_dasharray=[3, 2], **dash)
    line("dasharray-width-zoom", zoom=14.5, filter=main, line_dasharray=[3, 2], line_width=stops([13, 2], [16, 9]))
    line("gap-default", line_gap_width=0, line_width=2)
    line("gap-literal", filter=main, line_width=2, line_gap_width=8)
    line("gap-property", filter=main, line_width=2, line_gap_width=by_class(12, 6, 4))
    line("gap-translucent", zoom=15, filter=main, line_width=4, line_gap_width=10, line_opacity=0.5)
    line("offset-literal", zoom=15, filter=main, line_width=3, line_offset=6)
    line("offset-negative", zoom=15, filter=main, line_width=3, line_offset=-6)
    line("offset-function", zoom=15.5, filter=main, line_width=3, line_offset=stops([15, 2], [16, 10]))
    line("offset-property", zoom=15, filter=main, line_width=3, line_offset=by_class(8, -4, 0))
    line("translate-literal", filter=main, line_width=4, line_translate=[10, 14])
    line("translate-function", zoom=14.5, filter=main, line_width=4, line_translate=stops([14, [0, 0]], [15, [20, 8]]))
    line("translate-viewport", filter=main, line_width=4, line_translate=[10, 14], line_translate_anchor="viewport")
    line("pattern-literal", zoom=15, filter=main, line_width=8, line_pattern="arrows")
    line("pattern-opacity", zoom=15, filter=main, line_width=8, line_pattern="arrows", line_opacity=0.5)
    line("pattern-zoomed", zoom=15.5, filter=main, line_width=8, line_pattern="arrows")
    line("pattern-2x", zoom=15, ratio=2, filter=main, line_width=8, line_pattern="arrows")
    line("sort-key", zoom=15, line_width=10, line_color=by_class("red", "blue", "#aaa"), line_sort_key=by_class(3, 2, 1))
    line("polygons", "landuse", filter=["has", "class"], line_width=3, line_color="#208020")
    line("waterway", "waterway", zoom=13, filter=["has", "class"], line_width=2, line_color="#3060c0")


def circles(cases):
    # In the middle of a tile: in still pictures MapLibre Native draws the points of the neighbours' buffers too, each twice.
    center = (-87.6489, 41.8822)

    def circle(name, zoom=13, ratio=1, **properties):
        cases.add(f"circle-{name}", [layer("circle", "road_label", {f"circle-{k.replace('_', '-')}": v for k, v in properties.items()})], zoom, ratio=ratio, center=center)

    circle("default")
    circle("radius-literal", radius=12)
    circle("radius-function", zoom=13.5, radius=stops([13, 4], [14, 20]))
    circle("radius-property", radius=["*", 2, ["get", "localrank"]])
    circle("color-property", radius=8, color=["match", ["get", "class"], "main", "green", "street", "orange", "#6644aa"])
    circle("opacity", radius=12, opacity=0.5)
    circle("blur", radius=14, blur=0.7)
    circle("stroke", radius=8, stroke_width=4, stroke_color="#c02020", color="#eee")
    circle("stroke-only", radius=8, stroke_width=4, stroke_color="#c02020", opacity=0)
    circle("stroke-opacity", radius=8, stroke_width=6, stroke_color="#c02020", stroke_opacity=0.4)
    circle("translate", radius=8, translate=[12, -8])
    circle("2x", ratio=2, radius=8)


def symbols(cases):
    def icons(name, source_layer="poi_label", zoom=13, ratio=1, center=CROWD, size=(256, 256), filter=None, **properties):
        properties = {"icon-image": "triangle", **{k.replace("_", "-"): v for k, v in properties.items()}}
        cases.add(f"symbol-{name}", [layer("symbol", source_layer, properties, filter)], zoom, size, ratio, center)

    icons("image-literal")
    icons("image-token", icon_image="{maki}-icon")
    icons("image-2x", ratio=2)
    icons("overlap", zoom=13, icon_allow_overlap=True)
    icons("opacity", icon_opacity=0.5)
    icons("opacity-property", icon_opacity=["/", ["get", "localrank"], 10])
    icons("size-literal", icon_size=2)
    icons("size-function", zoom=13.5, icon_size=stops([13, 1], [14, 3]))
    icons("size-property", icon_size=["/", ["get", "localrank"], 2])
    for anchor in ("left", "top", "bottom-right"):
        icons(f"anchor-{anchor}", icon_anchor=anchor)
    icons("offset", icon_offset=[10, -6])
    icons("rotate", icon_rotate=30)
    icons("rotate-offset", icon_rotate=30, icon_offset=[12, 0])
    icons("rotate-function", zoom=13.5, icon_rotate=stops([13, 0], [14, 90]))
    icons("padding", zoom=13, icon_padding=12)
    icons("translate", icon_translate=[12, 6])
    icons("sdf-color", icon_image="dot-sdf", icon_color="#c02020")
    icons("sdf-property", icon_image="dot-sdf", icon_size=2, icon_color=["match", ["get", "maki"], "park", "green", "school", "orange", "#6644aa"])
    icons("sdf-halo", icon_image="dot-sdf", icon_size=2, icon_color="#c02020", icon_halo_color="#2020c0", icon_halo_width=2)
    icons("sdf-halo-blur", icon_image="dot-sdf", icon_size=2, icon_color="#c02020", icon_halo_color="#2020c0", icon_halo_width=3, icon_halo_blur=2)
    icons("avoid-edges", zoom=13, symbol_avoid_edges=True)
    icons("sort-key", zoom=13, symbol_sort_key=["get", "localrank"])
    streets = {"center": PLACE, "size": (384, 256)}
    line = {"symbol_placement": "line", **streets}
    icons("line", "road_label", zoom=14, symbol_spacing=20, **line)
    icons("line-close", "road_label", zoom=14, symbol_spacing=60, icon_image="arrow", **line)
    icons("line-far", "road_label", zoom=14, symbol_spacing=400, icon_image="arrow", **line)
    icons("line-overscaled", "road_label", zoom=15.5, symbol_spacing=80, icon_image="arrow", **line)
    icons("line-overlap", "road_label", zoom=14, symbol_spacing=40, icon_image="arrow", icon_allow_overlap=True, **line)
    icons("line-roads", "road", zoom=15, symbol_spacing=50, icon_image="arrow", filter=["==", "$type", "LineString"], **line)
    icons("line-viewport", "road_label", zoom=14, symbol_spacing=60, icon_image="arrow", icon_rotation_alignment="viewport", **line)
    icons("line-center", "road_label", zoom=14, icon_image="arrow", symbol_placement="line-center", **streets)
    icons("point-of-lines", "road_label", zoom=14, icon_image="arrow", **streets)
    icons("point-of-areas", "landuse", zoom=14, **streets)
    two = [layer("symbol", "poi_label", {"icon-image": "{maki}-icon"}), layer("symbol", "rail_station_label", {"icon-image": "triangle"})]
    cases.add("symbol-two-layers", two, 13, (384, 256), center=CROWD)


def sprite(folder, ratio):
    """Shapes of our own: name → (width, height, drawing in units of a pixel at ratio 1)."""
    shapes = {
        "triangle": (12, 12, lambda d, s: d.polygon([(6 * s, 1 * s), (11 * s, 11 * s), (1 * s, 11 * s)], outline="#333", fill="#fff")),
        "arrow": (16, 10, lambda d, s: d.polygon([(1 * s, 3 * s), (9 * s, 3 * s), (9 * s, 1 * s), (15 * s, 5 * s), (9 * s, 9 * s), (9 * s, 7 * s), (1 * s, 7 * s)], fill="#207040")),
        "hatch": (16, 16, lambda d, s: [d.line([(i * s, 0), ((i - 16) * s, 16 * s)], fill="#a04020", width=2 * s) for i in (0, 8, 16, 24, 32)]),
        "uneven": (12, 20, lambda d, s: [d.rectangle([0, 0, 12 * s, 20 * s], fill="#e8e0c0"), d.ellipse([2 * s, 4 * s, 9 * s, 14 * s], fill="#208060")]),
        "arrows": (24, 8, lambda d, s: [d.rectangle([0, 0, 24 * s, 8 * s], fill="#f0d080"), d.polygon([(6 * s, 1 * s), (16 * s, 4 * s), (6 * s, 7 * s)], fill="#802020")]),
    }
    for name, colour in {"park": "#208020", "school": "#c08020", "restaurant": "#c02020", "bus": "#2040c0", "rail": "#404040", "college": "#802080"}.items():
        shapes[f"{name}-icon"] = (14, 14, lambda d, s, colour=colour: d.ellipse([1 * s, 1 * s, 12 * s, 12 * s], fill=colour, outline="#fff"))
    index, x = {}, 0
    image = Image.new("RGBA", (512 * ratio, 32 * ratio))
    for name, (width, height, draw) in shapes.items():
        part = Image.new("RGBA", (width * ratio, height * ratio))
        draw(ImageDraw.Draw(part), ratio)
        image.paste(part, (x, 0))
        index[name] = {"x": x, "y": 0, "width": width * ratio, "height": height * ratio, "pixelRatio": ratio}
        x += (width + 2) * ratio
    # a disc as a distance field: 192 on its edge, 8 px from 0 to 255
    side = 22 * ratio
    dot = Image.new("RGBA", (side, side))
    for i in range(side):
        for j in range(side):
            distance = ((i + 0.5 - side / 2) ** 2 + (j + 0.5 - side / 2) ** 2) ** 0.5 - 6 * ratio
            dot.putpixel((i, j), (0, 0, 0, max(0, min(255, round(192 - distance / ratio * 32)))))
    image.paste(dot, (x, 0))
    index["dot-sdf"] = {"x": x, "y": 0, "width": side, "height": side, "pixelRatio": ratio, "sdf": True}
    suffix = "@2x" if ratio == 2 else ""
    image.save(f"{folder}/sprite{suffix}.png")
    with open(f"{folder}/sprite{suffix}.json", "w", encoding="utf-8") as file:
        json.dump(index, file)


def main():
    tiles, folder = sys.argv[1:]
    os.makedirs(f"{folder}/sprites", exist_ok=True)
    os.makedirs(f"{folder}/tiles", exist_ok=True)
    for path in glob.glob(f"{tiles}/*.mvt"):
        shutil.copy(path, f"{folder}/tiles")
    for ratio in (1, 2):
        sprite(f"{folder}/sprites", ratio)
    cases = Cases(folder)
    for write in (fills, lines, circles, symbols):
        write(cases)
    print(len(cases.names), "cases")


if __name__ == "__main__":
    main()
