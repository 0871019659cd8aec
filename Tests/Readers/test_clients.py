"""The readers of clients/: all of them replay the golden vectors, and answer taps as the sources' rows do."""

import os
import random
import shutil
import sys

import pytest

from kit import clients, rows

TAPS = 100_000


@pytest.fixture(scope="session")
def node():
    if not shutil.which("node"):
        pytest.skip("no node: make deps-readers")
    return clients.NODE


def test_the_vectors_are_those_of_the_documents():
    checked = clients.run(sys.executable, "-B", os.path.join(rows.VECTORS, "generate.py"), "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def replayed(*command):
    told = clients.run(*command)
    assert told.returncode == 0, told.stdout + told.stderr
    passed, failed = (int(part.split()[0]) for part in told.stdout.splitlines()[-1].split(", "))
    assert passed > 500 and failed == 0


def test_python_replays_all_vectors():
    replayed(*clients.PYTHON)


def test_node_replays_all_vectors(node):
    replayed(*node)


def test_java_replays_all_vectors(java):
    replayed(*java, rows.VECTORS)


def test_a_browser_replays_all_vectors(chromium, checkout):
    with chromium.page() as page:
        page.open(f"{checkout}clients/vectors/README.md")
        page.wait("document.readyState === 'complete'")
        told = page.run(
            f"import('{checkout}clients/javascript/replay.js').then((told) =>"
            f" told.replay('{checkout}clients/vectors/', (...all) => fetch(...all)))"
        )
        assert told["failures"] == [] and told["passed"] > 500


@pytest.fixture(scope="session")
def taps(tmp_path_factory):
    """Places of taps in two archives, a file of them, and what the rows say: sets of keys."""
    folder, turn, all_taps = tmp_path_factory.mktemp("taps"), random.Random(36), {}
    for kind in (rows.Shapes, rows.Towns):
        archive = kind()
        boxes = [one.box for one in archive.all]
        places, wanted = [], []
        for i in range(TAPS // 2):
            left, top, right, bottom = boxes[i % len(boxes)]
            x, y = turn.uniform(left - 4, right + 4), turn.uniform(top - 4, bottom + 4)
            # The last of 2^-20 px are lost on the way to degrees.
            if min((x % 4), (y % 4), 4 - x % 4, 4 - y % 4) < 1e-4:
                x, y = x + 0.001, y + 0.001
            # Beyond the antimeridian nothing answers: maps wrap positions before they ask.
            x = min(max(x, 0.001), archive.side - 0.001)
            lng, lat = rows.place(x, y, archive.side)
            places.append(f"{lng!r} {lat!r} {archive.zoom}")
            wanted.append(archive.answers(x, y))
        file = folder / f"{kind.__name__}.txt"
        file.write_text("\n".join(places) + "\n", encoding="utf-8")
        all_taps[os.path.join(rows.VECTORS, kind.file)] = (file, wanted)
    return all_taps


@pytest.mark.parametrize("reader", ["python", "node", "java"])
def test_a_hundred_thousand_taps_equal_brute_force(reader, taps, request):
    command = clients.PYTHON if reader == "python" else request.getfixturevalue(reader)
    for archive, (file, wanted) in taps.items():
        told = clients.run(*command, "taps", archive, file)
        assert told.returncode == 0, told.stderr[-2000:]
        keys = told.stdout.split("\n")[: len(wanted)]
        wrong = [(line, key, sorted(may)) for line, key, may in zip(file.read_text().splitlines(), keys, wanted) if key not in may]
        assert not wrong, (os.path.basename(archive), len(wrong), wrong[:5])
        assert sum(len(may) == 1 for may in wanted) > 0.9 * len(wanted) and len(set(keys)) > 40


@pytest.mark.parametrize("reader", ["python", "node", "java"])
@pytest.mark.parametrize("archive", ["towns", "shapes"])
def test_whatever_is_damaged_ends_with_an_error_of_the_reader(reader, archive, request):
    command = clients.PYTHON if reader == "python" else request.getfixturevalue(reader)
    told = clients.run(*command, "damage", os.path.join(rows.VECTORS, "archives", f"{archive}.mbtiles"), 100)
    assert told.returncode == 0, told.stdout + told.stderr
    fine, refused = map(int, told.stdout.split())
    # Compact taps are asked for what a box holds, too.
    assert fine + refused == (500 if archive == "shapes" else 400) and fine > 100 and refused > 40
