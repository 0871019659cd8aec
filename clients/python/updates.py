"""Updates archives as docs/updates.md describes: signed lists, the cheapest path, deltas, and a swap that leaves old or new."""

import base64
import hashlib
import heapq
import json
import os
import shutil
import sqlite3
import urllib.error
import urllib.parse
import urllib.request

from ed25519 import is_signed
from quadrille import Archive
from taps import QuadrilleError

PROTOCOL, LIST_LIMIT, DELTA_LIMIT, BYTE_LIMIT = 1, 16 << 20, 100_000, 1 << 53
TAP_TABLES = [("taps", ("zoom_level", "block_column", "block_row"), "block_data"), ("tap_entries", ("first_feature",), "entry_data")]
SAME = "old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column AND old.tile_row = new.tile_row"


def check(data, state):
    """The list in `NAME.updates.json`, and the state after it; `state` is {"sequence": n, "keys": [base64]}."""
    outer = parsed(data) if len(data) <= LIST_LIMIT else {}
    text, signatures = outer.get("list"), outer.get("signatures")
    if not isinstance(text, str) or not isinstance(signatures, list) or not all(isinstance(one, dict) for one in signatures):
        raise QuadrilleError("badList", "no list and signatures")
    if state["keys"]:
        trusted = {hashlib.sha256(key).hexdigest()[:16]: key for key in map(base64.b64decode, state["keys"])}
        known = [one for one in signatures if one.get("key") in trusted]
        if not known:
            raise QuadrilleError("untrusted" if signatures else "unsigned")
        message = b"quadrille-updates-1\n" + text.encode()
        if not any(is_signed(trusted[one["key"]], message, decoded(one.get("signature"))) for one in known):
            raise QuadrilleError("badSignature")
    told = parsed(text)
    if told.get("format") != 1 or not is_whole(told.get("minimumClient")):
        raise QuadrilleError("badList", "another format")
    if told["minimumClient"] > PROTOCOL:
        raise QuadrilleError("clientTooOld")
    deltas, series = told.get("deltas"), told.get("series")
    if not is_whole(told.get("sequence")) or not isinstance(deltas, list) or len(deltas) > DELTA_LIMIT:
        raise QuadrilleError("badList", "no sequence and deltas")
    try:
        files = [*deltas, *([series["manifest"], *series["frames"]] if series else [told["archive"]])]
        needed = [(one["file"], one["bytes"], one["sha256"]) for one in files] + [(d["before"], 0, d["after"]) for d in deltas]
        wrong = any(not (isinstance(a, str) and is_whole(size) and isinstance(b, str)) for a, size, b in needed)
        keys = [one["key"] for one in told.get("keys") or []]
        wrong = wrong or any(len(decoded(key)) != 32 for key in keys)
    except (KeyError, TypeError) as error:
        raise QuadrilleError("badList", f"{error}") from error
    if wrong:
        raise QuadrilleError("badList", "members of a wrong type or beyond the limits")
    for name in [one["file"] for one in files] + ([series["folder"]] if series and "folder" in series else []):
        if not isinstance(name, str) or name == "" or name.startswith(".") or set(name) & set("/\\\0"):
            raise QuadrilleError("badName", f"{name}")
    if told["sequence"] < state["sequence"]:
        raise QuadrilleError("replayed")
    return told, {"sequence": told["sequence"], "keys": keys if keys and state["keys"] else state["keys"]}


def parsed(text):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise QuadrilleError("badList", str(error)) from error
    return value if isinstance(value, dict) else {}


def decoded(text):
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        return b""


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= BYTE_LIMIT


def plan(told, digest, taps=None, frame=None):
    """The deltas to fetch, in order, or None where the whole file costs no more; empty if nothing is new."""
    whole = told["archive"] if frame is None else next(one for one in told["series"]["frames"] if one["file"] == frame)
    start, end = (digest, taps or ""), (whole["digest"], whole.get("taps") or "")
    steps = {}
    for delta in told["deltas"]:
        if delta.get("frame") == frame:
            steps.setdefault((delta["before"], delta.get("tapsBefore") or ""), []).append(delta)
    # The order of what is compared: bytes, number of files, their names.
    ways, done, number = [(0, 0, [], 0, start, [])], set(), 0
    while ways:
        size, count, names, _, state, path = heapq.heappop(ways)
        if state == end:
            return path if not path or size < whole["bytes"] else None
        if state in done:
            continue
        done.add(state)
        for delta in steps.get(state, []):
            after = (delta["after"], delta.get("tapsAfter") or "")
            number += 1
            heapq.heappush(ways, (size + delta["bytes"], count + 1, [*names, delta["file"]], number, after, [*path, delta]))
    return None


