"""Compares the grid clusters of `quadrille query --clusters` with DuckDB's GROUP BY over the cells of each zoom.

    python cell_counts.py QUADRILLE PIPELINE.yml POINTS.csv [--zooms 0-16] [--tile-size 256]

PIPELINE has one source of POINTS (columns `lng` and `lat`) with `clusterMethod: grid` and the default cell sizes. The number of
points of every cell must be equal, at every zoom; the identifier of a cluster names its cell. Needs `duckdb` from PyPI.
"""
import argparse
import math
import subprocess
import sys
import tempfile

import duckdb

# From a zoom up: the edge of a cell in pixels, the default of `clusterCellSize`.
SIZES = {0: 88, 13: 64, 16: 32, 19: 16}

# A world coordinate in 2^-32, as the Web Mercator formula gives it, rounded down.
WORLD = """
SELECT CAST(floor(((lng + 180) / 360) * 4294967296) AS BIGINT) AS x,
       CAST(floor((0.5 - ln((1 + sin(lat * pi() / 180)) / (1 - sin(lat * pi() / 180))) / (4 * pi())) * 4294967296) AS BIGINT) AS y
FROM read_csv('{file}', columns={{'lng': 'DOUBLE', 'lat': 'DOUBLE', 'value': 'DOUBLE'}}, header=true)
WHERE abs(lat) <= 85.05112877980659
"""


def cell_size(zoom):
    return SIZES[max(z for z in SIZES if z <= zoom)]


# The even bits of a Morton code, closed up.
SPREAD = """
CREATE MACRO s0(v) AS v & 6148914691236517205;
CREATE MACRO s1(v) AS (s0(v) | (s0(v) >> 1)) & 3689348814741910323;
CREATE MACRO s2(v) AS (s1(v) | (s1(v) >> 2)) & 1085102592571150095;
CREATE MACRO s3(v) AS (s2(v) | (s2(v) >> 4)) & 71777214294589695;
CREATE MACRO s4(v) AS (s3(v) | (s3(v) >> 8)) & 281470681808895;
CREATE MACRO even_bits(v) AS (s4(v) | (s4(v) >> 16)) & 4294967295;
"""

# Cells that only one side has, or that hold another number of points there.
DIFFERING = """
SELECT count(*) FROM (SELECT * FROM cells WHERE n > 1) AS c
FULL JOIN (SELECT even_bits(cluster_id >> 5) AS cx, even_bits(cluster_id >> 6) AS cy, point_count AS n
           FROM answer WHERE cluster_id IS NOT NULL) AS a USING (cx, cy)
WHERE c.n IS DISTINCT FROM a.n
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quadrille")
    parser.add_argument("pipeline")
    parser.add_argument("points")
    parser.add_argument("--zooms", default="0-16")
    parser.add_argument("--tile-size", type=int, default=256)
    options = parser.parse_args()
    first, last = map(int, options.zooms.split("-"))
    database = duckdb.connect()
    database.execute(SPREAD)
    database.execute("CREATE TABLE world AS " + WORLD.format(file=options.points.replace("'", "''")))
    total = database.execute("SELECT count(*) FROM world").fetchone()[0]
    failed = False
    for zoom in range(first, last + 1):
        bits = zoom + int(math.log2(options.tile_size))
        size = cell_size(zoom)
        database.execute(
            f"CREATE OR REPLACE TABLE cells AS SELECT (x >> {32 - bits}) // {size} AS cx, (y >> {32 - bits}) // {size} AS cy,"
            " count(*) AS n FROM world GROUP BY ALL")
        alone = database.execute("SELECT count(*) FROM cells WHERE n = 1").fetchone()[0]
        with tempfile.NamedTemporaryFile(suffix=".csv") as answer:
            subprocess.run(
                [options.quadrille, "query", options.pipeline, "--clusters", str(zoom), "--format", "csv", "--select",
                 "cluster_id,point_count", "-o", answer.name], check=True)
            database.execute(
                "CREATE OR REPLACE TABLE answer AS SELECT cluster_id, point_count FROM read_csv(?, header=true, columns="
                "{'id': 'VARCHAR', 'lng': 'DOUBLE', 'lat': 'DOUBLE', 'cluster_id': 'BIGINT', 'point_count': 'BIGINT'})",
                [answer.name])
        differing = database.execute(DIFFERING).fetchone()[0]
        clusters, lone, shown = database.execute(
            "SELECT count(cluster_id), count(*) - count(cluster_id),"
            " coalesce(sum(point_count), 0) + count(*) - count(cluster_id) FROM answer").fetchone()
        print(f"z{zoom}: {clusters} clusters, {lone} points alone, {differing} cells differ,"
              f" {abs(alone - lone)} more or fewer alone", flush=True)
        failed |= differing > 0 or alone != lone or shown != total
    sys.exit("the counts differ" if failed else 0)


if __name__ == "__main__":
    main()
