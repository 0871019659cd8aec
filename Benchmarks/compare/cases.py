"""Writes the case styles. usage: cases.py DATA DIR (DATA: the folder of the shared data)

Every style is plain MapLibre; `metadata.views` says which pictures to take (views.py). Made-up geometry is given in pixels
of one 512 px tile, SHEET, so that a case says where its edges fall.
"""
import json
import math
import os
import random
import sys

from views import tile_at

SHEET = (4, 8, 7)
SHEET_TILE = "/".join(map(str, SHEET))


def px(x, y):
    """Longitude and latitude of a pixel of the sheet."""
    z, tx, ty = SHEET
    n = 2**z * 512
    u, v = (tx * 512 + x) / n, (ty * 512 + y) / n
    return [u * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * v))))]


def line(*points):
    return {"type": "LineString", "coordinates": [px(*p) for p in points]}


def polygon(*rings):
    return {"type": "Polygon", "coordinates": [[px(*p) for p in (*r, r[0])] for r in rings]}


def box(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def circle(x, y, radius, count=64):
    return [(x + radius * math.cos(a * 2 * math.pi / count), y + radius * math.sin(a * 2 * math.pi / count)) for a in range(count)]


def point(x, y):
    return {"type": "Point", "coordinates": px(x, y)}


def inline(*features):
    """A source of (geometry, properties) pairs."""
    items = [f if isinstance(f, tuple) else (f, {}) for f in features]
    data = {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "properties": p, "geometry": g} for g, p in items],
    }
    return {"type": "geojson", "data": data}


def layer(kind, source="s", filter=None, zooms=None, **properties):
    """A layer; keywords are property names with _ for -, sorted into paint and layout."""
    layout_names = (
        "line-cap line-join line-miter-limit line-round-limit line-sort-key fill-sort-key circle-sort-key visibility"
        " text-field text-font text-size text-anchor text-offset text-justify text-max-width text-line-height"
        " text-letter-spacing text-transform text-rotate text-padding text-allow-overlap text-ignore-placement"
        " text-keep-upright text-max-angle text-rotation-alignment symbol-placement symbol-spacing symbol-sort-key"
        " text-variable-anchor text-radial-offset"
    ).split()
    out = {"type": kind, "paint": {}, "layout": {}}
    if kind != "background":
        out["source"] = source
    if filter:
        out["filter"] = filter
    if zooms:
        out["minzoom"], out["maxzoom"] = zooms
    for name, value in properties.items():
        name = name.replace("_", "-")
        out["layout" if name in layout_names else "paint"][name] = value
    if kind == "symbol":
        out["layout"].setdefault("text-font", ["DejaVu Sans"])
    return {k: v for k, v in out.items() if v != {}}


def white():
    return layer("background", background_color="white")


