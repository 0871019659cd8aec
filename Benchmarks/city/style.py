"""A style of 100 layers in the manner of OSM Bright, as a MapLibre style and as a map of Mapnik. usage: style.py DIR

Writes DIR/style.json, DIR/sprite.json, DIR/sprite.png and the pictures of the sprite for Mapnik, DIR/NAME.png.
A filter is a list of conditions (key, operator, values), all of which hold; `type` is the kind of geometry.
"""
import json
import os
import struct
import sys
import zlib

BASE = 1.3
REGULAR, BOLD = "DejaVu Sans", "DejaVu Sans Bold"
SHAPE, LINE, POINT = "Polygon", "LineString", "Point"


def among(key, *values):
    return (key, "in", values)


def without(key, *values):
    return (key, "!in", values)


def stops(*pairs, base=BASE):
    """A function of the zoom: stops [zoom, value], between them an exponential curve."""
    return {"base": base, "stops": [list(pair) for pair in pairs]}


class Style:
    """The layers in the order of drawing."""

    def __init__(self):
        self.layers = []

    def add(self, id, kind, source_layer, first_zoom=0, conditions=(), layout=None, last_zoom=24, **paint):
        self.layers.append({
            "id": id, "type": kind, "source-layer": source_layer, "minzoom": first_zoom, "maxzoom": last_zoom,
            "conditions": list(conditions), "layout": layout or {},
            "paint": {f"{kind}-{name.replace('_', '-')}": value for name, value in paint.items()}})

    def fill(self, id, source_layer, first_zoom, conditions=(), **paint):
        self.add(id, "fill", source_layer, first_zoom, [("type", "==", (SHAPE,)), *conditions], **paint)

    def line(self, id, source_layer, first_zoom, conditions=(), cap="butt", **paint):
        layout = {"line-cap": cap, "line-join": "round"}
        self.add(id, "line", source_layer, first_zoom, [("type", "==", (LINE,)), *conditions], layout, **paint)

    def label(self, id, source_layer, first_zoom, conditions=(), size=12, field="{name}", color="#333", font=REGULAR, along=False, last_zoom=24, **layout):
        layout = {"text-field": field, "text-size": size, "text-font": [font], "text-max-width": 8,
                  **({"symbol-placement": "line", "symbol-spacing": 350} if along else {}),
                  **{name.replace("_", "-"): value for name, value in layout.items()}}
        kind = LINE if along else POINT
        self.add(id, "symbol", source_layer, first_zoom, [("type", "==", (kind,)), *conditions], layout, last_zoom)
        self.layers[-1]["paint"] = {"text-color": color, "text-halo-color": "rgba(255,255,255,0.9)", "text-halo-width": 1.2}


ROADS = (  # class, first zoom, colour, casing, widths
    ("path", 13, "#cba", "#fff", ((13, 0.8), (16, 2))),
    ("service", 13, "#fff", "#cfcdca", ((13, 1), (16, 6))),
    ("minor", 12, "#fff", "#cfcdca", ((12, 0.5), (14, 2.5), (20, 18))),
    ("tertiary", 11, "#fea", "#e9ac77", ((11, 0.6), (14, 4), (20, 20))),
    ("secondary", 9, "#fea", "#e9ac77", ((9, 0.5), (14, 5), (20, 26))),
    ("primary", 8, "#fea", "#e9ac77", ((8, 0.8), (14, 6), (20, 30))),
    ("trunk", 6, "#fea", "#e9ac77", ((6, 0.6), (14, 7), (20, 34))),
    ("motorway", 5, "#fc8", "#e9ac77", ((5, 0.6), (14, 8), (20, 40))))


def make():
    """The 100 layers."""
    style = Style()
    grounds(style)
    waters(style)
    for part in ("tunnel", "road", "bridge"):
        if part == "bridge":
            buildings(style)
        roads(style, part)
    rails(style)
    boundaries(style)
    labels(style)
    return style.layers


