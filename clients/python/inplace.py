"""Changes an archive in its place by deltas, in one transaction of SQLite, whose journal is kept as the way back."""

import contextlib
import os
import sqlite3
import struct

import updates
from quadrille import Archive, opened
from taps import QuadrilleError

# SQLite attaches no more files, and writes each page twice.
DELTAS, SHARE = 10, 4
MAGIC = bytes.fromhex("d9d505f920a163d7")


def change(path, deltas, proof):
    """Applies deltas to the archive at `path`; False if it is as it was: they are large beside it, it would grow too much, or somebody
    reads it all the time. `proof` is called with the new archive before the transaction ends, and raises unless it is right."""
    if not 0 < len(deltas) <= DELTAS or sum(map(os.path.getsize, deltas)) > os.path.getsize(path) // SHARE:
        return False
    try:
        with contextlib.closing(opened(path, "rw")) as database:
            database.execute("PRAGMA schema_version").fetchone()
            # A journal that was left would be longer than this one.
            remove(f"{path}-journal")
            for setting in ("synchronous = FULL", "fullfsync = 1", "cache_size = -32768", "journal_mode = PERSIST", "journal_size_limit = -1"):
                database.execute(f"PRAGMA {setting}").fetchall()
            for index, delta in enumerate(deltas):
                database.execute(f"ATTACH ? AS {schema(index)}", (delta,))
            database.execute("BEGIN")
            for index, delta in enumerate(deltas):
                updates.patch(database, delta, schema(index))
            if updates.is_large(database, schema(len(deltas) - 1)):
                return False
            proof(Archive(path, database))
            remove(f"{path}.previous")
            database.execute("COMMIT")
            return True
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            return False
        raise updates.failed(error) from error
    finally:
        settle(path)


def schema(index):
    return f"delta{index or ''}"


def settle(path):
    """Finishes a change in place: restores the archive if it was interrupted, else keeps the journal as the way back."""
    if not os.path.exists(f"{path}-journal"):
        return
    with contextlib.suppress(QuadrilleError):
        Archive(path).database.close()
    if os.path.exists(f"{path}-journal"):
        if header(f"{path}-journal", path):
            os.replace(f"{path}-journal", f"{path}.previous")
        else:
            remove(f"{path}-journal")


def roll_back(path):
    """Puts the pages before the last change back; False if `NAME.previous` is not the journal of that one."""
    settle(path)
    told = header(f"{path}.previous", path)
    if not told:
        return False
    with open(f"{path}.previous", "r+b") as journal:
        journal.write(told)
        journal.flush()
        os.fsync(journal.fileno())
    os.replace(f"{path}.previous", f"{path}-journal")
    # SQLite plays it back when the archive is opened, now or after a kill.
    Archive(path).database.close()
    return True


def header(journal, path):
    """What has to stand at the beginning of a journal (https://www.sqlite.org/fileformat2.html#the_rollback_journal) in place of the zeros
    by which SQLite ended it; None unless it is the one of the last change of the archive."""
    if not os.path.exists(journal) or not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        head = file.read(100)
    with open(journal, "rb") as file:
        data = file.read()
    if len(head) < 100 or data[:1] not in (b"\0", MAGIC[:1]):
        return None
    page = 65536 if head[16:18] == b"\0\1" else int.from_bytes(head[16:18], "big")
    # The header fills a sector of the disk.
    for sector in (512, 4096, 1024, 2048, 8192):
        count, rest = divmod(len(data) - sector, page + 8)
        if count <= 0 or rest:
            continue
        records = [data[at : at + page + 8] for at in range(sector, len(data), page + 8)]
        nonces = {(struct.unpack(">I", one[-4:])[0] - sum(one[4 + page - 200 : 4 : -200])) & 0xFFFFFFFF for one in records}
        first = next((one[4:] for one in records if one[:4] == b"\0\0\0\1"), None)
        if len(nonces) == 1 and first and (int.from_bytes(first[24:28], "big") + 1) & 0xFFFFFFFF == int.from_bytes(head[24:28], "big"):
            return MAGIC + struct.pack(">II4sII", count, nonces.pop(), first[28:32], sector, page)
    return None


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
