"""Draws views with MapLibre Native, which opens the archive itself. Needs an X display (xvfb-run -a).

usage: native_views.py FILE, where FILE is the JSON of a list of {archive, center, zoom, size, ratio, background, output}
"""

import json
import os
import sys

import pymgl

ATTEMPTS = 5


def style(job):
    source = {"type": "raster", "url": f"mbtiles://{job['archive']}", "tileSize": 256}
    paint = {"raster-fade-duration": 0}
    return {
        "version": 8,
        "sources": {"tiles": source},
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": job["background"]}},
            {"id": "tiles", "type": "raster", "source": "tiles", "paint": paint},
        ],
    }


def draw(job):
    """Draws a view and ends the process."""
    longitude, latitude = job["center"]
    arguments = (job["size"], job["size"], job["ratio"], longitude, latitude, job["zoom"])
    with pymgl.Map(json.dumps(style(job)), *arguments) as drawn:
        picture = drawn.renderPNG()
    with open(job["output"], "wb") as file:
        file.write(picture)
    os._exit(0)


with open(sys.argv[1], encoding="utf-8") as file:
    jobs = json.load(file)
failed = []
for job in jobs:
    # a process for each view: the renderer keeps its graphics contexts, which are few, until it ends, and now and then
    # gets none and aborts
    for attempt in range(ATTEMPTS):
        child = os.fork()
        if child == 0:
            draw(job)
        if os.waitpid(child, 0)[1] == 0:
            break
    else:
        failed.append(job["output"])
sys.exit(f"not drawn: {failed}" if failed else 0)