def grounds(style):
    style.layers.append({"id": "background", "type": "background", "paint": {"background-color": "#f8f4f0"}})
    for kind, color, opacity in (("wood", "#6a4", 0.12), ("grass", "#d8e8c8", 1), ("wetland", "#c5dfd8", 0.8), ("farmland", "#f0ead6", 1)):
        style.fill(f"landcover-{kind}", "landcover", 9, [among("class", kind)], color=color, opacity=opacity)
    style.fill("landcover-wood-pattern", "landcover", 12, [among("class", "wood")], pattern="trees", opacity=0.5)
    style.fill("landcover-wetland-pattern", "landcover", 12, [among("class", "wetland")], pattern="wet", opacity=0.7)
    for kind, color in (("residential", "#eae5df"), ("commercial", "#f3e3dd"), ("retail", "#f8dcd4"), ("industrial", "#eee6cb"),
                        ("school", "#f0e8f8"), ("hospital", "#fde"), ("stadium", "#d5e8d0"), ("cemetery", "#e0e4dd")):
        style.fill(f"landuse-{kind}", "landuse", 9, [among("class", kind)], color=color)
    style.fill("landuse-cemetery-pattern", "landuse", 12, [among("class", "cemetery")], pattern="graves", opacity=0.6)
    style.fill("park", "park", 10, color="#d8e8c8", outline_color="#b5d19c")
    style.line("waterway-tunnel", "waterway", 12, [among("brunnel", "tunnel")], color="#a0c8f0", dasharray=[3, 3], width=1)
    style.line("waterway-other", "waterway", 12, [among("class", "drain")], color="#a0c8f0", width=stops((12, 0.5), (20, 3)))
    style.line("waterway-stream-canal", "waterway", 12, [among("class", "stream", "canal")], "round", color="#a0c8f0", width=stops((12, 0.8), (20, 6)))
    style.line("waterway-river", "waterway", 8, [among("class", "river")], "round", color="#a0c8f0", width=stops((8, 0.8), (20, 6), base=1.2))


def waters(style):
    style.fill("water-shadow", "water", 0, color="#8fb8e0")
    style.fill("water", "water", 0, color="#a0c8f0", translate=[0, 1])
    style.fill("water-pattern", "water", 12, [among("class", "lake")], pattern="wave", opacity=0.5)
    style.fill("aeroway-area", "aeroway", 10, color="#f0ede9", opacity=0.7)
    style.line("aeroway-taxiway", "aeroway", 12, [among("class", "taxiway")], "round", color="#fff", width=stops((12, 1), (17, 10), base=1.55))
    style.line("aeroway-runway-casing", "aeroway", 11, [among("class", "runway")], color="#999", width=stops((11, 5), (17, 55), base=1.5))
    style.line("aeroway-runway", "aeroway", 11, [among("class", "runway")], color="#fff", width=stops((11, 4), (17, 50), base=1.5))


def buildings(style):
    style.fill("building", "building", 13, color="#f2eae2", outline_color="#dfdbd7")
    style.fill("building-top", "building", 14, [("render_height", ">=", (12,))], color="#f7efe6", outline_color="#d8d0c8", translate=[-1, -1])


def roads(style, part):
    """Casings below lines, for tunnels, what lies on the ground, and bridges."""
    where = [without("brunnel", "bridge", "tunnel")] if part == "road" else [among("brunnel", part)]
    classes = ROADS if part == "road" else ROADS[2:]
    for kind, first, _, casing, widths in classes:
        if kind != "path":
            wide = [(z, round(w + (2 if z >= 14 else 1), 2)) for z, w in widths]
            dash = {"dasharray": [0.5, 0.25]} if part == "tunnel" else {}
            style.line(f"{part}-{kind}-casing", "transportation", max(first, 8), [*where, among("class", kind)],
                       "butt" if part != "road" else "round", color=casing, width=stops(*wide), **dash)
    for kind, first, color, _, widths in classes:
        dash = {"dasharray": [1.5, 0.75]} if kind == "path" else {}
        style.line(f"{part}-{kind}", "transportation", first, [*where, among("class", kind)],
                   "butt" if dash else "round", color="#fff4c6" if part == "tunnel" else color, width=stops(*widths), **dash)


