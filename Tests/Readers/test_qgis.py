"""QGIS opens the file by its provider of MBTiles and shows each view."""

import json
import os
import subprocess

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


def test_it_shows_each_pixel(case, pictures):
    """QGIS cuts a picture at the layer's bounds, which moves what it shows by up to three pixels. It knows no @2x: tiles of
    512 px are drawn at half their size.
    """
    for view in case.views():
        shown, wanted = load(pictures[str(case), view.zoom]), view.over(COLOUR)
        name = f"qgis-{case}-{view.zoom}"
        if case.density == 1 and view.within_bounds:
            same(shown, wanted, name, limit=1)
        else:
            resampled(shown, wanted, name, limit=2, mean=1.5, radius=1 if view.within_bounds else 3)
