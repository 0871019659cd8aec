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
    base = os.path.splitext(path)[0]
    new, state_file = f"{path}.new", f"{base}.update-state.json"
    state = {"sequence": 0, "keys": list(keys)}
    if os.path.exists(state_file):
        with open(state_file, encoding="utf-8") as text:
            state = json.load(text)
    for left in (new, f"{new}-journal"):
        remove(left)
    with urllib.request.urlopen(address, timeout=60) as answer:
        told, state = updates.check(answer.read(updates.LIST_LIMIT + 1), state)
    if "archive" not in told:
        raise QuadrilleError("badList", "a list of a series")
    metadata = Archive(path).metadata if os.path.exists(path) else {}
    way = updates.plan(told, metadata.get("quadrille:digest", ""), metadata.get("quadrille:taps"))
    if way != []:
        files = [told["archive"]] if way is None else way
        parts = [fetched(urllib.parse.urljoin(address, urllib.parse.quote(one["file"])), one, os.path.dirname(path)) for one in files]
        if way is None:
            os.replace(parts[0], new)
        else:
            updates.apply(path, parts, new)
        archive = Archive(new)
        archive.verify()
        archive.database.close()
        if archive.metadata["quadrille:digest"] != told["archive"]["digest"]:
            raise QuadrilleError("damaged", "the new archive is another one")
        swap(path, new)
        for part in parts:
            remove(part)
    write(state_file, json.dumps(state))
    return way != []


def fetched(url, told, folder):
    """The path of a complete download with the right digest; one that was cut off goes on where it ended."""
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
                remove(part)
            raise
    if os.path.getsize(part) < told["bytes"]:
        raise QuadrilleError("cutOff", url)
    if os.path.getsize(part) != told["bytes"] or updates.sha256(part) != told["sha256"]:
        remove(part)
        raise QuadrilleError("wrongBytes", url)
    return part


def swap(path, new):
    """Puts the new archive in place of the old one, which stays as `NAME.previous`; readers keep the file they opened."""
    updates.sync(new)
    if os.path.exists(path):
        remove(f"{path}.previous.new")
        os.link(path, f"{path}.previous.new")
        os.replace(f"{path}.previous.new", f"{path}.previous")
    os.replace(new, path)
    updates.sync(os.path.dirname(path) or ".")


def roll_back(path):
    """Puts the previous archive back."""
    os.replace(f"{path}.previous", path)
    updates.sync(os.path.dirname(path) or ".")


def write(path, text):
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)


def remove(path):
    if os.path.exists(path):
        os.remove(path)