def rails(style):
    for kind, first in (("transit", 13), ("rail", 11)):
        style.line(f"railway-{kind}", "transportation", first, [among("class", kind)], color="#bbb", width=stops((11, 0.4), (15, 0.75), (20, 2), base=1.4))
        style.line(f"railway-{kind}-hatching", "transportation", first + 1, [among("class", kind)], color="#bbb", dasharray=[0.2, 8],
                   width=stops((12, 2), (15, 3), (20, 8), base=1.4))


def boundaries(style):
    for level, first, color, dash, width in ((8, 11, "#9e9cab", [2, 2], 0.8), (6, 8, "#9e9cab", [3, 1, 1, 1], 1), (4, 4, "#9e9cab", [3, 1, 1, 1], 1.2), (2, 0, "#8d8a9b", None, 1.5)):
        style.line(f"boundary-{level}", "boundary", first, [("admin_level", "==", (level,))], color=color, width=stops((4, 0.4), (14, width * 2)), **({"dasharray": dash} if dash else {}))


def labels(style):
    style.label("waterway-name", "waterway", 13, size=11, color="#5d7fa8", along=True)
    style.label("water-name", "water_name", 12, size=11, color="#5d7fa8")
    style.label("housenumber", "housenumber", 14, size=9, field="{housenumber}", color="#998877")
    for first, last, kinds in ((12, 24, ("school", "hospital", "railway")), (14, 24, ("shop", "bank", "pharmacy")), (14, 24, ("restaurant", "cafe", "museum")), (14, 24, ("library", "bus", "parking", "park"))):
        style.label("poi-" + kinds[0], "poi", first, [among("class", *kinds), ("rank", "<=", (25,))], size=11, color="#665",
                    icon_image="dot", text_anchor="top", text_offset=[0, 0.5])
    for kinds, first, size in ((("minor", "service", "path"), 14, 10), (("tertiary",), 13, 11), (("secondary",), 13, 11), (("primary", "trunk"), 12, 12)):
        style.label("street-" + kinds[0], "transportation_name", first, [among("class", *kinds)], size=size, along=True)
    for kind, image, first in (("primary", "shield-l", 12), ("trunk", "shield-b", 11), ("motorway", "shield-a", 11)):
        style.label("shield-" + kind, "transportation_name", first, [among("class", kind), ("ref_length", "<=", (7,))], size=10, field="{ref}", along=True, font=BOLD,
                    icon_image=image, icon_rotation_alignment="viewport", text_rotation_alignment="viewport", symbol_spacing=300)
    style.label("airport", "aerodrome_label", 10, size=12, color="#666")
    for kind, first, last, sizes, font in (("neighbourhood", 13, 24, ((13, 10), (16, 13)), REGULAR), ("hamlet", 12, 24, ((12, 10), (16, 13)), REGULAR),
                                           ("suburb", 11, 24, ((11, 10), (15, 14)), BOLD), ("village", 10, 24, ((10, 10), (15, 20)), REGULAR),
                                           ("town", 7, 24, ((7, 11), (15, 22)), BOLD), ("state", 3, 9, ((3, 11), (8, 14)), REGULAR),
                                           ("city", 4, 24, ((4, 12), (11, 24)), BOLD), ("country", 0, 8, ((1, 11), (6, 18)), BOLD)):
        style.label(f"place-{kind}", "place", first, [among("class", kind)], size=stops(*sizes, base=1.2), font=font, last_zoom=last,
                    text_transform="uppercase" if kind in ("suburb", "country", "state") else "none")


# MARK: MapLibre


