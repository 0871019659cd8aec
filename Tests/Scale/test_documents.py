"""The lines of docs/scale-out.md that a reader copies, run as they are but for their numbers and paths."""

import os
import re
import subprocess

import pytest

from kit.program import PROGRAM, ROOT, digests

TEXT = (ROOT / "docs/scale-out.md").read_text()


@pytest.fixture
def environment(tmp_path):
    """An environment that finds the program by its name."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/quadrille").symlink_to(PROGRAM)
    return {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}


def row(engine):
    """The commands that a row of the table of engines has: painting and merging."""
    found = re.search(rf"^\| {re.escape(engine)} \| `(.*?)` \| `(.*?)` \|$", TEXT, re.MULTILINE)
    assert found, f"docs/scale-out.md has no row '{engine}'"
    return " ".join(found.groups()).replace("\\|", "|")


def adapted(text, **replacements):
    """The text for three shards; everything that is replaced must be in it."""
    for old, new in replacements.values():
        assert old in text, f"{old} is not in: {text}"
        text = text.replace(old, str(new))
    return text


@pytest.mark.parametrize("engine", ["GNU parallel", "xargs"])
def test_the_line_of_an_engine_builds_the_archive(engine, samples, environment, tmp_path, request):
    if engine == "GNU parallel":
        request.getfixturevalue("parallel")
    sample = samples("grids")
    sample.plan(tmp_path / "plan", 3)
    line = adapted(row(engine), count=("seq 0 63", "seq 0 2"), folder=("/shared/plan", tmp_path / "plan"))
    subprocess.run(
        f"{line} -o {tmp_path}/merged.mbtiles", shell=True, check=True, cwd=tmp_path, timeout=300,
        env={**os.environ, **environment, "HOME": str(tmp_path)})
    assert digests(tmp_path / "merged.mbtiles") == sample.digests


def test_the_lines_for_slurm_build_the_archive(samples, cluster, environment, tmp_path):
    sample = samples("grids")
    block = re.search(r"```sh\n(quadrille plan[^`]*?sbatch.*?)```", TEXT, re.DOTALL).group(1)
    lines = adapted(
        block, pipeline=("pipelines/hotels.yml", sample.pipeline), shards=("--shards 64", "--shards 3"),
        array=("--array=0-63%16", "--array=0-2%2"), memory=("--mem=4G", "--mem=400M"),
        merge=("merge -q plan", "merge -q plan -o merged.mbtiles"))
    subprocess.run(
        ["bash", "-euc", lines], check=True, cwd=tmp_path, timeout=300,
        env={**cluster.environment, "PATH": f"{environment['PATH']}:{cluster.environment['PATH']}"})
    archive = tmp_path / "merged.mbtiles"
    cluster.wait(lambda: archive.exists() and not cluster.command("squeue", "-h"), 300, "no archive is published")
    assert digests(tmp_path / "merged.mbtiles") == sample.digests
