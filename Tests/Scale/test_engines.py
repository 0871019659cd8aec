"""Builds divided by real engines: GNU parallel, and the script for Slurm on a cluster of two nodes."""

import shlex
import subprocess

import pytest

from kit.program import PROGRAM, SUBMIT, digests, quadrille, refused
from kit.sample import KINDS, part

COUNTS = [1, 2, 3, 7]


@pytest.mark.parametrize("kind", KINDS)
def test_shards_painted_by_gnu_parallel_give_the_bytes_of_one_build(kind, samples, parallel, tmp_path):
    sample = samples(kind)
    for count in COUNTS:
        plan = sample.plan(tmp_path / f"plan-{count}", count)
        # The greatest count takes the numbers from the engine's variables, and two threads.
        number, threads = ("@env", 2) if count == COUNTS[-1] else ("{}", 1)
        command = f"{shlex.quote(PROGRAM)} build -q -j {threads} --shard {number} {shlex.quote(str(plan))} # {{}}"
        subprocess.run(
            [parallel, "--will-cite", "--retries", "3", command], input="\n".join(map(str, range(count))), text=True,
            check=True, timeout=300)
        quadrille("merge", "-q", "-f", "-j", threads, plan, "-o", tmp_path / "merged.mbtiles")
        assert digests(tmp_path / "merged.mbtiles") == sample.digests, f"{count} shards"


def submit(cluster, *arguments, program=PROGRAM, **options):
    """Starts the script, which waits for its last job."""
    return subprocess.Popen(
        [SUBMIT, "--wait", "--program", program, *map(str, arguments)], env=cluster.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def finished(submission, cluster, code=0):
    """Waits for a script, which must end with a code; returns what it printed."""
    try:
        output, errors = submission.communicate(timeout=400)
    except subprocess.TimeoutExpired:
        submission.kill()
        raise AssertionError(f"the jobs do not end:\n{cluster.command('squeue')}\n{cluster.logs()}") from None
    assert submission.returncode == code, f"{submission.returncode}: {output}{errors}{cluster.command('squeue')}"
    return output + errors


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_slurm_give_the_bytes_of_one_build(kind, samples, cluster, tmp_path):
    sample = samples(kind)

    def folder(count):
        made = tmp_path / str(count)
        made.mkdir(exist_ok=True)
        return made

    submissions = {
        count: submit(
            cluster, "--shards", count, "--parallel", 4, "--memory", "400M", sample.pipeline, "-o",
            tmp_path / f"plan {count}", "--archive", folder(count) / "merged.mbtiles", "--", "--no-kill")
        for count in COUNTS
    }
    for count, submission in submissions.items():
        finished(submission, cluster)
        assert digests(folder(count) / "merged.mbtiles") == sample.digests, f"{count} shards"


@pytest.mark.parametrize("kind", ["hotels", "series"])
def test_an_array_of_more_shards_than_nodes_gives_the_bytes_of_one_build(kind, samples, cluster, tmp_path):
    sample = samples(kind)
    finished(
        submit(
            cluster, "--shards", 64, "--memory", "400M", sample.pipeline, "-o", tmp_path / "plan", "--archive",
            tmp_path / "merged.mbtiles"), cluster)
    assert digests(tmp_path / "merged.mbtiles") == sample.digests


def test_a_failing_shard_leaves_no_archive_and_can_be_painted_later(samples, cluster, tmp_path):
    sample = samples("labels")
    plan = tmp_path / "plan"
    failing = tmp_path / "failing"
    failing.write_text(
        '#!/bin/sh\ncase "$*" in *"--shard 1 "*) echo "error: out of luck." >&2; exit 74;; esac\n'
        f'exec {shlex.quote(PROGRAM)} "$@"\n')
    failing.chmod(0o755)
    archive = ["--archive", tmp_path / "merged.mbtiles"]
    told = finished(
        submit(cluster, sample.pipeline, "-n", 3, "-o", plan, *archive, program=str(failing)), cluster, 1)
    assert "CANCELLED" in told and "plan.logs" in told
    assert "out of luck" in (tmp_path / "plan.logs/shard-1.log").read_text()
    assert not (tmp_path / "merged.mbtiles").exists()
    assert "the part of shard 1 is missing" in refused(66, "merge", plan, "-o", tmp_path / "merged.mbtiles")
    # Only what is missing is painted now.
    untouched = part(plan, 0).stat().st_mtime_ns
    finished(submit(cluster, "--resume", plan, *archive), cluster)
    assert digests(tmp_path / "merged.mbtiles") == sample.digests
    assert part(plan, 0).stat().st_mtime_ns == untouched
    # Nothing is missing: the merge alone is submitted, and leaves the archive as it is.
    told = finished(submit(cluster, "--resume", plan, *archive), cluster)
    assert "shards:" not in told and "merge:" in told


def test_a_merge_that_fails_ends_the_script_with_its_code(samples, cluster, tmp_path):
    sample = samples("grids")
    plan = sample.plan(tmp_path / "plan", 2)
    for shard in (0, 1):
        part(plan, shard).write_bytes(b"not a part")
    told = finished(submit(cluster, "--resume", plan, "--archive", tmp_path / "merged.mbtiles"), cluster, 65)
    assert "merge.log" in told
    assert "damaged" in (tmp_path / "plan.logs/merge.log").read_text()
    assert not (tmp_path / "merged.mbtiles").exists()


def test_more_shards_than_an_array_may_have_are_refused(samples, cluster, tmp_path):
    told = finished(
        submit(cluster, samples("grids").pipeline, "--shards", 1002, "-o", tmp_path / "plan"), cluster, 64)
    assert "MaxArraySize is 1001" in told and not (tmp_path / "plan").exists()


@pytest.mark.long
def test_shards_of_a_node_that_dies_are_painted_on_another(samples, own_cluster, tmp_path):
    sample = samples("labels")
    log = tmp_path / "log"
    # Each shard stops in the midst of its work for long enough to be killed there.
    slow = tmp_path / "slow"
    slow.write_text(f"""#!/bin/sh
[ "$1" = build ] || exec {shlex.quote(PROGRAM)} "$@"
echo "$SLURM_ARRAY_TASK_ID $SLURMD_NODENAME ${{SLURM_RESTART_COUNT:-0}}" >> {shlex.quote(str(log))}
{shlex.quote(PROGRAM)} "$@" &
sleep 0.03
kill -STOP $!
sleep 6
kill -CONT $!
wait $!
""")
    slow.chmod(0o755)
    submission = submit(
        own_cluster, sample.pipeline, "-n", 4, "-o", tmp_path / "plan", "--archive", tmp_path / "merged.mbtiles",
        program=str(slow))
    started = submission.stdout.readline()
    array = started.split()[-1]
    own_cluster.wait(lambda: len(own_cluster.running(array)) == 2, 60, "the array does not run on both nodes")
    lost = own_cluster.running(array)
    assert {node for _, node in lost} == {"n1", "n2"}
    own_cluster.wait(lambda: log.exists() and len(log.read_text().splitlines()) >= 2, 20, "no shard starts")
    killed = own_cluster.kill_node("n2")
    assert "slurmd" in killed and "slurmstepd" in killed
    finished(submission, own_cluster)
    assert digests(tmp_path / "merged.mbtiles") == sample.digests
    runs = [line.split() for line in log.read_text().splitlines()]
    first = next(shard for shard, node, _ in runs if node == "n2")
    assert [node for shard, node, count in runs if shard == first and count == "1"] == ["n1"], runs
    assert len({shard for shard, _, _ in runs}) == 4
