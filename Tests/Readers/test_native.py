"""MapLibre Native opens the file and shows each view as it is."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest

from kit import cases
from kit.comparison import load, same

BACKGROUND, COLOUR = "#e6e6e6", (230, 230, 230)
DRAW = os.path.join(cases.HERE, "draw/native_views.py")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """The picture files of all views by case and zoom, drawn in one run."""
    if not importlib.util.find_spec("pymgl"):
        pytest.skip("no pymgl: make deps-readers")
    if not shutil.which("xvfb-run"):
        pytest.skip("no xvfb: make deps-readers")
    folder = tmp_path_factory.mktemp("native")
    views = [(case, view) for case in cases.CASES for view in case.views()]
    jobs = {
        (str(case), view.zoom): {
            "archive": case.path, "center": view.center, "zoom": view.zoom - 1, "size": view.size,
            "ratio": case.density, "background": BACKGROUND, "output": str(folder / f"{case}-{view.zoom}.png"),
        }
        for case, view in views
    }  # fmt: skip
    (folder / "jobs.json").write_text(json.dumps(list(jobs.values())))
    command = ["xvfb-run", "-a", sys.executable, DRAW, str(folder / "jobs.json")]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LP_NUM_THREADS": "1"}, timeout=600)
    assert run.returncode == 0, f"MapLibre Native: {run.stderr[-1000:]}"
    return {key: job["output"] for key, job in jobs.items()}


def test_it_opens_the_archive_and_shows_each_pixel(case, pictures):
    for view in case.views():
        shown = load(pictures[str(case), view.zoom])
        same(shown, view.over(COLOUR), f"native-{case}-{view.zoom}", limit=1)
