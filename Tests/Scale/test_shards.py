"""What engines do to shards: twice, at once, killed, elsewhere, on other machines."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from kit.program import PROGRAM, digest, digests, quadrille, refused, run
from kit.sample import part


@pytest.fixture
def planned(samples, tmp_path):
    """A sample with labels over the borders of its three shards, and the folder of its plan."""
    sample = samples("labels")
    return sample, sample.plan(tmp_path / "plan", 3)


def paint(plan, shard, *options, **more):
    return quadrille("build", "-j", 1, "--shard", shard, *options, plan, **more)


def started(plan, shard):
    return subprocess.Popen(
        [PROGRAM, "build", "-q", "-j", "1", "--shard", str(shard), plan], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)


def merges_to(sample, plan, archive):
    quadrille("merge", "-q", plan, "-o", archive)
    return digests(archive) == sample.digests


def test_a_shard_that_is_run_twice_leaves_its_part_alone(planned, tmp_path):
    sample, plan = planned
    for shard in (2, 0, 1):
        paint(plan, shard)
    before = {shard: os.stat(part(plan, shard)) for shard in range(3)}
    for shard in range(3):
        assert "is there already" in paint(plan, shard).stdout
        after = os.stat(part(plan, shard))
        assert (after.st_ino, after.st_mtime_ns) == (before[shard].st_ino, before[shard].st_mtime_ns)
    assert merges_to(sample, plan, tmp_path / "merged.mbtiles")


def test_a_shard_that_is_painted_by_several_processes_at_once_has_the_same_bytes(planned, tmp_path):
    sample, plan = planned
    paint(plan, 0)
    paint(plan, 2)
    wanted = set()
    for _ in range(3):
        part(plan, 1).unlink(missing_ok=True)
        for process in [started(plan, 1) for _ in range(3)]:
            assert process.wait(120) == 0, process.stderr.read()
        wanted.add(digest(part(plan, 1)))
    assert len(wanted) == 1
    assert sorted(os.listdir(plan / "parts")) == [part(plan, shard).name for shard in range(3)]
    assert merges_to(sample, plan, tmp_path / "merged.mbtiles")


def test_a_shard_that_is_killed_leaves_no_part_or_a_whole_one(planned, tmp_path):
    sample, plan = planned
    began = time.monotonic()
    for shard in range(3):
        paint(plan, shard)
    usual = (time.monotonic() - began) / 3
    wanted = digest(part(plan, 1))
    numbers = random.Random(11)
    killed = 0
    for _ in range(12):
        part(plan, 1).unlink(missing_ok=True)
        process = started(plan, 1)
        time.sleep(usual * numbers.uniform(0.1, 1.1))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert not part(plan, 1).exists() or digest(part(plan, 1)) == wanted
    assert killed >= 3
    paint(plan, 1)
    assert digest(part(plan, 1)) == wanted
    assert merges_to(sample, plan, tmp_path / "merged.mbtiles")
    # The merge removes what the killed ones left.
    assert sorted(os.listdir(plan / "parts")) == [part(plan, shard).name for shard in range(3)]


def test_a_missing_part_ends_the_merge_with_its_number(planned, tmp_path):
    _, plan = planned
    for shard in (0, 2):
        paint(plan, shard)
    assert "the part of shard 1 is missing" in refused(66, "merge", plan, "-o", tmp_path / "merged.mbtiles")
    part(plan, 0).unlink()
    assert "the parts of 2 shards are missing: 0, 1." in refused(66, "merge", plan, "-o", tmp_path / "merged.mbtiles")
    assert not list(tmp_path.glob("*.mbtiles"))


def test_two_merges_at_once_publish_one_archive(planned, tmp_path):
    sample, plan = planned
    for shard in range(3):
        paint(plan, shard)
    merges = [
        subprocess.Popen([PROGRAM, "merge", "-q", plan, "-o", tmp_path / "merged.mbtiles"], stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    assert {merge.wait(120) for merge in merges} <= {0, 75}
    assert digests(tmp_path / "merged.mbtiles") == sample.digests


def test_a_plan_is_found_through_other_paths(planned, mount, tmp_path):
    sample, plan = planned
    second = mount("second", "--bind", plan)
    paint(second, 0)
    paint("plan", 1, cwd=tmp_path)
    (tmp_path / "elsewhere").mkdir()
    paint("../plan", 2, cwd=tmp_path / "elsewhere")
    assert merges_to(sample, second, tmp_path / "merged.mbtiles")


def test_shards_write_nothing_but_their_parts(planned, mount, tmp_path):
    sample, plan = planned
    names = sorted(str(path) for path in plan.rglob("*"))
    seen = mount("seen", "--bind", plan)
    subprocess.run(["mount", "-o", "remount,ro,bind", seen], check=True)
    refused(73, "build", "--shard", 0, seen)
    mount("seen/parts", "--bind", plan / "parts")
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    for shard in range(3):
        paint(seen, shard, cwd=nowhere)
    assert not os.listdir(nowhere)
    parts = [str(part(plan, shard)) for shard in range(3)]
    assert sorted(str(path) for path in plan.rglob("*")) == sorted(names + parts)
    assert merges_to(sample, seen, tmp_path / "merged.mbtiles")


def test_another_program_is_refused(planned, tmp_path):
    _, plan = planned
    other = tmp_path / "other"
    shutil.copy(PROGRAM, other)
    with open(other, "ab") as file:
        file.write(b"\0")
    for arguments in (["build", "--shard", "0", plan], ["merge", plan]):
        result = subprocess.run([other, *arguments], capture_output=True, text=True)
        assert result.returncode == 65 and "another program" in result.stderr, result.stderr
    assert not os.listdir(plan / "parts")


def test_a_machine_with_other_fonts_is_refused(planned, tmp_path):
    _, plan = planned
    fonts = Path("/usr/share/fonts/truetype/dejavu")
    if not fonts.is_dir():
        pytest.skip("no DejaVu fonts: make deps")
    own = tmp_path / "fonts"
    shutil.copytree(fonts, own)
    for font in own.iterdir():
        with open(font, "ab") as file:
            file.write(b"\0")
    told = refused(65, "build", "--shard", 0, plan, env={**os.environ, "QUADRILLE_FONT_PATH": str(own)})
    assert "its fonts differ" in told
    assert not os.listdir(plan / "parts")


def test_a_plan_that_is_planned_again_loses_its_parts(planned, tmp_path):
    sample, plan = planned
    paint(plan, 0)
    sample.plan(plan, 2)
    assert not os.listdir(plan / "parts")
    refused(64, "build", "--shard", 2, plan)
    assert run("merge", plan, "-o", tmp_path / "merged.mbtiles").returncode == 66


def tmpfs(mount, name, kilobytes):
    return mount(name, "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs")


def test_a_full_disk_ends_a_shard_with_one_sentence(planned, mount, tmp_path):
    sample, plan = planned
    paint(plan, 0)
    small = tmpfs(mount, "small", max(4, part(plan, 0).stat().st_size // 2048))
    shutil.rmtree(plan / "parts")
    (plan / "parts").symlink_to(small)
    told = refused(74, "build", "--shard", 0, plan)
    assert "space" in told and "part-00000" in told
    assert not os.listdir(small)
    (plan / "parts").unlink()
    (plan / "parts").mkdir()
    for shard in range(3):
        paint(plan, shard)
    assert merges_to(sample, plan, tmp_path / "merged.mbtiles")


def test_a_full_disk_ends_a_merge_and_the_last_archive_stays(planned, mount, samples):
    _, plan = planned
    for shard in range(3):
        paint(plan, shard)
    last = samples("grids").one
    space = last.stat().st_size // 1024 + 160
    small = tmpfs(mount, "small", space)
    shutil.copy(last, small / "out.mbtiles")
    told = refused(74, "merge", plan, "-o", small / "out.mbtiles")
    assert "space" in told
    assert os.listdir(small) == ["out.mbtiles"] and digest(small / "out.mbtiles") == digest(last)


def test_a_full_disk_ends_a_plan_and_the_last_plan_stays(samples, mount):
    small = tmpfs(mount, "small", 8192)
    sample = samples("grids")
    plan = sample.plan(small / "plan", 2)
    paint(plan, 0)
    before = digest(plan / "plan.json")
    with open(small / "filler", "wb") as filler:
        free = os.statvfs(small).f_bavail * os.statvfs(small).f_frsize
        filler.write(bytes(free - 8192))
    refused(74, "plan", "--no-cache", sample.pipeline, "--shards", 3, "-o", plan)
    assert sorted(os.listdir(small)) == ["filler", "plan"]
    assert digest(plan / "plan.json") == before and part(plan, 0).exists()
    (small / "filler").unlink()
    paint(plan, 1)
    assert merges_to(sample, plan, small / "merged.mbtiles")