def apply(path, deltas, target):
    """Makes `target` from the archive at `path` by delta files in order."""
    shutil.copyfile(path, target)
    database = sqlite3.connect(target, isolation_level=None)
    try:
        database.execute("PRAGMA synchronous = FULL")
        for delta in deltas:
            database.execute("ATTACH ? AS delta", (delta,))
            patch(database, delta)
            size = "SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main')"
            (is_large,) = database.execute(f"SELECT ({size}) > 1.5 * (SELECT value FROM delta.facts WHERE name = 'bytes')").fetchone()
            database.execute("DETACH delta")
            if is_large:
                database.execute("VACUUM")
    except sqlite3.DatabaseError as error:
        raise QuadrilleError("disk" if "disk I/O" in str(error) or "full" in str(error) else "damaged", str(error)) from error
    finally:
        database.close()
        if os.path.exists(f"{target}-journal"):
            os.remove(f"{target}-journal")
    sync(target)


def patch(database, delta):
    def value(table, name):
        return next(iter(database.execute(f"SELECT value FROM {table} WHERE name = ?", (name,))), ("",))[0]

    pairs = (("quadrille:digest", "before"), ("quadrille:taps", "taps_before"))
    if any(value("main.metadata", mine) != value("delta.facts", its) for mine, its in pairs):
        raise QuadrilleError("wrongBase", delta)
    tables = {name for (name,) in database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    database.execute("BEGIN IMMEDIATE")
    for statement in statements(tables):
        database.execute(statement)
    database.execute("COMMIT")
    if value("main.metadata", "quadrille:digest") != value("delta.facts", "after"):
        raise QuadrilleError("damaged", delta)


def statements(tables):
    main = "map" if "map" in tables else "tiles"
    taps = "grid_utfgrid" in tables
    columns = "zoom_level, tile_column, tile_row, " + ("tile_data" if main == "tiles" else "tile_id, grid_id" if taps else "tile_id")
    yield f"DELETE FROM main.{main} WHERE rowid IN (SELECT old.rowid FROM delta.removed_tiles AS new JOIN main.{main} AS old ON {SAME})"
    yield f"INSERT OR REPLACE INTO main.{main} (rowid, {columns}) SELECT rowid, {columns} FROM delta.new_{main}"
    if main == "map":
        yield put("images", "tile_id", "tile_data", "new_images")
        yield "DELETE FROM main.images WHERE tile_id IN (SELECT tile_id FROM delta.dropped_images)"
    if taps:
        yield put("grid_utfgrid", "grid_id", "grid_utfgrid", "new_grids")
        for table in ("grid_utfgrid", "grid_key"):
            yield f"DELETE FROM main.{table} WHERE grid_id IN (SELECT grid_id FROM delta.dropped_grids)"
        yield (
            "INSERT INTO main.grid_key (grid_id, key_name) SELECT grid.grid_id, new.key_name"
            " FROM delta.new_grid_key AS new JOIN delta.new_grids AS grid ON grid.rowid = new.grid"
        )
        yield put("keymap", "key_name", "key_json", "new_keymap")
        yield "DELETE FROM main.keymap WHERE key_name IN (SELECT key_name FROM delta.dropped_keymap)"
    for table, keys, content in TAP_TABLES if "taps" in tables else []:
        same = " AND ".join(f"old.{key} = new.{key}" for key in keys)
        yield f"DELETE FROM main.{table} WHERE rowid IN (SELECT old.rowid FROM delta.removed_{table} AS new JOIN main.{table} AS old ON {same})"
        columns = [*keys, content]
        yield (
            f"INSERT OR REPLACE INTO main.{table} (rowid, {', '.join(columns)}) SELECT old.rowid, {', '.join('new.' + one for one in columns)}"
            f" FROM delta.new_{table} AS new LEFT JOIN main.{table} AS old ON {same}"
        )
    yield put("metadata", "name", "value", "new_metadata")


def put(table, name, content, rows):
    return (
        f"INSERT OR REPLACE INTO main.{table} (rowid, {name}, {content}) SELECT old.rowid, new.{name}, new.{content}"
        f" FROM delta.{rows} AS new LEFT JOIN main.{table} AS old ON old.{name} = new.replaces"
    )


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def sync(path):
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
