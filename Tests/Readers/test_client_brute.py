"""Boxes and taps of the readers in four languages against brute force over the records, in archives of five layouts.

With QUADRILLE_SLOW (make test-long) these are 10,000 boxes and 2,000 taps of each archive, else a tenth.
"""

import json
import os
import random
import shutil
import subprocess

import pytest

from kit import brute, cases, clients, regions

LONG = bool(os.environ.get("QUADRILLE_SLOW"))
BOXES, TAPS = (10_000, 2_000) if LONG else (300, 200)
# Layout of the tiles, and taps.
FORMS = {
    "flat": ("flat", None), "dedup": ("dedup", None), "grids": ("dedup", "utfgrid"), "flat-compact": ("flat", "compact"), "dedup-compact": ("dedup", "compact"),
}  # fmt: skip


@pytest.fixture(scope="module", params=brute.KINDS, ids=lambda kind: kind.name)
def ground(request, tmp_path_factory):
    """The records of an archive, its files by their forms, boxes and taps in files, and the answers that were right."""
    if not os.path.exists(cases.PROGRAM):
        pytest.skip("no quadrille: make test-readers")
    folder = tmp_path_factory.mktemp(request.param.name)
    kind = brute.made(request.param, folder)
    for form, (layout, taps) in FORMS.items():
        told = f", interactivity: {{fields: [name], format: {taps}}}" if taps else ""
        values = {"name": kind.name, "sources": kind.sources, "layers": kind.layers, "maxzoom": kind.maxzoom}
        (folder / f"{form}.yml").write_text(brute.STYLE.format(**values, taps=told, form=form, layout=layout), encoding="utf-8")
        built = subprocess.run([cases.PROGRAM, "build", "-q", f"{form}.yml"], cwd=folder, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr
    turn = random.Random(48)
    boxes, taps = brute.boxes(kind, turn, BOXES), brute.taps(kind, turn, TAPS)
    for name, lines in (("boxes", boxes), ("taps", taps)):
        (folder / f"{name}.txt").write_text("".join(" ".join(map(repr, line)) + "\n" for line in lines), encoding="utf-8")
    return kind, folder, boxes, taps, {}


@pytest.fixture(params=["python", "node", "java", "swift"])
def reader(request):
    if request.param == "node" and not shutil.which("node"):
        pytest.skip("no node: make deps-readers")
    if request.param == "swift":
        if not regions.fixture():
            pytest.skip("no update-fixture beside the program: swift build --build-tests")
        return [regions.fixture()]
    return {"python": clients.PYTHON, "node": clients.NODE}.get(request.param) or request.getfixturevalue("java")


def archive(ground, form):
    kind, folder, *_ = ground
    return folder / f"{kind.name}-{form}.mbtiles"


def answered(reader, what, path, file):
    """The lines of a reader's answers."""
    told = subprocess.run([*reader, what, str(path), str(file)], capture_output=True, text=True, timeout=3600, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    return told.stdout.split("\n")[:-1]


def test_boxes_of_both_layouts_hold_what_the_records_have_there(ground, reader):
    kind, folder, boxes, _, right = ground
    answers = {form: answered(reader, "entries", archive(ground, form), folder / "boxes.txt") for form in ("flat-compact", "dedup-compact")}
    assert answers["flat-compact"] == answers["dedup-compact"]
    lines = answers["flat-compact"]
    assert len(lines) == len(boxes)
    found, across, wrong = 0, 0, []
    for index, ((*box, zoom), line) in enumerate(zip(boxes, lines)):
        entries = json.loads(line)
        # What equals the answer of a reader before has been compared.
        rounded = [(key, round(lng, 9), round(lat, 9), count) for key, lng, lat, count in entries]
        reason = kind.check(entries, box, zoom) if len(entries) < 1000 and right.get(index) != rounded else None
        if reason:
            wrong.append((box, zoom, reason))
        else:
            right[index] = rounded
        found, across = found + len(entries), across + (box[0] > box[2] and len(entries) > 0)
    assert not wrong, (len(wrong), wrong[:5])
    assert found > 5 * len(boxes) and (across > len(boxes) / 100 or kind.name == "shapes"), (found, across)


def test_taps_of_five_layouts_answer_what_the_records_have_there(ground, reader):
    kind, folder, _, taps, _ = ground
    if isinstance(kind, brute.Cells):
        # The keys of cells, by all that a zoom shows.
        (folder / "all.txt").write_text("".join(f"-180 -85 180 85 {zoom}\n" for zoom in range(1, 6)))
        for zoom, line in enumerate(answered(reader, "entries", archive(ground, "dedup-compact"), folder / "all.txt"), 1):
            assert kind.check(json.loads(line), (-180, -85, 180, 85), zoom) is None
    for form, (_, format) in FORMS.items():
        keys = answered(reader, "taps", archive(ground, form), folder / "taps.txt")
        assert len(keys) == len(taps)
        if format is None:
            assert not any(keys)
            continue
        doubt = brute.NEAR if format == "compact" else brute.CELL * 1.5
        may = [brute.may_answer(kind, tap, doubt) for tap in taps]
        wrong = [(tap, key, sorted(one)) for tap, key, one in zip(taps, keys, may) if key not in one]
        assert not wrong, (form, len(wrong), wrong[:5])
        assert sum(map(bool, keys)) > len(taps) / 4 and (format != "compact" or sum(len(one) == 1 for one in may) > 0.8 * len(may)), form


def test_archives_without_places_refuse_boxes(ground, reader):
    _, folder, boxes, *_ = ground
    (folder / "one.txt").write_text(" ".join(map(str, boxes[0])) + "\n")
    for form in ("flat", "dedup", "grids"):
        told = clients.run(*reader, "entries", archive(ground, form), folder / "one.txt")
        assert told.returncode != 0 and ("noPlaces" in told.stderr + told.stdout or "compact" in told.stderr + told.stdout), told.stderr[-500:]
