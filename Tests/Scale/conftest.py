"""Tests of builds that are divided among processes and machines. `make test-scale` runs this."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import slurm  # noqa: E402
from kit.program import PROGRAM  # noqa: E402
from kit.sample import Sample  # noqa: E402


def pytest_configure(config):
    # A run that is ended stops its daemons and unmounts, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    config.addinivalue_line("markers", "long: takes minutes; make test-long runs it")
    if not os.access(PROGRAM, os.X_OK):
        raise pytest.UsageError(f"no program at {PROGRAM}: run make test-scale")


def pytest_collection_modifyitems(items):
    if os.environ.get("QUADRILLE_SLOW") != "1":
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="takes minutes: make test-long"))


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Samples by kind, each built on one machine when it is first asked for."""
    made = {}

    def sample(kind):
        if kind not in made:
            made[kind] = Sample(tmp_path_factory.mktemp(kind), kind)
        return made[kind]

    return sample


@pytest.fixture(scope="session")
def parallel():
    """GNU parallel."""
    program = shutil.which("parallel")
    about = program and subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    if not about or not about.startswith("GNU parallel"):
        pytest.skip("no GNU parallel: make deps-scale")
    return program


def started_cluster():
    missing = slurm.missing()
    if missing:
        pytest.skip(f"no {', '.join(missing)}: make deps-scale")
    return slurm.Cluster()


@pytest.fixture(scope="session")
def cluster():
    """A Slurm cluster of two nodes for all tests of a run."""
    cluster = started_cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def own_cluster():
    """A Slurm cluster of two nodes for a test that damages it."""
    cluster = started_cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def mount(tmp_path):
    """Mounts something below the test's folder, until the test ends."""
    mounted = []

    def mount(name, *options):
        target = tmp_path / name
        target.mkdir(exist_ok=True)
        result = subprocess.run(["mount", *map(str, options), str(target)], capture_output=True, text=True)
        if result.returncode:
            pytest.skip(f"nothing can be mounted here: {result.stderr.strip()}")
        mounted.append(target)
        return Path(target)

    yield mount
    for target in reversed(mounted):
        subprocess.run(["umount", str(target)], check=True)
