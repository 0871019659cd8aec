"""Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one."""

import glob
import http.client
import json
import os
import shutil
import urllib.error
import urllib.parse
import urllib.request

import inplace
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
    told, _ = accepted(path, address, keys)
    if "archive" not in told:
        raise QuadrilleError("badList", "a list of a series")
    new = prepared(path, address, told, told["archive"])
    if new and new != path:
        swap(path, new)
    clean(parts(os.path.dirname(path), told["archive"], *told["deltas"]) + left(path))
    return new is not None


def update_series(path, address, keys=()):
    """Brings the frames of the manifest at `path`, and then the manifest, up to the list at `address`; whether anything was new."""
    told, _ = accepted(path, address, keys)
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
    return [part(folder, entry) for entry in entries]


def part(folder, entry):
    """The download of a file, by the name under which the server has it."""
    return os.path.join(folder, (entry.get("download") or entry["file"]) + ".part")


def left(path):
    """The downloads of any version of the archive at a path."""
    base, ending = os.path.splitext(path)
    return glob.glob(f"{glob.escape(base)}.{'[0-9a-f]' * 16}{ending}.part")


def frames(path, folder):
    """The archives that a manifest names in the folder of its series; none elsewhere, and none where it is damaged."""
    try:
        with open(path, encoding="utf-8") as text:
            files = [frame["file"] for frame in json.load(text)["frames"]]
        names = [file[len(folder) + 1 :] for file in files if file.startswith(f"{folder}/")]
    except (AttributeError, FileNotFoundError, KeyError, RecursionError, TypeError, ValueError):
        return set()
    return {name for name in names if updates.is_plain(name) and updates.stem(name) != name}


def accepted(path, address, keys, check=updates.check, ending=updates.LIST):
    """The list at an address, and its bytes. That it was accepted is remembered before anything else is fetched."""
    base = os.path.splitext(path)[0]
    base = base[: -len(".frames")] if base.endswith(".frames") else base
    name = updates.archive_name(address, ending) or os.path.basename(base if ending == updates.LIST else path[: -len(ending)])
    state_file = f"{base}.update-state.json"
    text = None
    if os.path.isfile(state_file):
        with open(state_file, "rb") as file:
            text = file.read(updates.LIST_LIMIT)
    state = updates.remembered(text, keys)
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            data = answer.read(updates.LIST_LIMIT + 1)
            told, state = check(data, state, name)
    except http.client.HTTPException as error:
        raise QuadrilleError("cutOff", address) from error
    if text is None or text.decode(errors="replace") != json.dumps(state):
        write(state_file, json.dumps(state).encode())
    return told, data


def prepared(path, address, told, whole, frame=None):
    """The path of the new archive beside the one at `path`, or this one, changed in place; None if nothing is new.

    A delta that is gone from the server, or another one there, is left out: the next way is taken, and in the end the whole file. So it
    is where deltas do not make the archive of the list, since the one at `path` is damaged.
    """
    if whole["file"].endswith(".pmtiles"):
        raise QuadrilleError("notAnArchive", f"{whole['file']} is a PMTiles file, which this reader does not read: publish an .mbtiles file")
    new, without = f"{path}.new", set()
    clean([new, f"{new}-journal", *glob.glob(f"{glob.escape(new)}-mj*")])
    inplace.settle(path)
    has = metadata(path)
    may_change = frame is None
    if frame is None and updates.plan(told, has.get("quadrille:digest", ""), has.get("quadrille:taps")) is None:
        begun = resumed(address, told, whole, os.path.dirname(path))
        if begun:
            path, has, may_change = begun, metadata(begun), False
    for _ in range(WAYS):
        way = updates.plan(told, has.get("quadrille:digest", ""), has.get("quadrille:taps"), frame, without)
        if way == []:
            return None
        if way is None:
            break
        try:
            files = [fetched(address, one, os.path.dirname(new), without) for one in way]
            if may_change and not updates.clone(path, new) and inplace.change(path, files, lambda archive: prove(archive, whole)):
                sync_folder(os.path.dirname(path))
                return path
            updates.apply(path, files, new)
            return proved(new, whole)
        except Gone:
            continue
        except QuadrilleError as error:
            if error.kind in ("cutOff", "disk"):
                raise
            break
    os.replace(fetched(address, whole, os.path.dirname(new)), new)
    return proved(new, whole)


def resumed(address, told, whole, folder):
    """The path of an earlier archive whose download has begun, completed, if it and the deltas from there have fewer bytes than the whole."""

    def rest(entry):
        file = part(folder, entry)
        return entry["bytes"] - (os.path.getsize(file) if os.path.isfile(file) else 0)

    best, size = None, rest(whole)
    for entry in told.get("earlier") or []:
        way = updates.plan(told, entry["digest"], entry.get("taps"))
        bytes_left = rest(entry) + sum(delta["bytes"] for delta in way or [])
        if way and rest(entry) < entry["bytes"] and bytes_left < size:
            best, size = entry, bytes_left
    try:
        return best and fetched(address, best, folder, set())
    except Gone:
        return None


def metadata(path):
    """What the archive at a path says of itself; nothing if there is none, or a damaged one, which no delta can change."""
    try:
        archive = Archive(path)
    except QuadrilleError:
        return {}
    archive.database.close()
    return archive.metadata


def proved(new, whole):
    """The path of a new archive that is the one of the list."""
    archive = Archive(new)
    prove(archive, whole)
    archive.database.close()
    return new


def prove(archive, whole):
    archive.verify()
    if archive.metadata["quadrille:digest"] != whole["digest"]:
        raise QuadrilleError("damaged", "the new archive is another one")


class Gone(Exception):
    """A file of a list is not there, or another one."""


def fetched(address, told, folder, without=None, progress=None):
    """The path of a complete download with the right digest; one that was cut off goes on where it ended.

    Where there is another way, `without` receives the name of a file that is not to be had, and the error is `Gone`.
    """
    url = urllib.parse.urljoin(address, "./" + urllib.parse.quote(told.get("download") or told["file"]))
    file = part(folder, told)
    if os.path.islink(file):
        os.remove(file)
    try:
        if os.path.exists(file):
            try:
                return downloaded(url, told, file, progress)
            except (QuadrilleError, urllib.error.HTTPError) as error:
                if getattr(error, "kind", "") == "cutOff" or getattr(error, "code", 416) != 416:
                    raise
                # What was there is of another file.
        return downloaded(url, told, file, progress)
    except (QuadrilleError, urllib.error.HTTPError) as error:
        is_gone = error.kind == "wrongBytes" if isinstance(error, QuadrilleError) else 400 <= error.code < 500 and error.code not in (408, 425, 429)
        if without is None or not is_gone:
            raise
        without.add(told["file"])
        raise Gone from error


def downloaded(url, told, part, progress=None):
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
                    if progress:
                        progress(file.tell())
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
    if inplace.roll_back(path):
        return sync_folder(os.path.dirname(path))
    os.replace(f"{path}.previous", path)
    # A rename does nothing where both are names of one file, as an update leaves them that was killed between its renames.
    clean([f"{path}.previous"])
    sync_folder(os.path.dirname(path))


def write(path, data):
    clean([f"{path}.new"])
    with open(f"{path}.new", "wb") as file:
        file.write(data)
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
