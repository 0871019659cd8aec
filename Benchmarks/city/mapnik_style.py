"""The style of the city as a map of Mapnik: the same layers, filters, colours and widths.

Layers that follow one another and draw the same shapes are styles of one Mapnik layer whose features are read once
(`cache-features`). Widths and sizes are evaluated for each zoom, as a rule of the scales around it.
"""
from xml.sax.saxutils import escape, quoteattr

import style

PIXEL = 0.00028  # metres of a pixel at which Mapnik's scale denominators count
SIDE, LAST_ZOOM = 512, 14
FACES = {style.REGULAR: "DejaVu Sans Book", style.BOLD: "DejaVu Sans Bold"}
KINDS = {style.SHAPE: "area", style.LINE: "line", style.POINT: "point"}


def denominator(zoom):
    return 40_075_016.686 / SIDE / 2**zoom / PIXEL


def value(of, zoom):
    """A number, or a function of the zoom evaluated."""
    if not isinstance(of, dict):
        return of
    stops, base = of["stops"], of["base"]
    if zoom <= stops[0][0]:
        return stops[0][1]
    for (z0, a), (z1, b) in zip(stops, stops[1:]):
        if zoom < z1:
            t = (zoom - z0) / (z1 - z0) if base == 1 else (base ** (zoom - z0) - 1) / (base ** (z1 - z0) - 1)
            return round(a + (b - a) * t, 3)
    return stops[-1][1]


def kind_of(layer):
    return next((values[0] for key, _, values in layer["conditions"] if key == "type"), style.SHAPE)


def condition(key, operator, values):
    """A condition; shapefiles keep 10 characters of a name."""
    key = key[:10]
    terms = [f"[{key}] = '{v}'" if isinstance(v, str) else f"[{key}] {'=' if operator in ('in', '!in', '==') else operator} {v}" for v in values]
    every = f"({' or '.join(terms)})"
    return f"not {every}" if operator == "!in" else every


def tag(name, attributes, text=""):
    written = "".join(f" {key}={quoteattr(str(v))}" for key, v in attributes.items() if v is not None)
    return f"<{name}{written}>{escape(text)}</{name}>" if text else f"<{name}{written}/>"


def symbolizers(layer, zoom, folder):
    paint, layout = layer["paint"], layer["layout"]
    if layer["type"] == "fill":
        return fills(paint, folder)
    if layer["type"] == "line":
        width = value(paint["line-width"], zoom)
        dashes = [str(max(0.01, dash * width)) for dash in paint.get("line-dasharray", [])]
        return tag("LineSymbolizer", {
            "stroke": paint["line-color"], "stroke-width": width, "stroke-linejoin": "round", "stroke-linecap": layout["line-cap"],
            "stroke-dasharray": ", ".join(dashes * (1 + len(dashes) % 2)) or None})
    return texts(layer, zoom, folder)


def fills(paint, folder):
    opacity = paint.get("fill-opacity", 1)
    if "fill-pattern" in paint:
        return tag("PolygonPatternSymbolizer", {"file": f"{folder}/{paint['fill-pattern']}.png", "opacity": opacity, "alignment": "global"})
    move = paint.get("fill-translate")
    fill = tag("PolygonSymbolizer", {
        "fill": paint["fill-color"], "fill-opacity": opacity, "geometry-transform": f"translate({move[0]},{move[1]})" if move else None})
    line = paint.get("fill-outline-color")
    return fill + (tag("LineSymbolizer", {"stroke": line, "stroke-width": 1}) if line else "")


def texts(layer, zoom, folder):
    layout, paint = layer["layout"], layer["paint"]
    field = "[" + layout["text-field"][1:-1][:10] + "]"
    along = layout.get("symbol-placement") == "line"
    attributes = {
        "face-name": FACES[layout["text-font"][0]], "size": value(layout["text-size"], zoom), "fill": paint["text-color"],
        "halo-fill": paint["text-halo-color"], "halo-radius": paint["text-halo-width"], "placement": "line" if along else "point",
        "spacing": layout.get("symbol-spacing"), "text-transform": layout.get("text-transform") if layout.get("text-transform") != "none" else None,
        "wrap-width": None if along else 8 * value(layout["text-size"], zoom)}
    icon = layout.get("icon-image")
    if not icon:
        return tag("TextSymbolizer", attributes, field)
    return tag("ShieldSymbolizer", {**attributes, "file": f"{folder}/{icon}.png", "unlock-image": "true" if icon == "dot" else None,
                                    "dy": 10 if icon == "dot" else None}, field)


def style_xml(layer, folder):
    rules = ""
    for zoom in range(layer["minzoom"], min(LAST_ZOOM, layer["maxzoom"] - 1) + 1):
        conditions = " and ".join(condition(*c) for c in layer["conditions"] if c[0] != "type")
        rules += "<Rule>" + (f"<Filter>{escape(conditions)}</Filter>" if conditions else "")
        rules += f"<MaxScaleDenominator>{denominator(zoom - 0.5):.1f}</MaxScaleDenominator>"
        rules += f"<MinScaleDenominator>{denominator(zoom + 0.5):.1f}</MinScaleDenominator>"
        rules += symbolizers(layer, zoom, folder) + "</Rule>"
    return f"<Style name={quoteattr(layer['id'])}>{rules}</Style>\n"


def map_xml(layers, folder):
    """The map; `folder` has the shapes as LAYER-KIND.shp and the pictures."""
    background = next(layer["paint"]["background-color"] for layer in layers if layer["type"] == "background")
    drawn = [layer for layer in layers if layer["type"] != "background"]
    styles, groups = "", []
    for layer in drawn:
        styles += style_xml(layer, folder)
        name = f"{layer['source-layer']}-{KINDS[kind_of(layer)]}"
        if groups and groups[-1][0] == name:
            groups[-1][1].append(layer)
        else:
            groups.append((name, [layer]))
    out = f'<Map srs="epsg:3857" background-color="{background}" buffer-size="64">\n{styles}'
    for number, (name, group) in enumerate(groups):
        first = min(layer["minzoom"] for layer in group)
        out += f'<Layer name="{number}-{name}" srs="epsg:3857" cache-features="true" maximum-scale-denominator="{denominator(first - 0.5):.1f}">'
        out += "".join(f"<StyleName>{layer['id']}</StyleName>" for layer in group)
        out += f'<Datasource><Parameter name="type">shape</Parameter><Parameter name="file">{folder}/{name}.shp</Parameter></Datasource></Layer>\n'
    return out + "</Map>\n"
