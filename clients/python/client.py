"""Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one."""

import glob
import http.client
import json
import os
import shutil
import urllib.error
import urllib.parse
import urllib.request

import updates
from quadrille import Archive
from taps import QuadrilleError

# The most ways of deltas that are tried before the whole file.
WAYS = 10


def update(path, address, keys=()):
    """Brings the archive at `path` up to the list at `address`; whether anything was new.

    `keys` are the raw public keys, in base64, that a first list has to be signed by; later ones are in the state file. The list has to
    be that of the archive which its address names (`NAME.updates.json`); where the address names none, that of the archive at `path`.
    """
    told = accepted(path, address, keys)
    if "archive" not in told:
        raise QuadrilleError("badList", "a list of a series")
    new = prepared(path, address, told, told["archive"])
    if new:
        swap(path, new)
    clean(parts(os.path.dirname(path), told["archive"], *told["deltas"]))
    return new is not None


def update_series(path, address, keys=()):
    """Brings the frames of the manifest at `path`, and then the manifest, up to the list at `address`; whether anything was new."""
    told = accepted(path, address, keys)
    if "series" not in told:
        raise QuadrilleError("badList", "a list of an archive")
    series = told["series"]
    name = series["folder"]
    folder = os.path.join(os.path.dirname(path), name)
    if os.path.islink(folder):
        raise QuadrilleError("badName", f"{folder} is a link, so its files may be others' own: make it a folder")
    os.makedirs(folder, exist_ok=True)
    gone, ready = frames(path, name), []
    for frame in series["frames"]:
        target = os.path.join(folder, frame["file"])
        gone.discard(frame["file"])
        new = prepared(target, urllib.parse.urljoin(address, f"{urllib.parse.quote(name)}/"), told, frame, frame["file"])
        ready += [(new, target)] if new else []
    if not os.path.isfile(path) or updates.sha256(path) != series["manifest"]["sha256"]:
        ready.append((fetched(address, series["manifest"], os.path.dirname(path)), path))
    for new, target in ready:
        updates.sync(new)
        os.replace(new, target)
    sync_folder(folder)
    clean([*parts(folder, *series["frames"], *told["deltas"]), *(os.path.join(folder, one) for one in gone)])
    return bool(ready)


def parts(folder, *entries):
    """The downloads of a list's files, those of killed runs among them."""
    return [os.path.join(folder, entry["file"] + ".part") for entry in entries]


def frames(path, folder):
    """The archives that a manifest names in the folder of its series; none elsewhere, and none where it is damaged."""
    try:
        with open(path, encoding="utf-8") as text:
            files = [frame["file"] for frame in json.load(text)["frames"]]
        names = [file[len(folder) + 1 :] for file in files if file.startswith(f"{folder}/")]
    except (AttributeError, FileNotFoundError, KeyError, RecursionError, TypeError, ValueError):
        return set()
    return {name for name in names if updates.is_plain(name) and updates.stem(name) != name}


def accepted(path, address, keys):
    """The list at an address. That it was accepted is remembered before anything else is fetched."""
    base = os.path.splitext(path)[0]
    base = base[: -len(".frames")] if base.endswith(".frames") else base
    state_file = f"{base}.update-state.json"
    text = None
    if os.path.isfile(state_file):
        with open(state_file, "rb") as file:
            text = file.read(updates.LIST_LIMIT)
    state = updates.remembered(text, keys)
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            told, state = updates.check(answer.read(updates.LIST_LIMIT + 1), state, updates.archive_name(address) or os.path.basename(base))
    except http.client.HTTPException as error:
        raise QuadrilleError("cutOff", address) from error
    if text is None or text.decode(errors="replace") != json.dumps(state):
        write(state_file, json.dumps(state))
    return told


def prepared(path, address, told, whole, frame=None):
    """The path of the new archive beside the one at `path`; None if nothing is new.

    A delta that is gone from the server, or another one there, is left out: the next way is taken, and in the end the whole file. So it
    is where deltas do not make the archive of the list, since the one at `path` is damaged.
    """
    new, without = f"{path}.new", set()
    clean([new, f"{new}-journal", *glob.glob(f"{glob.escape(new)}-mj*")])
    has = metadata(path)
    for _ in range(WAYS):
        way = updates.plan(told, has.get("quadrille:digest", ""), has.get("quadrille:taps"), frame, without)
        if way == []:
            return None
        if way is None:
            break
        try:
            updates.apply(path, [fetched(address, one, os.path.dirname(path), without) for one in way], new)
            return proved(new, whole)
        except Gone:
            continue
        except QuadrilleError as error:
            if error.kind in ("cutOff", "disk"):
                raise
            break
    os.replace(fetched(address, whole, os.path.dirname(path)), new)
    return proved(new, whole)


