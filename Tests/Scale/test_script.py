"""The commands that the script for Slurm would run, without a cluster."""

import shlex
import subprocess

import pytest

from kit.program import PROGRAM, SUBMIT


def script(*arguments, **options):
    return subprocess.run(
        [SUBMIT, "--program", PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


def commands(*arguments, **options):
    """The words of the commands that a dry run prints."""
    result = script("--dry-run", *arguments, **options)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return [shlex.split(line) for line in result.stdout.splitlines()]


def test_a_dry_run_prints_the_plan_the_array_and_the_merge(tmp_path):
    plan, _, array, merge = commands(
        "stores.yml", "--shards=12", "-p", 3, "-m", "2G", "-t", 30, "--partition", "maps", "-o", "my plan's", "--",
        "--account=x", cwd=tmp_path)
    folder = f"{tmp_path}/my plan's"
    assert plan == [PROGRAM, "plan", "stores.yml", "--shards", "12", "-o", folder]
    for option in ("--array=0-11%3", "--mem=2G", "--time=30", "--partition=maps", "--requeue", "--open-mode=append",
                   "--account=x", "--cpus-per-task=1"):
        assert option in array
    quoted = "'" + folder.replace("'", "'\\''") + "'"
    assert array[-1] == f"exec '{PROGRAM}' build -q -j 1 --shard \"$SLURM_ARRAY_TASK_ID\" {quoted}"
    assert "--dependency=afterok:SHARDS" in merge and "--kill-on-invalid-dep=yes" in merge and "--mem=2G" in merge
    assert merge[-1] == f"exec '{PROGRAM}' merge -q -j 1 {quoted}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("there, array", [
    ([], "0-4"), ([0, 1], "2-4"), ([1, 3], "0,2,4"), ([4], "0-3"), ([2], "0-1,3-4"), ([0, 1, 2, 3, 4], None)])
def test_only_missing_parts_are_painted_by_resume(there, array, tmp_path):
    (tmp_path / "plan/parts").mkdir(parents=True)
    (tmp_path / "plan/plan.json").write_text('{\n' + '  "firstRow" : 0,\n' * 5 + '}\n')
    for shard in there:
        (tmp_path / f"plan/parts/part-{shard:05d}.tiles").touch()
    _, *submissions = commands("--resume", tmp_path / "plan")
    arrays = [word for words in submissions for word in words if word.startswith("--array=")]
    assert arrays == ([f"--array={array}"] if array else [])
    assert len(submissions) == len(arrays) + 1


@pytest.mark.parametrize("arguments, code, words", [
    ([], 64, "-o is missing"),
    (["-o", "plan"], 64, "pipeline file is missing"),
    (["a.yml", "b.yml", "-o", "plan"], 64, "one pipeline at a time"),
    (["a.yml", "-o", "plan", "-n", "0"], 64, "--shards '0' is not a number"),
    (["a.yml", "-o", "plan", "-p", "x"], 64, "--parallel 'x' is not a number"),
    (["a.yml", "-o"], 64, "-o needs a value"),
    (["a.yml", "-o", "plan", "--shard", "3"], 64, "no option --shard"),
    (["--resume", "plan", "-n", "3"], 64, "leave --shards out"),
    (["a.yml", "--resume", "plan"], 64, "leave 'a.yml' out"),
    (["a.yml", "-o", "plan", "--program", "no-such-program"], 66, "no program 'no-such-program'"),
    (["--dry-run", "--resume", "plan"], 66, "no plan in"),
])
def test_a_wrong_command_line_is_refused_by_one_sentence(arguments, code, words, tmp_path):
    result = script(*arguments, cwd=tmp_path)
    assert result.returncode == code and result.stdout == "", result.stderr
    assert result.stderr.startswith("error: ") and words in result.stderr and result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_help_names_every_option():
    result = script("--help")
    text = open(SUBMIT).read()
    assert result.returncode == 0 and "USAGE" in result.stdout
    for option in ("--shards", "--parallel", "--cpus", "--memory", "--time", "--merge-cpus", "--merge-memory",
                   "--merge-time", "--partition", "--output", "--archive", "--logs", "--program", "--wait", "--dry-run",
                   "--resume"):
        assert option in result.stdout
        assert f"{option} |" in text or f"{option})" in text
