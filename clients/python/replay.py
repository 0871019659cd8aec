#!/usr/bin/env python3
"""Replays the golden vectors: every case that answers otherwise is printed, and ends with status 1.

With `damage ARCHIVE COUNT` it changes bytes at random, and every error has to be one of ours. With `taps ARCHIVE FILE` it answers the taps of a file, lines of "lng lat zoom", by keys or empty lines; with `entries ARCHIVE FILE` boxes, lines of
"west south east north zoom", by lines of JSON: [[key, lng, lat, count], …]; with
`update ARCHIVE URL [KEY]…` it updates an archive, and says `updated`, `nothing new` or the kind of the error; `rollback ARCHIVE` puts
the one before back; with `region ARCHIVE URL KEY|- WEST SOUTH EAST NORTH MINZOOM MAXZOOM` it cuts a region, and says `fetched` and the
bytes, and with `region ARCHIVE URL KEY|-` it updates one; with `packs LIST URL KEY
[WEST SOUTH EAST NORTH]` it updates the packs beside a list and fetches those of a box.
"""

import hashlib
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile

import client
import regions
import updates
from packs import PackSet
from quadrille import Archive, Series, cluster_view
from taps import QuadrilleError

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def damaged(path, change, folder):
    """The path of a file, or of a damaged copy of it."""
    if change is None:
        return path
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if "flip" in change:
        data[change["flip"]] ^= 1
    if "set" in change:
        at, digits = change["set"]
        data[at : at + len(digits)] = digits.encode()
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, "wb") as file:
        file.write(data[: change.get("truncate", len(data))])
    return copy


def numbers(text):
    return [float(part) for part in text.split(",")]


def metadata(case, path, _):
    archive = Archive(path)
    told = archive.metadata
    return {
        "name": told["name"], "format": told["format"], "minzoom": archive.minzoom, "maxzoom": archive.maxzoom,
        "bounds": numbers(told["bounds"]), "center": numbers(told["center"]), "density": archive.density,
        "attribution": told["attribution"], "taps": archive.taps, "digest": told["quadrille:digest"],
        "tapsDigest": told.get("quadrille:taps"),
    }  # fmt: skip


def tile(case, path, _):
    found = Archive(path).at(case["density"]).tile(case["z"], case["x"], case["y"])
    return found and {"tile": list(found[0]), "part": list(found[1]), "bytes": len(found[2]), "sha256": sha256(found[2])}


def tap(case, path, _):
    entry = Archive(path).tap(case["lng"], case["lat"], case["zoom"])
    return entry and {"key": entry["id"], "entry": entry}


def entries(case, path, _):
    found = Archive(path).entries(case["box"], case["zoom"], case["limit"])
    return [one | {"lng": round(one["lng"], 6), "lat": round(one["lat"], 6)} for one in found]


def changes(case, path, _):
    found = Archive(path).changes(case["from"], case["to"], case["box"])
    return {name: [one["key"] for one in found[name]] for name in found}


def search(case, path, _):
    return Archive(path).search(case["key"])


def cluster(case, path, _):
    view = cluster_view(Archive(path).search(case["key"]))
    return view and {"zoom": view[0], "box": view[1]}


def legend(case, path, _):
    found = Archive(path).legend()
    return found and {"title": found[0]["title"], "text": found[0]["text"], "entries": len(found[0]["entries"]), "image": sha256(found[1])}


def verify(case, path, _):
    return {"digest": Archive(path).verify()}


def frames(case, path, _):
    series = Series(path)
    keys = ("time", "file", "duration", "sha256")
    return {
        "frames": [{key: frame[key] for key in keys} for frame in series.frames], "default": series.default,
        "latest": series.manifest["latest"], "loop": series.loop, "shown": [[at, series.shown(at)] for at, _ in case["expect"]["shown"]],
    }  # fmt: skip


