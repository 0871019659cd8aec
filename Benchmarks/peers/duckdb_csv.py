"""Reads the hotels into columns in memory with DuckDB on one thread and prints the seconds.

usage: duckdb_csv.py FILE.csv
"""

import sys
import time

import duckdb

COLUMNS = {
    "lng": "DOUBLE",
    "lat": "DOUBLE",
    "name": "VARCHAR",
    "country": "VARCHAR",
    "phone": "VARCHAR",
}
OPTIONS = f"header = false, auto_detect = false, delim = ',', columns = {COLUMNS}"

connection = duckdb.connect()
connection.execute("SET threads = 1")
start = time.perf_counter()
connection.execute(
    f"CREATE TABLE hotels AS SELECT * FROM read_csv(?, {OPTIONS})", [sys.argv[1]]
)
print(f"ingest {time.perf_counter() - start:.4f}")