def maplibre_filter(conditions):
    """A filter in the older form of the style specification, as OSM Bright has it."""
    out = ["all"]
    for key, operator, values in conditions:
        key = "$type" if key == "type" else key
        if operator in ("in", "!in") and len(values) == 1:
            out.append(["==" if operator == "in" else "!=", key, values[0]])
        else:
            out.append([operator, key, *values])
    return out if len(out) > 2 else out[1]


def maplibre(layers, tiles):
    """The style of some tiles, a url or a path."""
    out = []
    for layer in layers:
        item = {"id": layer["id"], "type": layer["type"]}
        if "source-layer" in layer:
            item |= {"source": "openmaptiles", "source-layer": layer["source-layer"]}
            if layer["minzoom"]:
                item["minzoom"] = layer["minzoom"]
            if layer["maxzoom"] < 24:
                item["maxzoom"] = layer["maxzoom"]
            if layer["conditions"]:
                item["filter"] = maplibre_filter(layer["conditions"])
            if layer["layout"]:
                item["layout"] = layer["layout"]
        out.append({**item, "paint": layer["paint"]})
    return {"version": 8, "name": "city", "sources": {"openmaptiles": {"type": "vector", "url": tiles}}, "sprite": "sprite", "layers": out}


# MARK: sprite


def picture(width, height, color):
    """Rows of RGBA; `color` says the colour of a pixel."""
    return [[color(x, y) for x in range(width)] for y in range(height)]


def framed(width, height, fill, frame):
    return picture(width, height, lambda x, y: frame if x in (0, width - 1) or y in (0, height - 1) else fill)


CLEAR = (0, 0, 0, 0)
IMAGES = {
    "trees": picture(16, 16, lambda x, y: (80, 140, 60, 255) if (x - 4) ** 2 + (y - 5) ** 2 < 6 or (x - 12) ** 2 + (y - 12) ** 2 < 6 else CLEAR),
    "wet": picture(16, 16, lambda x, y: (70, 130, 170, 255) if y in (4, 12) and x % 8 < 5 else CLEAR),
    "graves": picture(16, 16, lambda x, y: (120, 130, 120, 255) if x == 8 and 3 < y < 12 or y == 6 and 5 < x < 12 else CLEAR),
    "wave": picture(16, 16, lambda x, y: (120, 165, 215, 255) if y == 8 + (x % 8) // 4 else CLEAR),
    "dot": picture(11, 11, lambda x, y: (120, 90, 70, 255) if (x - 5) ** 2 + (y - 5) ** 2 <= 16 else CLEAR),
    "shield-l": framed(40, 18, (255, 255, 200, 255), (150, 140, 60, 255)),
    "shield-b": framed(40, 18, (255, 220, 120, 255), (140, 110, 40, 255)),
    "shield-a": framed(40, 18, (60, 90, 200, 255), (255, 255, 255, 255)),
}


def png(rows):
    """An RGBA picture as PNG."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    data = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def write_sprite(folder):
    rows, index, x = [[] for _ in range(20)], {}, 0
    for name, image in IMAGES.items():
        width, height = len(image[0]), len(image)
        index[name] = {"x": x, "y": 0, "width": width, "height": height, "pixelRatio": 1}
        for y, row in enumerate(rows):
            row += image[y] if y < height else [CLEAR] * width
        x += width
        with open(f"{folder}/{name}.png", "wb") as file:
            file.write(png(image))
    with open(f"{folder}/sprite.png", "wb") as file:
        file.write(png(rows))
    with open(f"{folder}/sprite.json", "w", encoding="utf-8") as file:
        json.dump(index, file)


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    layers = make()
    print(f"{len(layers)} layers")
    write_sprite(folder)
    with open(f"{folder}/style.json", "w", encoding="utf-8") as file:
        json.dump(maplibre(layers, "city.mbtiles"), file, indent=1)


if __name__ == "__main__":
    main()