def apply(case, path, folder):
    files = [damaged(os.path.join(VECTORS, delta["file"]), case.get("change") if i == 0 else None, folder) for i, delta in enumerate(case["deltas"])]
    for file, delta in zip(files, case["deltas"]):
        if updates.sha256(file) != delta["sha256"]:
            raise QuadrilleError("wrongBytes")
    updates.apply(path, files, os.path.join(folder, "patched.mbtiles"))
    archive = Archive(os.path.join(folder, "patched.mbtiles"))
    other = case["expect"]["equals"]
    equal = content(archive) == content(Archive(os.path.join(VECTORS, other)))
    told = {"digest": archive.verify(), "equals": other if equal else "no"}
    return told | ({"taps": archive.metadata["quadrille:taps"]} if archive.taps else {})


def content(archive):
    tables = [name for (name,) in archive.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {table: sorted(archive.rows(f"SELECT * FROM {table}")) for table in tables}


def packs(case, folder):
    """The packs that a case has, beside their list."""
    source = os.path.join(VECTORS, os.path.dirname(case["list"]))
    for name in [os.path.basename(case["list"]), *case["held"]]:
        shutil.copyfile(os.path.join(source, name), os.path.join(folder, name))
    return PackSet(os.path.join(folder, os.path.basename(case["list"])))


def packList(case, _, __):
    with open(os.path.join(VECTORS, case["list"]), "rb") as file:
        told, state = updates.check_packs(file.read(), case["state"], updates.archive_name(case["address"], ".packs.json"), case.get("now", 0))
    files = [pack["file"] for pack in told["packs"] + ([told["shared"]] if "shared" in told else [])]
    return {"files": files, "state": {key: state[key] for key in ("sequence", "keys")}}


def packChoice(case, _, folder):
    held = packs(case, folder)
    chosen = held.within(case["box"])
    return {"packs": [pack["file"] for pack in chosen], "bytes": held.size(chosen)}


def packTile(case, _, folder):
    found = packs(case, folder).tile(case["z"], case["x"], case["y"])
    return found and {"file": found[0], "tile": list(found[1]), "part": list(found[2]), "bytes": len(found[3]), "sha256": sha256(found[3])}


def packTap(case, _, folder):
    entry = packs(case, folder).tap(case["lng"], case["lat"], case["zoom"])
    return entry and {"key": entry["id"], "entry": entry}


def packSearch(case, _, folder):
    return packs(case, folder).search(case["key"])


def packEntries(case, _, folder):
    found = packs(case, folder).entries(case["box"], case["zoom"], case["limit"])
    return [one | {"lng": round(one["lng"], 6), "lat": round(one["lat"], 6)} for one in found]


def plan(case, path, _):
    before = case["state"] if "state" in case else updates.remembered(case["remembered"], case["keys"])
    with open(os.path.join(VECTORS, case["list"]), "rb") as file:
        told, state = updates.check(file.read(), before, updates.archive_name(case["address"]), case.get("now", 0))
    have, state = case["have"], {key: state[key] for key in ("sequence", "keys")}
    if "series" not in told:
        way = updates.plan(told, have["digest"], have.get("taps"), without=case.get("without", ()))
        return {**({"whole": told["archive"].get("download") or told["archive"]["file"]} if way is None else {"deltas": [one["file"] for one in way]}), "state": state}
    ways, names = {}, [frame["file"] for frame in told["series"]["frames"]]
    for name in names:
        way = updates.plan(told, have["frames"].get(name, ""), frame=name)
        ways[name] = "whole" if way is None else [one["file"] for one in way]
    gone = [name for name in have["frames"] if name not in names]
    return {"manifest": told["series"]["manifest"]["file"], "frames": ways, "remove": gone, "state": state}


def taps(path, places):
    archive = Archive(path)
    with open(places, encoding="utf-8") as lines:
        for line in lines:
            entry = archive.tap(*map(float, line.split()))
            print(entry["id"] if entry else "")


def boxes(path, places):
    archive = Archive(path)
    with open(places, encoding="utf-8") as lines:
        for line in lines:
            *box, zoom = map(float, line.split())
            print(json.dumps([[one["key"], one["lng"], one["lat"], one["count"]] for one in archive.entries(box, zoom)]))


def damage(path, count):
    with open(path, "rb") as file:
        plain = file.read()
    fine = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "damaged.mbtiles")
        for i in range(int(count)):
            data = bytearray(plain)
            for _ in range(random.randint(1, 4)):
                data[int(random.random() ** 2 * len(data))] = random.randrange(256)
            with open(copy, "wb") as file:
                file.write(data)
            works = [Archive.verify, lambda one: one.search("dG93bnM..dDA"), lambda one: one.tap(7.5223, 46.9435, i % 11), lambda one: one.tile(5, 16, 11)]
            works += [lambda one: one.entries((7, 46, 8, 48), i % 11)] if "shapes" in path else []
            for work in works:
                try:
                    work(Archive(copy))
                    fine += 1
                except QuadrilleError:
                    refused += 1
    print(fine, refused)


