"""QGIS opens the file by its provider of MBTiles and shows each view."""

import json
import math
import os
import subprocess

import numpy as np
import pytest

from kit import cases
from kit.comparison import load, resampled, same

BACKGROUND, COLOUR = "#e6e6e6", (230, 230, 230)
PYTHON = "/usr/bin/python3"
DRAW = os.path.join(cases.HERE, "draw/qgis_views.py")


def has_qgis():
    return os.path.exists(PYTHON) and not subprocess.run([PYTHON, "-c", "import qgis.core"], capture_output=True).returncode


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """The picture files of all views by case and zoom, drawn in one run."""
    if not has_qgis():
        pytest.skip("no python3-qgis: make deps-readers")
    folder = tmp_path_factory.mktemp("qgis")
    jobs = {
        (str(case), view.zoom): {
            "archive": case.path, "mercator": view.mercator, "size": view.size, "background": BACKGROUND,
            "output": str(folder / f"{case}-{view.zoom}.png"),
        }
        for case in cases.CASES
        for view in case.views()
    }  # fmt: skip
    (folder / "jobs.json").write_text(json.dumps(list(jobs.values())))
    run = subprocess.run([PYTHON, DRAW, str(folder / "jobs.json")], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-1000:]
    return {key: job["output"] for key, job in jobs.items()}


def within_bounds(picture, view, margin=4):
    """The picture with nothing but the background beyond the archive's bounds and so many pixels of QGIS' view within."""
    height, width = picture.shape[:2]
    scale = width // view.size
    world = 20037508.342789244
    west, south, east, north = (float(text) for text in view.archive.metadata["bounds"].split(","))

    def row(latitude):
        return world * math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)) / math.pi

    left0, bottom0, right0, top0 = view.mercator
    columns = [(edge / 180 * world - left0) / (right0 - left0) * width for edge in (west, east)]
    rows = [(top0 - row(edge)) / (top0 - bottom0) * height for edge in (north, south)]
    left, top = (max(math.ceil(edges[0]) + margin * scale, 0) for edges in (columns, rows))
    right, bottom = (max(math.floor(edges[1]) - margin * scale, 0) for edges in (columns, rows))
    result = np.full_like(picture, 0) + np.array(COLOUR, picture.dtype)
    result[top:bottom, left:right] = picture[top:bottom, left:right]
    return result


def test_it_shows_each_pixel(case, pictures):
    """QGIS cuts a picture at the layer's bounds, which moves what it shows by up to three pixels and hides what symbols
    show beyond. It knows no @2x: tiles of 512 px are drawn at half their size.
    """
    for view in case.views():
        shown, wanted = load(pictures[str(case), view.zoom]), view.over(COLOUR)
        if not view.within_bounds:
            shown, wanted = within_bounds(shown, view), within_bounds(wanted, view)
        name = f"qgis-{case}-{view.zoom}"
        if case.density == 1 and view.within_bounds:
            same(shown, wanted, name, limit=1)
        else:
            resampled(shown, wanted, name, limit=2, mean=1.5, radius=1 if view.within_bounds else 3)
