"""Renders every view of some styles with MapLibre Native. usage: reference.py DIR [--fonts DIR] [--again] STYLE…

Needs an X display: run it under `xvfb-run -a`. Prints the milliseconds of each picture; a picture that exists is kept.
"""
import argparse
import json
import os
import sys
import time

import pymgl

import views


def render(style, view):
    """The picture as PNG, straight alpha."""
    width, height = view.size
    longitude, latitude = view.center
    text = json.dumps(style)
    with pymgl.Map(text, width, height, view.ratio, longitude, latitude, view.zoom) as peer:
        return peer.renderPNG()


def render_style(path, options):
    style, wanted = views.load(path)
    reason = views.unsupported(style)
    if reason:
        print(f"{views.case_name(path)}: not applicable, {reason}", flush=True)
        return
    missing = [v for v in wanted if options.again or not os.path.exists(f"{options.folder}/{v.name}.png")]
    if not missing:
        return
    style = views.inlined(style, os.path.dirname(os.path.abspath(path)))
    # a local folder: the peer decodes the percent signs that it puts into the font stack's name
    style["glyphs"] = f"file://{os.path.abspath(options.fonts)}/{{fontstack}}/{{range}}.pbf"
    style.pop("sprite", None)
    for view in missing:
        start = time.perf_counter()
        try:
            picture = render(style, view)
        except Exception as error:  # the peer throws RuntimeError with its own words
            print(f"{view.name}: {error}", file=sys.stderr, flush=True)
            continue
        with open(f"{options.folder}/{view.name}.png", "wb") as file:
            file.write(picture)
        print(f"{view.name} {(time.perf_counter() - start) * 1000:.0f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("styles", nargs="+")
    parser.add_argument("--fonts", default=os.environ.get("PEER_FONTS", "/tmp/peers/fonts"))
    parser.add_argument("--again", action="store_true", help="render also what exists")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for path in options.styles:
        # a process for each style: the peer's graphics contexts are few, and it keeps them until it ends
        child = os.fork()
        if child == 0:
            render_style(path, options)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