class Cases:
    """Collects styles and writes them."""

    def __init__(self, data, folder):
        self.data, self.folder, self.names = data, folder, []

    def file(self, path, **options):
        return {"type": "geojson", "data": os.path.join(self.data, path), **options}

    def add(self, name, source, layers, views=None, **root):
        """A case; `source` is one source or a dictionary of them, `views` defaults to the sheet at both ratios."""
        sources = {"s": source} if "type" in source else source
        layers = [{"id": f"{i}-{item['type']}", **item} for i, item in enumerate(layers)]
        views = views or [{"tile": SHEET_TILE}, {"tile": SHEET_TILE, "ratio": 2}]
        style = {"version": 8, "name": name, "metadata": {"views": views}, **root, "sources": sources, "layers": layers}
        assert name not in self.names, name
        self.names.append(name)
        with open(os.path.join(self.folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(style, file, ensure_ascii=False, indent=1)


def tiles(*names, double=()):
    return [{"tile": t} for t in names] + [{"tile": t, "ratio": 2} for t in double]


def tiles_over(longitude, latitude, zooms, double=()):
    """The tiles over a place, one a zoom, and a crop of 256 px at the last."""
    names = [tile_at(z, longitude, latitude) for z in zooms]
    crop = [{"center": [longitude, latitude], "zoom": zooms[-1], "size": [256, 256]}]
    return tiles(*names, double=[tile_at(z, longitude, latitude) for z in double]) + crop


def countries(cases):
    low = tiles("0/0/0", "1/1/0", "2/2/1", "3/4/2", double=("1/1/0",))
    low.append({"center": [10, 50], "zoom": 3.5, "size": [256, 256]})
    ne110 = cases.file("overlays/ne_110m_admin_0_countries.json")
    fill = layer("fill", fill_color="#d8e0c8")
    border = layer("line", line_color="#806040", line_width=1)
    cases.add("countries", ne110, [layer("background", background_color="#a8c8e8"), fill, border], low)
    cases.add("countries-fill", ne110, [fill], low)
    cases.add("countries-line", ne110, [border], low)
    label = layer("symbol", text_field=["get", "NAME"], text_size=12, text_color="#222", text_halo_color="#fff", text_halo_width=1.5)
    cases.add("countries-label", ne110, [layer("background", background_color="#a8c8e8"), fill, border, label], low)
    colour = ["match", ["get", "CONTINENT"], "Europe", "#7fc97f", "Asia", "#beaed4", "Africa", "#fdc086", ["South America", "North America"], "#ffff99", "#cccccc"]
    cases.add("countries-match", ne110, [layer("fill", fill_color=colour, fill_opacity=0.7)], low)
    population = ["interpolate", ["linear"], ["sqrt", ["get", "POP_EST"]], 0, "#ffffff", 20000, "#ff8000", 40000, "#800000"]
    cases.add("countries-population", ne110, [layer("fill", fill_color=population)], low)
    cases.add("land", cases.file("overlays/ne_110m_land.json"), [layer("fill", fill_color="#c0b090", fill_outline_color="#604020")], low)
    for scale in ("110m", "50m"):
        coast = cases.file(f"overlays/ne_{scale}_coastline.json")
        cases.add(f"coastline-{scale}", coast, [layer("line", line_color="#0050a0", line_width=1)], low)
        cases.add(f"coastline-{scale}-wide", coast, [layer("line", line_color="#0050a0", line_width=4, line_join="round", line_cap="round")], low)
    names = sorted(n[:-8] for n in os.listdir(os.path.join(cases.data, "overlays/50m")))
    sources = {n: cases.file(f"overlays/50m/{n}.geojson") for n in names}
    layers = [layer("fill", n, fill_color="#c0d8a0") for n in names] + [layer("line", n, line_color="#a03000", line_width=1.5) for n in names]
    for n in names:
        label = layer("symbol", n, text_field=["coalesce", ["get", "name"], ["get", "NAME"]], text_size=14, text_font=["DejaVu Sans Bold"], text_halo_color="#fff", text_halo_width=1)
        layers.append(label)
    views = tiles("0/0/0", "1/0/0", "2/2/1", "3/0/2", "3/7/2", "3/7/5", "4/7/5", "5/31/19", double=("3/7/5",))
    cases.add("countries-50m", sources, layers, views)
    dateline = cases.file("overlays/dateline.json")
    cases.add("dateline", dateline, [layer("fill", fill_color="#ffcc00", fill_opacity=0.4), layer("line", line_color="#c00", line_width=3)], tiles("0/0/0", "1/0/0", "1/1/0", "2/0/1", "2/3/1"))
    district = cases.file("overlays/gz_2010_us_500_11_20m.json")
    cases.add("districts", district, [layer("fill", fill_color="rgba(0,80,160,0.3)"), layer("line", line_color="#004080", line_width=0.5)], tiles("3/2/3", "4/4/6", "6/18/24", double=("4/4/6",)))


def parcels(cases):
    places = {
        "cambridge": ("cambridge_parcels_2013.geojson", (-71.1056, 42.3736), range(13, 18)),
        "manhattan": ("manhattan_buildings.geojson", (-74.0060, 40.7128), range(13, 18)),
        "vancouver": ("vancouver_blocks.geojson", (-123.1207, 49.2527), range(12, 17)),
        "belfast": ("belfast_buildings.geojson", (-5.9301, 54.5973), range(13, 18)),
    }
    for name, (path, (longitude, latitude), zooms) in places.items():
        views = tiles_over(longitude, latitude, list(zooms), double=(15,))
        source = cases.file(f"polygons/{path}")
        look = [layer("fill", fill_color="rgba(64,0,0,0.25)"), layer("line", line_color="red", line_width=1)]
        cases.add(f"parcels-{name}", source, look, views)
        cases.add(f"parcels-{name}-fill", source, look[:1], views)
        cases.add(f"parcels-{name}-no-antialias", source, [layer("fill", fill_color="#803000", fill_antialias=False)], views[2:4])
        cases.add(f"parcels-{name}-outline", source, [layer("fill", fill_color="#f0e0d0", fill_outline_color="#803000")], views)
    longitude, latitude = places["cambridge"][1]
    floors = ["step", ["coalesce", ["get", "numfloors"], 0], "#eeeeee", 1, "#fee5d9", 2, "#fcae91", 3, "#fb6a4a", 5, "#cb181d"]
    opacity = ["case", ["has", "numfloors"], ["min", 1, ["/", ["coalesce", ["get", "numfloors"], 0], 5]], 0.1]
    source = cases.file("polygons/cambridge_parcels_2013.geojson")
    views = tiles_over(longitude, latitude, [14, 16], double=(16,))
    cases.add("parcels-floors", source, [layer("fill", fill_color=floors), layer("line", line_color="#803000", line_width=0.5)], views)
    cases.add("parcels-floors-opacity", source, [layer("fill", fill_color="#cb181d", fill_opacity=opacity)], views)
    legacy = {"property": "yearbuilt", "stops": [[1850, "#542788"], [1920, "#f7f7f7"], [2010, "#b35806"]], "default": "#cccccc"}
    cases.add("parcels-year-function", source, [layer("fill", fill_color=legacy)], views)
    cases.add("parcels-address", source, [*[layer("line", line_color="#999", line_width=0.5)], layer("symbol", text_field=["get", "address"], text_size=9, text_max_width=6)], tiles_over(longitude, latitude, [17]))
    height = ["interpolate", ["linear"], ["get", "height"], 0, "#ffffcc", 100, "#fd8d3c", 300, "#800026"]
    cases.add("buildings-height", cases.file("polygons/manhattan_buildings.geojson"), [layer("fill", fill_color=height)], tiles_over(-74.006, 40.7128, [14, 16]))
    value = ["interpolate", ["exponential", 1.5], ["get", "valuePerSqm"], 0, "#f7fbff", 5000, "#6baed6", 20000, "#08306b"]
    cases.add("blocks-value", cases.file("polygons/vancouver_blocks.geojson"), [layer("fill", fill_color=value), layer("line", line_color=["interpolate", ["linear"], ["get", "growth"], -1, "blue", 0, "white", 1, "red"], line_width=1)], tiles_over(-123.1207, 49.2527, [13, 15]))


def streets(cases):
    source = cases.file("overlays/vienna_streets.geojson")
    views = tiles_over(16.3731, 48.2083, [13, 14, 15, 16, 17], double=(15,))
    few = tiles_over(16.3731, 48.2083, [14, 16], double=(16,))
    width = ["interpolate", ["exponential", 1.5], ["zoom"], 12, 1, 17, 12]
    casing = ["interpolate", ["exponential", 1.5], ["zoom"], 12, 2, 17, 16]
    round_ends = {"line_cap": "round", "line_join": "round"}
    cases.add("streets-casing", source, [layer("line", line_color="#806020", line_width=casing, **round_ends), layer("line", line_color="#ffe090", line_width=width, **round_ends)], views)
    cases.add("streets-thin", source, [layer("line", line_color="#000", line_width=0.5)], few)
    cases.add("streets-default", source, [layer("line")], views)
    cases.add("streets-dashed", source, [layer("line", line_color="#c02020", line_width=3, line_dasharray=[3, 2])], few)
    cases.add("streets-dashed-round", source, [layer("line", line_color="#2020c0", line_width=4, line_dasharray=[0, 2], line_cap="round")], few)
    cases.add("streets-translucent", source, [layer("line", line_color="#c02020", line_width=8, line_opacity=0.4, **round_ends)], few)
    cases.add("streets-gap", source, [layer("line", line_color="#208020", line_width=2, line_gap_width=5)], few)
    cases.add("streets-offset", source, [layer("line", line_color="#208020", line_width=2, line_offset=5), layer("line", line_color="#999", line_width=1)], few)
    cases.add("streets-blur", source, [layer("line", line_color="#208020", line_width=8, line_blur=4)], few)
    kind = ["match", ["get", "highway"], "primary", "#d02020", "secondary", "#e0a020", "tertiary", "#e0e040", "#808080"]
    wide = ["match", ["get", "highway"], "primary", 6, "secondary", 4, "tertiary", 3, 1]
    cases.add("streets-class", source, [layer("line", line_color=kind, line_width=wide, line_sort_key=wide)], few)
    cases.add("streets-filter", source, [layer("line", filter=["in", ["get", "highway"], ["literal", ["primary", "secondary"]]], line_color="red", line_width=3), layer("line", filter=["all", ["!in", "highway", "primary", "secondary"], ["has", "name"]], line_color="blue", line_width=1)], few)
    cases.add("streets-names", source, [layer("line", line_color="#ddd", line_width=5), layer("symbol", symbol_placement="line", text_field=["get", "name"], text_size=11, text_halo_color="#fff", text_halo_width=1.5)], few)


def ends():
    """Caps and corners: sharp, blunt, reversed and doubled points, 6 polylines a sheet."""
    return inline(
        line((40, 60), (140, 60)),
        line((200, 40), (200, 120), (280, 120)),
        line((340, 120), (390, 40), (440, 120)),
        line((60, 200), (110, 200.5), (60, 215)),
        line((200, 180), (260, 240), (320, 180), (320, 240), (420, 240), (470, 190)),
        line(*[(60 + 10 * i, 330 + 40 * math.sin(i / 4)) for i in range(40)]),
        line((60, 430), (120, 430), (120, 430), (60, 430)),
        polygon([(200, 420), (300, 410), (260, 490)]),
        line((360, 440), (360, 440.2), (420, 440)),
        line((440, 480), (480, 480), (480, 481), (440, 490)),
    )


def lines(cases):
    for join in ("miter", "bevel", "round"):
        for cap in ("butt", "round", "square"):
            cases.add(f"line-{join}-{cap}", ends(), [layer("line", line_width=20, line_color="rgba(0,64,160,0.5)", line_join=join, line_cap=cap)])
    cases.add("line-miter-limit", ends(), [layer("line", line_width=12, line_miter_limit=10, line_color="#333")])
    rows = [(line((20, 20 + 24 * i), (300, 24 + 24 * i), (490, 20 + 24 * i + 10)), {"i": i, "w": w}) for i, w in enumerate((0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 14, 18, 20))]
    each = inline(*rows)
    cases.add("line-widths", each, [layer("line", line_width=["get", "w"])])
    cases.add("line-blur", each, [layer("line", line_width=8, line_blur=["/", ["get", "i"], 2])])
    cases.add("line-gap", each, [layer("line", line_width=1.5, line_gap_width=["get", "i"])])
    cases.add("line-opacity", each, [layer("line", line_width=10, line_opacity=["/", ["get", "i"], 18])])
    cases.add("line-dash", each, [white(), layer("line", line_width=["get", "w"], line_dasharray=[4, 2, 1, 2])])
    cases.add("line-dash-caps", each, [layer("line", line_width=8, line_dasharray=[2, 3], line_cap="round", filter=["<", ["get", "i"], 6]), layer("line", line_width=8, line_dasharray=[2, 3], line_cap="square", filter=["all", [">=", ["get", "i"], 6], ["<", ["get", "i"], 12]]), layer("line", line_width=8, line_dasharray=[2, 3], filter=[">=", ["get", "i"], 12])])
    cases.add("line-dash-odd", ends(), [layer("line", line_width=6, line_dasharray=[2, 1, 3])])
    cases.add("line-dash-corners", ends(), [layer("line", line_width=10, line_dasharray=[3, 1], line_join="round")])
    for offset in (8, -8):
        for join in ("miter", "round"):
            cases.add(f"line-offset{offset:+d}-{join}", ends(), [layer("line", line_width=1, line_color="#999"), layer("line", line_width=4, line_color="#c00", line_offset=offset, line_join=join)])
    cases.add("line-gap-corners", ends(), [layer("line", line_width=4, line_gap_width=10, line_color="#060", line_join="round")])
    cases.add("line-translate", ends(), [layer("line", line_width=4, line_color="#bbb"), layer("line", line_width=4, line_color="#00c", line_translate=[12, -7])])
    cases.add("line-overlap", inline(line((50, 50), (460, 460), (460, 50), (50, 460)), line((256, 20), (256, 490))), [layer("line", line_width=40, line_opacity=0.5, line_color="#008060")])
    keyed = inline(*[(line((60, 100 + 20 * i), (450, 140 + 12 * (7 - i))), {"k": (i * 3) % 8, "c": c}) for i, c in enumerate(("red", "green", "blue", "orange", "purple", "teal", "black", "pink"))])
    cases.add("line-sort-key", keyed, [layer("line", line_width=24, line_color=["get", "c"], line_sort_key=["get", "k"])])
    cases.add("line-edge", inline(line((-30, 0), (540, 0)), line((0, 100), (0, 400)), line((512, 150), (512, 500)), line((100, 511.5), (400, 511.5))), [layer("line", line_width=9, line_color="#a0a")])


def fills(cases):
    holes = polygon(box(30, 30, 230, 230), box(60, 60, 120, 120), circle(170, 170, 35))
    island = polygon(box(75, 75, 105, 105))
    star = [(380 + 110 * math.sin(i * 4 * math.pi / 5), 130 - 110 * math.cos(i * 4 * math.pi / 5)) for i in range(5)]
    bow = [(40, 280), (200, 420), (200, 280), (40, 380)]
    multi = {"type": "MultiPolygon", "coordinates": [polygon(circle(320, 320, 50))["coordinates"], polygon(circle(420, 330, 40), circle(420, 330, 20))["coordinates"]]}
    thin = polygon([(30, 470), (480, 472), (480, 472.4), (30, 470.6)])
    slope = polygon([(230, 400), (490, 430), (490, 450), (230, 410)])
    shapes = inline(holes, island, polygon(star), polygon(bow), multi, thin, slope)
    blue = {"fill_color": "rgba(0,64,192,0.6)"}
    cases.add("fill-shapes", shapes, [layer("fill", **blue)])
    cases.add("fill-no-antialias", shapes, [layer("fill", fill_antialias=False, **blue)])
    cases.add("fill-outline", shapes, [layer("fill", fill_color="#cde", fill_outline_color="#c00")])
    cases.add("fill-outline-translucent", shapes, [layer("fill", fill_color="rgba(0,0,0,0)", fill_outline_color="rgba(255,0,0,0.5)")])
    cases.add("fill-opacity", shapes, [white(), layer("fill", fill_color="#c04000", fill_opacity=0.35)])
    cases.add("fill-opacity-outline", shapes, [white(), layer("fill", fill_color="#c04000", fill_outline_color="#00f", fill_opacity=0.5)])
    cases.add("fill-translate", shapes, [layer("fill", fill_color="#bbb"), layer("fill", fill_translate=[14, 9], **blue)])
    cases.add("fill-translate-viewport", shapes, [layer("fill", fill_translate=[-14, 9], fill_translate_anchor="viewport", **blue)])
    cases.add("fill-line-edges", shapes, [layer("fill", **blue), layer("line", line_color="red", line_width=1)])
    random.seed(7)
    heap = [(polygon(circle(random.uniform(60, 450), random.uniform(60, 450), random.uniform(30, 90), random.choice((3, 4, 6, 48)))), {"k": i % 5, "o": (i % 4 + 1) / 5, "c": ["#e41a1c", "#377eb8", "#4daf4a", "#984ea3", "#ff7f00"][i % 5]}) for i in range(24)]
    heap = inline(*heap)
    cases.add("fill-heap", heap, [layer("fill", fill_color=["get", "c"], fill_opacity=0.4)])
    cases.add("fill-heap-data-opacity", heap, [layer("fill", fill_color=["get", "c"], fill_opacity=["get", "o"])])
    cases.add("fill-heap-sort-key", heap, [layer("fill", fill_color=["get", "c"], fill_sort_key=["get", "k"])])
    cases.add("fill-heap-one-colour", heap, [layer("fill", fill_color="rgba(200,0,0,0.3)")])
    grid = inline(*[(polygon(box(30 + 45.3 * i, 30 + 45.3 * j, 75.3 + 45.3 * i, 75.3 + 45.3 * j)), {"v": i * 10 + j}) for i in range(10) for j in range(10)])
    cases.add("fill-neighbours", grid, [layer("fill", fill_color="#2060a0")])
    cases.add("fill-neighbours-translucent", grid, [layer("fill", fill_color="rgba(32,96,160,0.5)")])
    cases.add("fill-neighbours-data", grid, [layer("fill", fill_color=["interpolate", ["linear"], ["get", "v"], 0, "#fff7ec", 50, "#fc8d59", 99, "#7f0000"])])
    cases.add("fill-edge", inline(polygon(box(-40, -40, 100, 100)), polygon(box(400, 400, 600, 600)), polygon(box(-5, 200, 520, 300))), [layer("fill", fill_color="#6a6", fill_outline_color="#030"), layer("line", line_width=6, line_color="rgba(0,0,0,0.5)")])


def circles(cases):
    spots = inline(*[(point(40 + 60 * (i % 8) + i * 0.13, 40 + 60 * (i // 8) + i * 0.07), {"i": i}) for i in range(64)])
    size = ["/", ["get", "i"], 2.5]
    cases.add("circle-radius", spots, [layer("circle", circle_radius=size)])
    cases.add("circle-small", spots, [layer("circle", circle_radius=["/", ["get", "i"], 20], circle_color="#c00")])
    cases.add("circle-blur", spots, [white(), layer("circle", circle_radius=24, circle_color="#06c", circle_blur=["/", ["get", "i"], 32])])
    cases.add("circle-blur-negative", spots, [white(), layer("circle", circle_radius=24, circle_color="#06c", circle_blur=-0.5)])
    cases.add("circle-stroke", spots, [layer("circle", circle_radius=14, circle_color="#fc0", circle_stroke_color="#630", circle_stroke_width=["/", ["get", "i"], 6])])
    cases.add("circle-stroke-only", spots, [layer("circle", circle_radius=14, circle_opacity=0, circle_stroke_color="#630", circle_stroke_width=3)])
    cases.add("circle-stroke-translucent", spots, [white(), layer("circle", circle_radius=16, circle_color="#0a0", circle_opacity=0.5, circle_stroke_color="#00f", circle_stroke_width=8, circle_stroke_opacity=0.4)])
    cases.add("circle-stroke-blur", spots, [white(), layer("circle", circle_radius=14, circle_color="#0a0", circle_stroke_color="#00f", circle_stroke_width=6, circle_blur=0.4)])
    cases.add("circle-opacity", spots, [layer("circle", circle_radius=45, circle_color="#80f", circle_opacity=["/", ["get", "i"], 128])])
    cases.add("circle-translate", spots, [layer("circle", circle_radius=10, circle_color="#ccc"), layer("circle", circle_radius=6, circle_color="#00f", circle_translate=[9, -5])])
    cases.add("circle-sort-key", spots, [layer("circle", circle_radius=40, circle_color=["match", ["%", ["get", "i"], 3], 0, "red", 1, "green", "blue"], circle_sort_key=["%", ["*", ["get", "i"], 7], 11])])
    hotels = cases.file("points/dc_hotels.geojson")
    views = tiles_over(-77.03, 38.905, [11, 12, 13, 14], double=(13,))
    rooms = ["interpolate", ["linear"], ["coalesce", ["get", "NUMROOMS"], 0], 0, 2, 1000, 24]
    cases.add("hotels", hotels, [layer("circle", circle_radius=rooms, circle_color="#ff5f2a", circle_opacity=0.8, circle_stroke_color="#fff", circle_stroke_width=2)], views)
    clustered = cases.file("points/dc_hotels.geojson", cluster=True, clusterRadius=50, clusterMaxZoom=14)
    count = ["get", "point_count"]
    bubbles = [
        layer("circle", filter=["has", "point_count"], circle_color=["step", count, "#51bbd6", 10, "#f1f075", 30, "#f28cb1"], circle_radius=["step", count, 20, 10, 30, 30, 40]),
        layer("symbol", filter=["has", "point_count"], text_field=["get", "point_count_abbreviated"], text_size=12, text_font=["DejaVu Sans Bold"], text_allow_overlap=True),
        layer("circle", filter=["!", ["has", "point_count"]], circle_color="#11b4da", circle_radius=4, circle_stroke_width=1, circle_stroke_color="#fff"),
    ]
    cases.add("hotels-clustered", clustered, bubbles, views)


def heatmaps(cases):
    hotels = cases.file("points/dc_hotels.geojson")
    views = tiles_over(-77.03, 38.905, [11, 13, 14], double=(13,))
    ramp = ["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0,0,255,0)", 0.2, "blue", 0.5, "lime", 0.8, "yellow", 1, "red"]
    cases.add("heatmap", hotels, [white(), layer("heatmap")], views)
    cases.add("heatmap-transparent", hotels, [layer("heatmap")], views)
    cases.add("heatmap-radius", hotels, [white(), layer("heatmap", heatmap_radius=15)], views)
    cases.add("heatmap-ramp", hotels, [white(), layer("heatmap", heatmap_radius=25, heatmap_color=ramp)], views)
    cases.add("heatmap-weight", hotels, [white(), layer("heatmap", heatmap_weight=["interpolate", ["linear"], ["coalesce", ["get", "NUMROOMS"], 0], 0, 0, 800, 3], heatmap_color=ramp)], views)
    cases.add("heatmap-intensity", hotels, [white(), layer("heatmap", heatmap_intensity=["interpolate", ["linear"], ["zoom"], 10, 0.2, 14, 2], heatmap_opacity=0.7)], views)
    one = inline((point(120, 120), {"w": 1}), (point(300, 120), {"w": 2}), (point(120, 300), {"w": 0.3}), (point(330, 330), {"w": 1}), (point(350, 330), {"w": 1}), (point(2, 450), {"w": 3}))
    cases.add("heatmap-points", one, [white(), layer("heatmap", heatmap_radius=60, heatmap_weight=["get", "w"], heatmap_color=ramp)])


def texts(cases):
    words = "Sankt Pölten an der Traisen"
    anchors = ("center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right")
    spots = inline(*[(point(90 + 165 * (i % 3), 90 + 165 * (i // 3)), {"a": a, "n": "Anchor\n" + a, "t": words, "i": i}) for i, a in enumerate(anchors)])
    dot = layer("circle", circle_radius=2, circle_color="red")
    always = {"text_allow_overlap": True, "text_ignore_placement": True}
    cases.add("text-anchor", spots, [white(), dot, layer("symbol", text_field=["get", "n"], text_anchor=["get", "a"], text_size=16, **always)])
    cases.add("text-size", spots, [white(), dot, layer("symbol", text_field="Abg {i}", text_size=["+", 8, ["*", 3, ["get", "i"]]], **always)])
    cases.add("text-offset", spots, [white(), dot, layer("symbol", text_field="Offset", text_offset=[1, 1.5], **always)])
    cases.add("text-halo", spots, [layer("background", background_color="#468"), layer("symbol", text_field=["get", "a"], text_size=20, text_color="#fff", text_halo_color="#000", text_halo_width=["/", ["get", "i"], 3], **always)])
    cases.add("text-halo-blur", spots, [layer("background", background_color="#468"), layer("symbol", text_field=["get", "a"], text_size=20, text_color="#fff", text_halo_color="#000", text_halo_width=3, text_halo_blur=["/", ["get", "i"], 4], **always)])
    cases.add("text-wrap", spots, [white(), dot, layer("symbol", text_field=["get", "t"], text_max_width=["+", 4, ["get", "i"]], text_size=14, **always)])
    cases.add("text-justify", spots, [white(), dot, layer("symbol", text_field="One\nlonger line\nof three", text_justify=["match", ["%", ["get", "i"], 3], 0, "left", 1, "center", "right"], text_line_height=1.5, text_size=14, **always)])
    cases.add("text-transform", spots, [white(), layer("symbol", text_field="Straße Ürban", text_transform=["match", ["%", ["get", "i"], 3], 0, "none", 1, "uppercase", "lowercase"], **always)])
    cases.add("text-letter-spacing", spots, [white(), layer("symbol", text_field="Spacing", text_letter_spacing=["/", ["get", "i"], 10], **always)])
    cases.add("text-rotate", spots, [white(), dot, layer("symbol", text_field="Rotated", text_rotate=["*", 40, ["get", "i"]], **always)])
    cases.add("text-translate", spots, [white(), dot, layer("symbol", text_field="Moved", text_translate=[10, -20], **always)])
    cases.add("text-opacity", spots, [white(), layer("symbol", text_field="Opacity", text_size=24, text_font=["DejaVu Sans Bold"], text_opacity=["/", ["get", "i"], 8], text_color="#c00", **always)])
    cases.add("text-collide", inline(*[(point(60 + 40 * (i % 10), 60 + 40 * (i // 10)), {"i": i}) for i in range(100)]), [white(), layer("symbol", text_field="Label {i}", text_size=13, symbol_sort_key=["%", ["*", 37, ["get", "i"]], 100])])
    wave = inline(line(*[(20 + 12 * i, 130 + 40 * math.sin(i / 6)) for i in range(40)]), line((30, 300), (480, 300)), line((480, 400), (30, 340)), line(*[(256 + 200 * math.cos(a / 10), 470 - 60 * math.sin(a / 10)) for a in range(32)]))
    along = {"symbol_placement": "line", "text_size": 14, "text_field": "Along the line"}
    cases.add("text-line", wave, [white(), layer("line", line_color="#9cf", line_width=2), layer("symbol", **along)])
    cases.add("text-line-spacing", wave, [white(), layer("line", line_color="#9cf", line_width=2), layer("symbol", symbol_spacing=120, text_offset=[0, 1], **{**along, "text_field": "Way"})])
    cases.add("text-line-center", wave, [white(), layer("line", line_color="#9cf", line_width=2), layer("symbol", **{**along, "symbol_placement": "line-center"})])
    zips = cases.file("overlays/nola_polling_places.json")
    cases.add("text-places", zips, [layer("circle", circle_radius=3), layer("symbol", text_field=["get", "location"], text_size=11, text_anchor="top", text_offset=[0, 0.6], text_halo_color="#fff", text_halo_width=1)], tiles_over(-90.07, 29.96, [11, 13], double=(13,)))


def scenes(cases):
    box_source = inline((polygon(box(100, 100, 400, 400)), {"n": 1, "name": "a"}), (polygon(circle(300, 300, 120)), {"n": 2, "name": "b"}), (line((20, 20), (490, 490)), {"n": 3}), (point(256, 200), {"n": 4, "name": "d"}))
    polygons, linear, dots = ["==", "$type", "Polygon"], ["==", "$type", "LineString"], ["==", ["geometry-type"], "Point"]
    cases.add("background-colour", inline(), [layer("background", background_color="rgba(0,128,255,0.5)")])
    cases.add("background-opacity", inline(), [layer("background", background_color="#080", background_opacity=0.3)])
    cases.add("background-above", box_source, [layer("fill", filter=polygons, fill_color="#000"), layer("background", background_color="#fff", background_opacity=0.6)])
    cases.add("order", box_source, [layer("line", filter=linear, line_width=30, line_color="#00f"), layer("fill", filter=polygons, fill_color="rgba(255,0,0,0.6)"), layer("circle", filter=dots, circle_radius=50, circle_color="#ff0"), layer("line", filter=polygons, line_width=8, line_color="#080")])
    cases.add("mixed-geometry", box_source, [layer("fill", fill_color="#ccf"), layer("line", line_width=3), layer("circle", circle_radius=5, circle_color="#f00")])
    for name, condition in {
        "legacy": ["any", ["==", "n", 1], ["in", "name", "b", "c"], ["!has", "name"]],
        "none": ["none", ["==", "n", 2], [">=", "n", 4]],
        "expression": ["case", ["has", "name"], ["<=", ["get", "n"], 1], True],
        "boolean": ["all", ["!=", ["get", "n"], 2], ["any", ["==", ["get", "name"], "a"], ["!", ["has", "name"]]]],
    }.items():
        cases.add(f"filter-{name}", box_source, [layer("fill", filter=condition, fill_color="#36c"), layer("line", filter=condition, line_width=6, line_color="#333")])
    at = [px(256, 256), [0.25, 0.5, 0.75]]
    fractional = [{"center": at[0], "zoom": 4 + f, "size": [384, 256]} for f in at[1]] + [{"center": at[0], "zoom": 5, "size": [256, 256], "ratio": 2}]
    cases.add("zoom-exponential", box_source, [layer("fill", filter=polygons, fill_color=["interpolate", ["linear"], ["zoom"], 4, "#f00", 5, "#00f"]), layer("line", line_width=["interpolate", ["exponential", 2], ["zoom"], 4, 1, 5, 20])], fractional)
    cases.add("zoom-function", box_source, [layer("fill", filter=polygons, fill_opacity={"stops": [[4, 0.2], [5, 1]]}, fill_color="#c06"), layer("line", line_width={"base": 1.5, "stops": [[4, 2], [5, 14]]})], fractional)
    cases.add("zoom-step", box_source, [layer("fill", filter=polygons, fill_color=["step", ["zoom"], "#ccc", 4.5, "#3a3"]), layer("line", line_width=["step", ["zoom"], 2, 4.5, 10])], fractional)
    cases.add("zoom-range", box_source, [layer("fill", filter=polygons, zooms=(0, 4.5), fill_color="#ccc"), layer("line", zooms=(4.5, 24), line_width=5)], fractional)
    ease = ["interpolate", ["cubic-bezier", 0.4, 0, 0.6, 1], ["zoom"], 4, 5, 5, 60]
    cases.add("zoom-cubic", box_source, [layer("fill", filter=polygons, fill_color="#ccc"), layer("circle", filter=["==", ["get", "n"], 4], circle_radius=ease, circle_color="#f80")], fractional)
    cases.add("hidden", box_source, [layer("fill", visibility="none"), layer("line", line_width=2)])


def main(data, folder):
    os.makedirs(folder, exist_ok=True)
    cases = Cases(os.path.abspath(data), folder)
    for group in (countries, parcels, streets, lines, fills, circles, heatmaps, texts, scenes):
        group(cases)
    print(f"{len(cases.names)} styles in {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
