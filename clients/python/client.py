"""Keeps an archive up to date over http: resumes what was cut off, and leaves the old archive or the new one."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

import updates
from quadrille import Archive
from taps import QuadrilleError


def update(path, address, keys=()):
    """Brings the archive at `path` up to the list at `address`; whether anything was new.

    `keys` are the raw public keys, in base64, that a first list has to be signed by; later ones are in the state file.
    """
    told, remember = accepted(path, address, keys)
    if "archive" not in told:
        raise QuadrilleError("badList", "a list of a series")
    new = prepared(path, address, told, told["archive"])
    if new:
        swap(path, new)
    clean(parts(os.path.dirname(path), told["archive"], *told["deltas"]))
    remember()
    return new is not None


def update_series(path, address, keys=()):
    """Brings the frames of the manifest at `path`, and then the manifest, up to the list at `address`; whether anything was new."""
    told, remember = accepted(path, address, keys)
    if "series" not in told:
        raise QuadrilleError("badList", "a list of an archive")
    series = told["series"]
    name = series.get("folder", "")
    folder = os.path.join(os.path.dirname(path), name)
    os.makedirs(folder, exist_ok=True)
    gone, ready = frames(path), []
    for frame in series["frames"]:
        target = os.path.join(folder, frame["file"])
        gone.discard(os.path.abspath(target))
        new = prepared(target, urllib.parse.urljoin(address, f"{urllib.parse.quote(name)}/" if name else "."), told, frame, frame["file"])
        ready += [(new, target)] if new else []
    if not os.path.exists(path) or updates.sha256(path) != series["manifest"]["sha256"]:
        ready.append((fetched(address, series["manifest"], os.path.dirname(path)), path))
    for new, target in ready:
        updates.sync(new)
        os.replace(new, target)
    updates.sync(folder)
    clean([*parts(folder, *series["frames"], *told["deltas"]), *gone])
    remember()
    return bool(ready)


def parts(folder, *entries):
    """The downloads of a list's files, those of killed runs among them."""
    return [os.path.join(folder, entry["file"] + ".part") for entry in entries]


def frames(path):
    """The files that a manifest names."""
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as text:
        return {os.path.abspath(os.path.join(os.path.dirname(path), frame["file"])) for frame in json.load(text)["frames"]}


def accepted(path, address, keys):
    """The list at an address, and what remembers that it was accepted."""
    state_file = f"{os.path.splitext(path)[0].removesuffix('.frames')}.update-state.json"
    state = {"sequence": 0, "keys": list(keys)}
    if os.path.exists(state_file):
        with open(state_file, encoding="utf-8") as text:
            state = json.load(text)
    with urllib.request.urlopen(address, timeout=60) as answer:
        told, state = updates.check(answer.read(updates.LIST_LIMIT + 1), state)
    return told, lambda: write(state_file, json.dumps(state))


def prepared(path, address, told, whole, frame=None):
    """The path of the new archive beside the one at `path`; None if nothing is new."""
    new = f"{path}.new"
    clean([new, f"{new}-journal"])
    metadata = {}
    if os.path.exists(path):
        archive = Archive(path)
        metadata = archive.metadata
        archive.database.close()
    way = updates.plan(told, metadata.get("quadrille:digest", ""), metadata.get("quadrille:taps"), frame)
    if way == []:
        return None
    files = [fetched(address, one, os.path.dirname(path)) for one in ([whole] if way is None else way)]
    if way is None:
        os.replace(files[0], new)
    else:
        updates.apply(path, files, new)
    archive = Archive(new)
    archive.verify()
    archive.database.close()
    if archive.metadata["quadrille:digest"] != whole["digest"]:
        raise QuadrilleError("damaged", "the new archive is another one")
    return new


def fetched(address, told, folder):
    """The path of a complete download with the right digest; one that was cut off goes on where it ended."""
    url = urllib.parse.urljoin(address, "./" + urllib.parse.quote(told["file"]))
    part = os.path.join(folder, told["file"] + ".part")
    size = os.path.getsize(part) if os.path.exists(part) else 0
    if size < told["bytes"]:
        request = urllib.request.Request(url, headers={"Range": f"bytes={size}-"} if size else {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer, open(part, "ab" if answer.status == 206 else "wb") as file:
                # Unlike read, read1 gives what came before a connection broke.
                while (data := answer.read1(1 << 16)) and file.tell() <= told["bytes"]:
                    file.write(data)
        except urllib.error.HTTPError as error:
            if error.code == 416:
                clean([part])
            raise
    if os.path.getsize(part) < told["bytes"]:
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
        os.link(path, f"{path}.previous.new")
        os.replace(f"{path}.previous.new", f"{path}.previous")
        # Where a killed run had linked both names to the same file, a rename does nothing.
        clean([f"{path}.previous.new"])
    os.replace(new, path)
    updates.sync(os.path.dirname(path) or ".")


def roll_back(path):
    """Puts the previous archive back."""
    os.replace(f"{path}.previous", path)
    # A rename does nothing where both are names of one file, as an update leaves them that was killed between its renames.
    clean([f"{path}.previous"])
    updates.sync(os.path.dirname(path) or ".")


def write(path, text):
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def clean(paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)
