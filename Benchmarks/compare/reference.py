"""Renders every view of some styles with MapLibre Native. usage: reference.py DIR [--fonts DIR] [--again] STYLE…

Needs an X display: run it under `xvfb-run -a`. Prints the milliseconds of each picture; a picture that exists is kept.
"""
import argparse
import json
import os
import sys
import tempfile
import time

import pymgl

import views


ATTEMPTS = 4


def render(style, view):
    """The picture as PNG, straight alpha."""
    width, height = view.size
    longitude, latitude = view.center
    text = json.dumps(style)
    with pymgl.Map(text, width, height, view.ratio, longitude, latitude, view.zoom) as peer:
        return peer.renderPNG()


def said(log):
    """What the peer wrote about a style that it does not take whole."""
    log.seek(0)
    lines = [line for line in log.read().splitlines() if "Error parsing" in line]
    return lines[0] if lines else ""


def render_style(path, options):
    """Renders what is missing. Returns whether the peer gave an answer for every view."""
    style, wanted = views.load(path)
    reason = views.unsupported(style)
    if reason:
        print(f"{views.case_name(path)}: not applicable, {reason}", flush=True)
        return True
    if os.path.exists(f"{options.folder}/{views.case_name(path)}.refused") and not options.again:
        return True
    missing = [v for v in wanted if options.again or not os.path.exists(f"{options.folder}/{v.name}.png")]
    if not missing:
        return True
    style = views.inlined(style, os.path.dirname(os.path.abspath(path)))
    # a local folder: the peer decodes the percent signs that it puts into the font stack's name
    style["glyphs"] = f"file://{os.path.abspath(options.fonts)}/{{fontstack}}/{{range}}.pbf"
    if not style.get("sprite", "").startswith("file:"):
        style.pop("sprite", None)
    log = tempfile.TemporaryFile("w+")
    os.dup2(log.fileno(), 2)
    for view in missing:
        start = time.perf_counter()
        try:
            picture = render(style, view)
        except Exception as error:  # the peer throws RuntimeError with its own words
            print(f"{view.name}: {error}", flush=True)
            return False
        if said(log):
            print(f"{views.case_name(path)}: refused by the peer, {said(log)}", flush=True)
            with open(f"{options.folder}/{views.case_name(path)}.refused", "w", encoding="utf-8") as file:
                file.write(said(log) + "\n")
            return True
        with open(f"{options.folder}/{view.name}.png", "wb") as file:
            file.write(picture)
        print(f"{view.name} {(time.perf_counter() - start) * 1000:.0f} ms", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("styles", nargs="+")
    parser.add_argument("--fonts", default=os.environ.get("PEER_FONTS", "/tmp/peers/fonts"))
    parser.add_argument("--again", action="store_true", help="render also what exists")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for path in options.styles:
        # a process for each style: the peer keeps its graphics contexts, which are few, until it ends, and now and then
        # gets none and aborts
        for _ in range(ATTEMPTS):
            child = os.fork()
            if child == 0:
                done = render_style(path, options)
                sys.stdout.flush()
                os._exit(0 if done else 1)
            if os.waitpid(child, 0)[1] == 0:
                break


if __name__ == "__main__":
    main()
