"""Counts what styles use. usage: properties.py STYLE…

Prints a line a property, with the number of styles that use it and how it is given: literal, zoom function, property
function, zoom and property function, or the names of the expression operators; then filters, source options, layer keys.
"""
import json
import sys
from collections import Counter, defaultdict

import views


def shape(value):
    """How a value is given: a word or the set of expression operators."""
    if isinstance(value, dict):
        kind = value.get("type", "")
        stops = value.get("stops", [])
        if "property" not in value:
            return {"zoom-function"}
        return {"zoom-and-property-function" if stops and isinstance(stops[0][0], dict) else f"property-function {kind}".strip()}
    if isinstance(value, list) and value and isinstance(value[0], str):
        if " " in value[0] or value[0][0].isupper():
            return {"literal"}  # the labels of a match, or a font stack
        names = {value[0]}
        for item in value[1:]:
            names |= shape(item) - {"literal"} if isinstance(item, list) and value[0] != "literal" else set()
        return names
    return {"literal"}


def main(paths):
    used, forms = Counter(), defaultdict(Counter)
    applicable = 0
    for path in paths:
        style, _ = views.load(path)
        if views.unsupported(style):
            continue
        applicable += 1
        seen = defaultdict(set)
        for item in style["layers"]:
            for group in ("paint", "layout"):
                for name, value in item.get(group, {}).items():
                    seen[f"{item['type']}: {name}"] |= shape(value)
            for name in ("minzoom", "maxzoom"):
                if name in item:
                    seen[f"layer: {name}"].add("literal")
            if "filter" in item:
                seen["layer: filter"] |= shape(item["filter"])
            seen[f"layer: type {item['type']}"].add("")
        for source in style["sources"].values():
            seen["source: data"].add("path" if isinstance(source["data"], str) else source["data"]["type"])
            for name in source.keys() - {"type", "data"}:
                seen[f"source: {name}"].add("literal")
        for name in style.keys() - {"version", "sources", "layers", "metadata", "name"}:
            seen[f"root: {name}"].add("literal")
        for name, ways in seen.items():
            used[name] += 1
            forms[name].update(ways)
    print(f"{applicable} of {len(paths)} styles apply")
    for name in sorted(used):
        ways = ", ".join(f"{way} {n}" for way, n in forms[name].most_common() if way)
        print(f"{name}\t{used[name]}\t{ways}")


if __name__ == "__main__":
    main(sys.argv[1:])