def metadata(path):
    """What the archive at a path says of itself; nothing if there is none, or a damaged one, which no delta can change."""
    try:
        archive = Archive(path)
    except QuadrilleError:
        return {}
    archive.database.close()
    with open(path, "rb") as file:
        head = file.read(32)
    page = int.from_bytes(head[16:18], "big")
    is_whole = os.path.getsize(path) >= (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    return archive.metadata if is_whole else {}


def proved(new, whole):
    """The path of a new archive that is the one of the list."""
    archive = Archive(new)
    archive.verify()
    archive.database.close()
    if archive.metadata["quadrille:digest"] != whole["digest"]:
        raise QuadrilleError("damaged", "the new archive is another one")
    return new


class Gone(Exception):
    """A file of a list is not there, or another one."""


def fetched(address, told, folder, without=None):
    """The path of a complete download with the right digest; one that was cut off goes on where it ended.

    Where there is another way, `without` receives the name of a file that is not to be had, and the error is `Gone`.
    """
    url = urllib.parse.urljoin(address, "./" + urllib.parse.quote(told["file"]))
    part = os.path.join(folder, told["file"] + ".part")
    if os.path.islink(part):
        os.remove(part)
    try:
        if os.path.exists(part):
            try:
                return downloaded(url, told, part)
            except (QuadrilleError, urllib.error.HTTPError) as error:
                if getattr(error, "kind", "") == "cutOff" or getattr(error, "code", 416) != 416:
                    raise
                # What was there is of another file.
        return downloaded(url, told, part)
    except (QuadrilleError, urllib.error.HTTPError) as error:
        is_gone = error.kind == "wrongBytes" if isinstance(error, QuadrilleError) else 400 <= error.code < 500 and error.code not in (408, 425, 429)
        if without is None or not is_gone:
            raise
        without.add(told["file"])
        raise Gone from error


def downloaded(url, told, part):
    size = os.path.getsize(part) if os.path.exists(part) else 0
    is_cut = True
    if size < told["bytes"] or not size:
        request = urllib.request.Request(url, headers={"Range": f"bytes={size}-"} if size else {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer, open(part, "ab" if answer.status == 206 else "wb") as file:
                left = int(answer.headers.get("Content-Length") or -1)
                # Unlike read, read1 gives what came before a connection broke.
                while (data := answer.read1(1 << 16)) and file.tell() <= told["bytes"]:
                    left -= file.write(data)
                is_cut = left != 0
        except http.client.HTTPException as error:
            raise QuadrilleError("cutOff", url) from error
        except urllib.error.HTTPError as error:
            if error.code == 416:
                clean([part])
            raise
    if os.path.getsize(part) < told["bytes"] and is_cut:
        raise QuadrilleError("cutOff", url)
    if os.path.getsize(part) != told["bytes"] or updates.sha256(part) != told["sha256"]:
        clean([part])
        raise QuadrilleError("wrongBytes", url)
    return part


def swap(path, new):
    """Puts the new archive in place of the old one, which stays as `NAME.previous`; readers keep the file they opened."""
    updates.sync(new)
    if os.path.exists(path):
        clean([f"{path}.previous.new"])
        link(path, f"{path}.previous.new")
        os.replace(f"{path}.previous.new", f"{path}.previous")
        # Where a killed run had linked both names to the same file, a rename does nothing.
        clean([f"{path}.previous.new"])
    os.replace(new, path)
    sync_folder(os.path.dirname(path))


def link(path, name):
    """Gives a file a second name, or copies it: Android, FAT and others have no hard links for apps."""
    try:
        os.link(path, name)
    except (AttributeError, NotImplementedError, OSError):
        shutil.copyfile(path, name)
        updates.sync(name)


def roll_back(path):
    """Puts the previous archive back."""
    os.replace(f"{path}.previous", path)
    # A rename does nothing where both are names of one file, as an update leaves them that was killed between its renames.
    clean([f"{path}.previous"])
    sync_folder(os.path.dirname(path))


def write(path, text):
    clean([f"{path}.new"])
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def sync_folder(path):
    """Waits until the names in a folder are on the disk, where the system can do that."""
    try:
        updates.sync(path or ".")
    except OSError:
        pass


def clean(paths):
    for path in paths:
        if os.path.lexists(path):
            os.remove(path)
