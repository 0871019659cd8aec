"""What the readers of clients/ find in boxes is what `quadrille query --clusters` finds there, in clusters by radius and by grid."""

import json
import random
import subprocess

import pytest

from kit import cases, clients

BOXES = 150

PIPELINE = """version: 1
name: %(name)s
sources: {places: {type: csv, data: places.csv, x: lng, y: lat, id: id, cluster: true, clusterMaxZoom: 6, %(how)s}}
layers: [{id: dots, type: circle, source: places, paint: {circle-radius: [case, [has, point_count], 12, 5]}}]
tiles: {minzoom: 1, maxzoom: 8, interactivity: {fields: [name], format: compact}}
output: {path: %(name)s.mbtiles}
"""
HOW = {"radius": "clusterRadius: 30", "grid": "clusterMethod: grid, clusterCellSize: {0: 64}"}


def places(turn):
    """Places in crowds, two of them at the antimeridian."""
    crowds = ((179.5, 10, 2, 120), (-179.8, -40, 1, 60), (8, 47, 6, 300), (-100, 60, 40, 120), (0, 0, 0.2, 40))
    for lng, lat, wide, count in crowds:
        for _ in range(count):
            yield (lng + turn.uniform(-wide, wide) + 180) % 360 - 180, lat + turn.uniform(-wide, wide) / 2


@pytest.fixture(scope="module", params=list(HOW))
def baked(request, tmp_path_factory):
    """An archive, boxes in a file, and the features of a query for each box."""
    folder, turn = tmp_path_factory.mktemp(request.param), random.Random(48)
    rows = [f"p{i},Place {i},{lng:.5f},{lat:.5f}" for i, (lng, lat) in enumerate(places(turn))]
    (folder / "places.csv").write_text("\n".join(["id,name,lng,lat", *rows]) + "\n", encoding="utf-8")
    (folder / "map.yml").write_text(PIPELINE % {"name": request.param, "how": HOW[request.param]}, encoding="utf-8")
    subprocess.run([cases.PROGRAM, "build", "-q", "map.yml"], cwd=folder, check=True)
    boxes, found = [], []
    for _ in range(BOXES):
        zoom = turn.randint(1, 8)
        _, _, x, y = turn.choice(rows).split(",")
        # At most so large that the blocks are not too many.
        wide = turn.uniform(0.1, 1) * min(340, 2600 / 2**zoom)
        west = (float(x) - turn.uniform(0, wide) + 180) % 360 - 180
        south = max(float(y) - turn.uniform(0, wide / 2), -84)
        east = (west + wide + 180) % 360 - 180
        boxes.append((round(west, 4), round(south, 4), round(east, 4), round(min(south + wide / 2, 84), 4), zoom))
    for *box, zoom in boxes:
        asked = [cases.PROGRAM, "query", "map.yml", "--clusters", str(zoom), f"--bbox={','.join(map(str, box))}", "--format", "geojsonseq"]
        told = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
        found.append([json.loads(line) for line in told.stdout.splitlines()])
    (folder / "boxes.txt").write_text("".join(" ".join(map(str, box)) + "\n" for box in boxes), encoding="utf-8")
    return folder / f"{request.param}.mbtiles", folder / "boxes.txt", boxes, found


def at_an_edge(lng, lat, box, near):
    """Whether the 1/16 px to which taps round a place may decide."""
    far = [abs((lng - edge + 180) % 360 - 180) for edge in (box[0], box[2])] + [abs(lat - edge) for edge in (box[1], box[3])]
    return min(far) < near


@pytest.mark.parametrize("reader", ["python", "node", "java"])
def test_boxes_hold_what_a_query_finds(reader, baked, request):
    archive, file, boxes, found = baked
    command = {"python": clients.PYTHON, "node": clients.NODE}.get(reader) or request.getfixturevalue(reader)
    told = clients.run(*command, "entries", archive, file)
    assert told.returncode == 0, told.stderr[-2000:]
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(answers) == BOXES
    compared = clusters = across = 0
    for (*box, zoom), entries, features in zip(boxes, answers, found):
        step = 360 / 2**zoom / 256 / 16
        wanted = []
        for feature in features:
            lng, lat = feature["geometry"]["coordinates"]
            wanted.append((lng, lat, feature["properties"].get("point_count", 1)))
        shown = [(lng, lat, count) for _, lng, lat, count in entries]
        for lng, lat, count in shown:
            nearest = min(wanted, key=lambda one: abs((one[0] - lng + 180) % 360 - 180) + abs(one[1] - lat) + (one[2] != count), default=None)
            is_there = nearest is not None and nearest[2] == count and abs((nearest[0] - lng + 180) % 360 - 180) < step and abs(nearest[1] - lat) < step
            assert is_there or at_an_edge(lng, lat, box, step), (box, zoom, lng, lat, count)
            if is_there:
                wanted.remove(nearest)
        assert all(at_an_edge(lng, lat, box, step) for lng, lat, _ in wanted), (box, zoom, wanted)
        assert len({key for key, *_ in entries}) == len(entries)
        compared, clusters = compared + len(shown), clusters + sum(count > 1 for *_, count in shown)
        across += box[0] > box[2] and bool(shown)
    assert compared > 1000 and clusters > 100 and across > 10, (compared, clusters, across)
