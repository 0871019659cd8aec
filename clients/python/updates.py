"""Updates archives as docs/updates.md describes: signed lists, the cheapest path, deltas, and a swap that leaves old or new."""

import base64
import ctypes
import hashlib
import heapq
import json
import os
import re
import shutil
import sqlite3
import sys
import time
import urllib.parse

from ed25519 import is_signed
from taps import QuadrilleError

LIST = ".updates.json"
PROTOCOL, LIST_LIMIT, DELTA_LIMIT, BYTE_LIMIT = 2, 16 << 20, 100_000, 1 << 53
# The bytes of a chunk's hash, the first ones of a SHA-256, and the sizes that a list may name: a chunk holds whole pages.
CHUNK_HASH, CHUNK_SIZES = 16, (1 << 16, 1 << 30)
TAP_TABLES = [("taps", ("zoom_level", "block_column", "block_row"), "block_data"), ("tap_entries", ("first_feature",), "entry_data")]
SAME = "old.zoom_level = new.zoom_level AND old.tile_column = new.tile_column AND old.tile_row = new.tile_row"


def remembered(text, keys):
    """The state of a client: the text of its `NAME.update-state.json`, or None, and the raw public keys, in base64, that the app brings.

    What is damaged counts as none. The keys of the file count only where it was written for the same keys of the app.
    """
    keys = list(keys)
    try:
        told = json.loads(text)
        known, anchors, sequence = told["keys"], told.get("anchors"), told["sequence"]
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        known, anchors, sequence = None, None, 0
    if not isinstance(known, list) or not is_whole(sequence):
        known, anchors, sequence = None, None, 0
    is_right = known and keys and anchors == keys and all(len(decoded(key)) == 32 for key in known)
    return {"sequence": sequence, "keys": known if is_right else keys, "anchors": keys}


def archive_name(address, ending=LIST):
    """The name in an address or path that ends with `NAME.updates.json`, or otherwise; None in another one."""
    last = urllib.parse.unquote(urllib.parse.urlsplit(address).path.rpartition("/")[2])
    return last[: -len(ending)] if last.endswith(ending) else None


def stem(file):
    """The name of an archive or of a series by the name of its file."""
    return next((file[: -len(ending)] for ending in (".mbtiles", ".pmtiles", ".frames.json") if file.endswith(ending)), file)


def check(data, state, name, now=None):
    """The list in `NAME.updates.json`, and the state after it; `state` comes from `remembered`, `name` is the archive's or series'.

    `now` is the present instant in seconds since 1970, by which a list that has an end is refused.
    """
    told = signed(data, state)
    keys = check_members(told)
    return told, after(told, state, keys, (told["series"]["manifest"] if "series" in told else told["archive"])["file"], name, now)


def check_packs(data, state, name, now=None):
    """The list in `NAME.packs.json`, and the state after it, as of `check`."""
    told = signed(data, state)
    keys = check_pack_members(told)
    return told, after(told, state, keys, told["archive"]["file"], name, now)


def signed(data, state):
    """The list in an envelope, which one of the keys of a state signed if it has any."""
    outer = parsed(data) if len(data) <= LIST_LIMIT else {}
    text, signatures = outer.get("list"), outer.get("signatures")
    if not isinstance(text, str) or not isinstance(signatures, list) or not all(isinstance(one, dict) for one in signatures):
        raise QuadrilleError("badList", "no list and signatures")
    try:
        message = b"quadrille-updates-1\n" + text.encode()
    except UnicodeEncodeError as error:
        raise QuadrilleError("badList", str(error)) from error
    if state["keys"]:
        check_signatures(message, signatures, state["keys"])
    told = parsed(text)
    if not is_whole(told.get("format")) or told["format"] != 1 or not is_whole(told.get("minimumClient")):
        raise QuadrilleError("badList", "another format")
    if told["minimumClient"] > PROTOCOL:
        raise QuadrilleError("clientTooOld")
    return told


def after(told, state, keys, file, name, now=None):
    """The state after a list of a file, which has to be of a name."""
    if stem(file) != name:
        raise QuadrilleError("otherArchive", f"the list belongs to '{stem(file)}', not to '{name}'")
    if told["sequence"] < state["sequence"]:
        raise QuadrilleError("replayed", f"{told['sequence']} after {state['sequence']}")
    now = time.time() if now is None else now
    if told.get("expires") is not None and told["expires"] <= now:
        raise QuadrilleError("expired", f"valid until {told['expires']}, and the clock says {now:.0f}: the server has no newer list, or the clock is wrong")
    return {**state, "sequence": told["sequence"], "keys": keys if keys and state["keys"] else state["keys"]}