def update(path, address, keys):
    try:
        update_it = client.update_series if path.endswith(".frames.json") else client.update
        print("updated" if update_it(path, address, keys) else "nothing new")
    except (QuadrilleError, OSError) as error:
        print(getattr(error, "kind", "network"))


def region(path, address, key, *numbers):
    keys, heard = [key] if key != "-" else [], [0]
    try:
        if numbers:
            regions.fetch(path, address, list(map(float, numbers[:4])), list(map(int, numbers[4:])), keys, heard.append)
            print("fetched", heard[-1])
        else:
            print("updated" if regions.update(path, address, keys, heard.append) else "nothing new", heard[-1])
    except (QuadrilleError, OSError) as error:
        print(getattr(error, "kind", "network"))
        print(error, file=sys.stderr)


def roll_back(path):
    try:
        client.roll_back(path)
        print("rolled back")
    except (QuadrilleError, OSError) as error:
        print(getattr(error, "kind", "network"))


def follow(path, address, key, *box):
    """Updates the packs of a folder, fetches those of a box, and says which files changed, the progress, and what is there."""
    try:
        held, heard = PackSet(path), []
        changed = held.update(address, [key])
        chosen = held.within([float(edge) for edge in box]) if box else []
        size = held.size(chosen) if box else 0
        if box:
            held.fetch(address, chosen, lambda *told: heard.append(told))
        assert not heard or heard[-1] == (size, size)
        print(json.dumps({"changed": sorted(changed), "fetched": size, "held": sorted(pack["file"] for pack in held.packs if held.is_held(pack))}))
    except (QuadrilleError, OSError) as error:
        print(getattr(error, "kind", "network"))


def main():
    if sys.argv[1:2] == ["taps"]:
        return taps(*sys.argv[2:])
    if sys.argv[1:2] == ["entries"]:
        return boxes(*sys.argv[2:])
    if sys.argv[1:2] == ["damage"]:
        return damage(*sys.argv[2:])
    if sys.argv[1:2] == ["packs"]:
        return follow(*sys.argv[2:])
    if sys.argv[1:2] == ["region"]:
        return region(*sys.argv[2:])
    if sys.argv[1:2] == ["rollback"]:
        return roll_back(sys.argv[2])
    if sys.argv[1:2] == ["update"]:
        return update(sys.argv[2], sys.argv[3], sys.argv[4:])
    with open(os.path.join(VECTORS, "vectors.json"), encoding="utf-8") as text:
        vectors = json.load(text)
    wrong = 0
    for case in vectors["cases"]:
        with tempfile.TemporaryDirectory() as folder:
            path = case.get("file") and os.path.join(VECTORS, case["file"])
            path = damaged(path, case.get("change") if case["do"] != "apply" else None, folder)
            try:
                told = {"expect": globals()[case["do"]](case, path, folder)}
            except QuadrilleError as error:
                told = {"error": error.kind}
        if told != {key: case[key] for key in ("expect", "error") if key in case}:
            wrong += 1
            print(f"{case['name']}: {json.dumps(told)[:300]}")
    print(f"{len(vectors['cases']) - wrong} passed, {wrong} failed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
