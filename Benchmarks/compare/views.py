"""A case is a MapLibre style file; its metadata says which pictures to take of it.

`metadata.views`: a list of {"tile": "z/x/y"} (512 px, as MapLibre's own world) or {"center": [lng, lat], "zoom": z,
"size": [w, h]}, each with an optional "ratio". The published render tests say the same with `metadata.test`
{width, height, pixelRatio} and the style's own center and zoom.
"""
import json
import math
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """One picture: a centre in degrees, MapLibre's zoom, a size in CSS pixels and the device pixels of each."""

    name: str
    center: tuple
    zoom: float
    size: tuple
    ratio: float
    tile: str = ""


def tile_center(z, x, y):
    """Longitude and latitude of a tile's middle (rows southward)."""
    n = 2**z
    latitude = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * (y + 0.5) / n))))
    return ((x + 0.5) / n * 360 - 180, latitude)


def tile_at(z, longitude, latitude):
    """The tile that holds a place, as "z/x/y"."""
    s = math.sin(math.radians(latitude))
    n = 2**z
    y = 0.5 - math.log((1 + s) / (1 - s)) / (4 * math.pi)
    return f"{z}/{int((longitude + 180) / 360 * n)}/{int(y * n)}"


def case_name(path):
    """`fill.json` is `fill`; `line-cap/round/style.json` is `line-cap--round`."""
    parts = os.path.abspath(path).split(os.sep)
    return "--".join(parts[-3:-1]) if parts[-1] == "style.json" else os.path.splitext(parts[-1])[0]


def views(style, name):
    """The views of a style; the published tests' form where there is no list."""
    metadata = style.get("metadata", {})
    if "views" not in metadata:
        test = metadata.get("test", {})
        size = (test.get("width", 512), test.get("height", 512))
        center = tuple(style.get("center", (0, 0)))
        return [View(name, center, style.get("zoom", 0), size, test.get("pixelRatio", 1))]
    out = []
    for item in metadata["views"]:
        ratio = item.get("ratio", 1)
        suffix = f"@{ratio}x" if ratio != 1 else ""
        if "tile" in item:
            z, x, y = map(int, item["tile"].split("/"))
            label = item["tile"].replace("/", "-")
            out.append(View(f"{name}_{label}{suffix}", tile_center(z, x, y), z, (512, 512), ratio, item["tile"]))
        else:
            w, h = item["size"]
            label = f"{item['zoom']}-{w}x{h}"
            out.append(View(f"{name}_{label}{suffix}", tuple(item["center"]), item["zoom"], (w, h), ratio))
    return out


def load(path):
    """The style of a case and its views."""
    with open(path, encoding="utf-8") as file:
        style = json.load(file)
    return style, views(style, case_name(path))


LOCAL = "local://"


def unsupported(style):
    """Why a style cannot be compared, or nothing: geojson and `local://` tiles can, pictures of a `local://` sprite too."""
    for name, source in style.get("sources", {}).items():
        if source.get("type") in ("vector", "raster") and all(t.startswith(LOCAL) for t in source.get("tiles", ["none"])):
            continue
        if source.get("type") != "geojson":
            return f"source {name} is {source.get('type')}"
        if isinstance(source.get("data"), str) and "://" in source["data"]:
            return f"source {name} reads {source['data']}"
    text = json.dumps(style.get("layers", []))
    pictures = () if str(style.get("sprite", "")).startswith(LOCAL) else ("-pattern", "icon-image")
    for key in (*pictures, "fill-extrusion", "feature-state", "global-state"):
        if key in text:
            return f"uses {key}"
    if style.get("pitch") or style.get("bearing"):
        return "is pitched or turned"
    if "operations" in style.get("metadata", {}).get("test", {}):
        return "has operations"
    return ""


def whole(geometry):
    """The geometry without rings of less than 4 points, for which MapLibre Native refuses the whole source."""
    kind = (geometry or {}).get("type")
    if kind == "Polygon":
        rings = geometry["coordinates"]
        kept = [] if rings and len(rings[0]) < 4 else [r for r in rings if len(r) >= 4]
        return {**geometry, "coordinates": kept} if kept else None
    if kind == "MultiPolygon":
        parts = [whole({"type": "Polygon", "coordinates": p}) for p in geometry["coordinates"]]
        return {**geometry, "coordinates": [p["coordinates"] for p in parts if p]}
    return geometry


def located(address, folder):
    return f"file://{folder}/{address.removeprefix(LOCAL)}" if address.startswith(LOCAL) else address


def inlined(style, folder):
    """The style with every geojson path replaced by its content, as MapLibre Native without a server needs it.

    `local://` is the style's own folder.
    """
    sources = {}
    if "sprite" in style:
        style = {**style, "sprite": located(style["sprite"], folder)}
    for name, source in style.get("sources", {}).items():
        if "tiles" in source:
            source = {**source, "tiles": [located(template, folder) for template in source["tiles"]]}
        if isinstance(source.get("data"), str):
            with open(os.path.join(folder, source["data"]), encoding="utf-8") as file:
                data = json.load(file)
            for feature in data.get("features", []):
                feature["geometry"] = whole(feature["geometry"])
            if "features" in data:
                data["features"] = [f for f in data["features"] if f["geometry"]]
            source = {**source, "data": data}
        sources[name] = source
    return {**style, "sources": sources}