def check_signatures(message, signatures, keys):
    """Refuses a message that none of the keys signed."""
    trusted = {hashlib.sha256(key).hexdigest()[:16]: key for key in map(decoded, keys)}
    known = [one for one in signatures if isinstance(one.get("key"), str) and one["key"] in trusted]
    if not known:
        raise QuadrilleError("untrusted" if signatures else "unsigned")
    if not any(is_signed(trusted[one["key"]], message, decoded(one.get("signature"))) for one in known):
        raise QuadrilleError("badSignature")


def check_members(told):
    """Refuses a list whose members are missing, of a wrong type or beyond the limits, or whose names lead elsewhere; its keys."""
    deltas, series = told.get("deltas"), told.get("series")
    if not is_whole(told.get("sequence")) or not isinstance(deltas, list) or len(deltas) > DELTA_LIMIT or ("series" in told) == ("archive" in told):
        raise QuadrilleError("badList", "no sequence and deltas of an archive or a series")
    try:
        wholes = [told["archive"]] if "archive" in told else list(series["frames"])
        frames, earlier = {one["file"] for one in wholes}, [] if told.get("earlier") is None else told["earlier"]
        wrong = len(frames) < len(wholes) or not isinstance(earlier, list) or len(earlier) > DELTA_LIMIT or not has_end(told)
        wholes = [*wholes, *earlier]
        files = [*deltas, *wholes, *([series["manifest"]] if "series" in told else [])]
        digests = [one["sha256"] for one in files] + [one["digest"] for one in wholes] + [one[side] for one in deltas for side in ("before", "after")]
        digests += [one[side] for one in wholes + deltas for side in ("taps", "tapsBefore", "tapsAfter") if one.get(side) is not None]
        wrong = wrong or not all(isinstance(one["file"], str) and is_whole(one["bytes"]) for one in files) or not all(map(is_digest, digests))
        keys = listed_keys(told)
        names = [one["file"] for one in files] + downloads(wholes) + ([series["folder"]] if "series" in told else []) + [one["frame"] for one in deltas if one.get("frame") is not None]
    except (AttributeError, KeyError, TypeError) as error:
        raise QuadrilleError("badList", repr(error)) from error
    if wrong or not all(isinstance(name, str) for name in names):
        raise QuadrilleError("badList", "members of a wrong type or beyond the limits")
    for one in wholes:
        chunks(one)
    for name in names:
        if not is_plain(name):
            raise QuadrilleError("badName", name)
    return keys


def check_pack_members(told):
    """The same of a list of packs."""
    packs = told.get("packs")
    if not is_whole(told.get("sequence")) or not isinstance(packs, list) or len(packs) > DELTA_LIMIT:
        raise QuadrilleError("badList", "no sequence and packs")
    try:
        files = packs + ([told["shared"]] if "shared" in told else [])
        digests = [one[side] for one in files for side in ("sha256", "digest")] + [one["taps"] for one in files if one.get("taps") is not None]
        wrong = not all(isinstance(one["file"], str) and isinstance(one["name"], str) and is_whole(one["bytes"]) for one in files)
        wrong = wrong or not all(map(is_digest, digests)) or len({one["file"] for one in files}) < len(files)
        wrong = wrong or not all(is_whole(one["minzoom"]) and is_whole(one["maxzoom"]) and one["minzoom"] <= one["maxzoom"] <= 30 for one in files)
        wrong = wrong or not all(len(one["bounds"]) == 4 and all(map(is_degrees, one["bounds"])) for one in files)
        keys, names = listed_keys(told), [one["file"] for one in files] + downloads(files) + [told["archive"]["file"]]
        wrong = wrong or not has_end(told)
    except (AttributeError, KeyError, TypeError) as error:
        raise QuadrilleError("badList", repr(error)) from error
    if wrong or not all(isinstance(name, str) for name in names):
        raise QuadrilleError("badList", "members of a wrong type or beyond the limits")
    for name in names:
        # The files beside the archives have other endings.
        if not is_plain(name) or stem(name) == name:
            raise QuadrilleError("badName", name)
    return keys


