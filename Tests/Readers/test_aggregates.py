"""Aggregates and classes of clusters against DuckDB and mapclassify, on real points."""

import json
import math
import os
import pathlib
import warnings

import pytest

from kit.program import quadrille

SHARED = pathlib.Path(os.environ.get("QUADRILLE_SHARED", pathlib.Path(__file__).parents[3] / "shared"))
POINTS = SHARED / "data" / "points"

#: File, keys of the source, a property of texts, one of numbers.
SETS = {
    "us_zipcodes.csv": ("select: [state, latitude]", "state", "latitude"),
    "ufo_sightings.csv": ("onError: {max: 99}", "shape", "duration (seconds)"),
    "radio_stations.tsv": ("delimiter: tab\n    onError: {max: 99}", "type", "frequency"),
}

AGGREGATES = """
      mode: [mode, [get, {text}]]
      distinct: [count-distinct, [get, {text}]]
      list: [list-distinct, [get, {text}], {{limit: 7}}]
      texts: [string-agg, [get, {text}], {{limit: 5, separator: "|"}}]
      first: [first, [get, {text}], {{orderBy: [[to-number, [get, {number}], -1], desc]}}]
      least: [min, [get, {text}]]
      most: [max, [get, {text}]]
      median: [median, [get, {number}]]
      high: [quantile, [get, {number}], {{fraction: 0.9}}]
"""

SQL = """
  SELECT cell, count(*),
    count(DISTINCT t), list_sort(list(DISTINCT t) FILTER (t IS NOT NULL))[1:7],
    array_to_string(list_sort(list(t) FILTER (t IS NOT NULL))[1:5], '|'),
    first(t ORDER BY k DESC, t) FILTER (t IS NOT NULL),
    min(t), max(t), median(n), quantile_cont(n, 0.9), mode(t)
  FROM points GROUP BY cell
"""


def features(*arguments):
    return json.loads(quadrille("query", *arguments))["features"]


def pipeline(folder, file, keys, more, layer):
    path = folder / "pipeline.yml"
    path.write_text(
        f"version: 1\nsources:\n  p:\n    type: csv\n    data: {POINTS / file}\n"
        f"    x: longitude\n    y: latitude\n    {keys}\n{more}\nlayers: [{layer}]\n"
    )
    return path


def cell(longitude, latitude, zoom, size):
    """The id of the grid cell of a position, as the documentation of the grid has it."""
    sine = math.sin(latitude * (math.pi / 180))
    north = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
    place = [int(part * 2**32) >> (32 - 8 - zoom) for part in ((longitude + 180) / 360, north)]
    column, row = (part // size for part in place)
    key = sum((column >> bit & 1) << 2 * bit | (row >> bit & 1) << 2 * bit + 1 for bit in range(30))
    return key << 5 | zoom


@pytest.mark.parametrize("file", SETS)
def test_aggregates_are_those_of_duckdb(file, tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="no duckdb: pip install duckdb")
    if not (POINTS / file).exists():
        pytest.skip(f"no {POINTS / file}")
    keys, text, number = SETS[file]
    more = "    cluster: true\n    clusterProperties:" + AGGREGATES.format(text=text, number=f"'{number}'")
    path = pipeline(tmp_path, file, keys, more, "{id: c, type: circle, source: p}")
    records = features(path)
    compared = 0
    for zoom in (0, 4, 7):
        db = duckdb.connect()
        db.execute("CREATE TABLE points (cell BIGINT, t VARCHAR, n DOUBLE, k DOUBLE)")
        rows = []
        for record in records:
            value = record["properties"].get(number)
            text_value = record["properties"].get(text)
            rows.append(
                (
                    cell(*record["geometry"]["coordinates"], zoom, 88),
                    None if text_value is None else str(text_value),
                    value if isinstance(value, (int, float)) else None,
                    # What to-number makes of it.
                    value if isinstance(value, (int, float)) else 0 if value is None else -1,
                )
            )
        columns = [list(column) for column in zip(*rows)]
        db.execute("INSERT INTO points SELECT unnest(?), unnest(?), unnest(?), unnest(?)", columns)
        expected = {row[0]: row[1:] for row in db.execute(SQL).fetchall()}
        counts = {
            (cell, text): count
            for cell, text, count in db.execute(
                "SELECT cell, t, count(*) FROM points WHERE t IS NOT NULL GROUP BY ALL"
            ).fetchall()
        }
        for feature in features(path, "--clusters", zoom):
            own = feature["properties"]
            if not own.get("cluster"):
                continue
            key = int(own["cluster_id"])
            count, distinct, listed, texts, first, least, most, median, high, mode = expected[key]
            assert own["point_count"] == count
            assert own["distinct"] == distinct
            assert own["list"] == listed
            assert own["texts"] == (texts or None)
            assert (own["first"], own["least"], own["most"]) == (first, least, most)
            assert own["median"] == (median if median is None else pytest.approx(median, rel=1e-12))
            assert own["high"] == (high if high is None else pytest.approx(high, rel=1e-12))
            # Of values that are equally frequent DuckDB takes any, and this program the smallest.
            assert counts.get((key, own["mode"])) == counts.get((key, mode))
            compared += 1
    assert compared > 300


@pytest.mark.parametrize("method", ["jenks", "quantile"])
def test_bounds_of_classes_are_those_of_mapclassify(method, tmp_path):
    mapclassify = pytest.importorskip("mapclassify", reason="no mapclassify: pip install mapclassify")
    file = "us_zipcodes.csv"
    if not (POINTS / file).exists():
        pytest.skip(f"no {POINTS / file}")
    more = (
        "    cluster: true\n    clusterMethod: hexagon\n    clusterCellSize: 24\n"
        f"    classes: {{method: {method}, n: 5}}"
    )
    path = pipeline(tmp_path, file, SETS[file][0], more, "{id: c, type: fill, source: p}")
    for zoom in (0, 2, 4):
        own = [feature["properties"] for feature in features(path, "--clusters", zoom)]
        values = [one["point_count"] for one in own]
        assert sum(values) == len(features(path))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            classifier = {"jenks": mapclassify.FisherJenks, "quantile": mapclassify.Quantiles}[method]
            expected = classifier(values, k=5)
        assert [one["class"] for one in own] == expected.yb.tolist()
