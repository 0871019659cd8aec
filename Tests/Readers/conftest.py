"""Tests of archives in other people's readers. `make test-readers` bakes the archives and runs this."""

import os
import shutil
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import cases, preview  # noqa: E402


def pytest_configure(config):
    missing = [str(case) for case in cases.CASES if not os.path.exists(case.path)]
    if missing:
        raise pytest.UsageError(f"no archives of {', '.join(missing)}: run make test-readers")


@pytest.fixture(params=cases.CASES, ids=str)
def case(request):
    return request.param


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium for all tests of a run."""
    pytest.importorskip("websocket", reason="no websocket-client: make deps-readers")
    from kit.browser import Chromium

    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.skip("no chromium: make deps-readers")
    browser = Chromium(program)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def server():
    """Serves the archives' tiles and the test pages on loopback."""
    from kit.server import TileServer

    tiles = TileServer()
    yield tiles
    tiles.close()


@pytest.fixture(scope="session")
def java(tmp_path_factory):
    """The command that runs the Java reader of clients/."""
    from kit import clients

    if not (shutil.which("javac") and os.path.exists(clients.JDBC)):
        pytest.skip("no javac or no sqlite-jdbc: make deps-readers")
    # Each run is so short that the second compiler and the threads of the collector cost half of it.
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    return ["java", *quick, "-cp", clients.compiled(tmp_path_factory.mktemp("classes")), "quadrille.Replay"]


@pytest.fixture
def publisher():
    """A web server with a signed list and its files, which can be cut off and damaged."""
    from kit.publisher import Publisher

    one = Publisher()
    yield one
    one.close()


@pytest.fixture(scope="session")
def checkout():
    """The address of this checkout on a web server with ranges."""
    from kit.checkout import Checkout

    files = Checkout()
    yield files.url
    files.close()


@pytest.fixture(scope="module")
def served():
    """Previews by their files, each started once."""
    running = {}

    def start(*files):
        if files not in running:
            running[files] = preview.Preview(files)
        return running[files].url

    yield start
    for one in running.values():
        one.close()