def chunks(archive):
    """The size of the chunks of a list's archive, and their hashes in hexadecimal digits, by which they are named; None without chunks."""
    told = archive.get("chunks")
    if told is None:
        return None
    try:
        size, hashes = told["bytes"], decoded(told["hashes"])
        is_right = isinstance(size, int) and CHUNK_SIZES[0] <= size <= CHUNK_SIZES[1] and not size & size - 1
        is_right = is_right and len(hashes) == -(-archive["bytes"] // size) * CHUNK_HASH
    except (KeyError, TypeError):
        is_right = False
    if not is_right:
        raise QuadrilleError("badList", f"the chunks of '{archive['file']}' are not its own")
    return size, [hashes[at : at + CHUNK_HASH].hex() for at in range(0, len(hashes), CHUNK_HASH)]


def has_end(told):
    """Whether the end of a list is a number, where there is one."""
    return told.get("expires") is None or is_whole(told["expires"])


def downloads(wholes):
    """The second names of archives, which never get another content."""
    return [one["download"] for one in wholes if one.get("download") is not None]


def is_degrees(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 360


def listed_keys(told):
    entries = [] if told.get("keys") is None else told["keys"]
    keys = [one["key"] for one in entries]
    if not isinstance(entries, list) or any(len(decoded(key)) != 32 for key in keys):
        raise QuadrilleError("badList", "keys that are none")
    return keys


def is_plain(name):
    """Whether a name is one component of a path on every system: no folder, no drive, not hidden."""
    is_one = re.match(r"[^./\\\0-\x1f\ud800-\udfff][^/\\\0-\x1f\ud800-\udfff]*\Z", name) and not re.match("[A-Za-z]:", name)
    return bool(is_one) and len(name.encode()) <= 255


def parsed(text):
    try:
        value = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise QuadrilleError("badList", str(error)) from error
    return value if isinstance(value, dict) else {}


def decoded(text):
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        return b""


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= BYTE_LIMIT


def is_digest(value):
    return isinstance(value, str) and re.match(r"[0-9a-f]{64}\Z", value) is not None


def plan(told, digest, taps=None, frame=None, without=()):
    """The deltas to fetch, in order, or None where the whole file costs no more; empty if nothing is new. `without` names files not to take."""
    whole = told["archive"] if frame is None else next(one for one in told["series"]["frames"] if one["file"] == frame)
    start, end = (digest, taps or ""), (whole["digest"], whole.get("taps") or "")
    steps = {}
    for delta in told["deltas"]:
        if delta.get("frame") == frame and delta["file"] not in without:
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
    if not clone(path, target):
        shutil.copyfile(path, target)
    database = sqlite3.connect(target, isolation_level=None)
    try:
        database.execute("PRAGMA synchronous = FULL")
        for delta in deltas:
            database.execute("ATTACH ? AS delta", (delta,))
            # Not immediate: that would begin to write the delta, too, and leave a journal over both files after a kill.
            database.execute("BEGIN")
            patch(database, delta)
            database.execute("COMMIT")
            has_grown = is_large(database)
            database.execute("DETACH delta")
            if has_grown:
                database.execute("VACUUM")
    except sqlite3.DatabaseError as error:
        raise failed(error) from error
    finally:
        database.close()
        if os.path.exists(f"{target}-journal"):
            os.remove(f"{target}-journal")
    sync(target)


def failed(error):
    is_of_disk = any(word in str(error) for word in ("disk I/O", "full", "locked"))
    return QuadrilleError("disk" if is_of_disk else "damaged", str(error))


def is_large(database, schema="delta"):
    """Whether an archive has become half as large again as a fresh one."""
    size = "SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main')"
    return database.execute(f"SELECT ({size}) > 1.5 * (SELECT value FROM {schema}.facts WHERE name = 'bytes')").fetchone()[0]


def patch(database, delta, schema="delta"):
    """Runs the statements of a delta that is attached."""

    def value(table, name):
        return next(iter(database.execute(f"SELECT value FROM {table} WHERE name = ?", (name,))), ("",))[0]

    pairs = (("quadrille:digest", "before"), ("quadrille:taps", "taps_before"))
    if any(value("main.metadata", mine) != value(f"{schema}.facts", its) for mine, its in pairs):
        raise QuadrilleError("wrongBase", delta)
    tables = {name for (name,) in database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    for statement in statements(tables):
        database.execute(statement.replace("delta.", f"{schema}."))
    if value("main.metadata", "quadrille:digest") != value(f"{schema}.facts", "after"):
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


def clone(path, target):
    """Copies a file by sharing its blocks; whether the file system can."""
    try:
        if sys.platform == "darwin":
            return ctypes.CDLL(None).clonefile(os.fsencode(path), os.fsencode(target), 0) == 0
        import fcntl

        with open(path, "rb") as source, open(target, "wb") as file:
            # The number is FICLONE of ioctl_ficlonerange(2).
            fcntl.ioctl(file, 0x40049409, source.fileno())
        return True
    except (AttributeError, ImportError, OSError):
        if os.path.lexists(target):
            os.remove(target)
        return False


def sync(path):
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
