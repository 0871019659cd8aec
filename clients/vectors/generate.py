#!/usr/bin/env python3
"""Bakes the archives and deltas of the golden vectors, and computes what readers have to answer.

    clients/vectors/generate.py PROGRAM    bakes everything anew with that `quadrille`, then computes the answers
    clients/vectors/generate.py --check    computes the answers of what is here, and compares them with vectors.json

With one program, running it twice gives equal bytes. It needs Python 3.9 or later and `openssl`.
"""

import base64
import glob
import hashlib
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True

import reference  # noqa: E402
from reference import Taps, metadata, opened, sha256, tile, world  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = 1


class Turn:
    """Random numbers that are the same in every version of Python (SplitMix64)."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) / 2**64

    def between(self, low, high):
        return low + self.next() * (high - low)


# MARK: Sources


def town_rows():
    """Towns in four places, so that clusters come apart at several zooms, and two at the antimeridian."""
    turn, rows = Turn(1), []
    for lng, lat, wide, count in ((8, 47, 4, 20), (-100, 40, 15, 14), (140, -25, 10, 8), (8.2, 46.9, 0.4, 12)):
        for _ in range(count):
            rows.append([turn.between(lng - wide, lng + wide), turn.between(lat - wide / 2, lat + wide / 2)])
    rows += [[179.99, 5], [-179.99, -5]]
    return [[f"t{i}", f"Tówn {i}", int(turn.between(100, 9000)), round(x, 4), round(y, 4)] for i, (x, y) in enumerate(rows)]


def towns(version):
    """The rows of a version: in the second a town has moved, in the third one has gone and one has come."""
    rows = town_rows()
    if version > 1:
        rows[3][3:] = [9.1234, 47.4321]
    if version > 2:
        del rows[40]
        rows.append(["t999", "New Town", 12, 8.3333, 46.6666])
    return "id,name,people,lng,lat\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def dots():
    turn = Turn(2)
    rows = [(turn.between(7.3, 7.7), turn.between(46.85, 47.1)) for _ in range(30)]
    return "id,name,lng,lat\n" + "".join(f"d{i},Dot {i},{x:.4f},{y:.4f}\n" for i, (x, y) in enumerate(rows))


def shapes():
    turn, features = Turn(3), []
    for i in range(16):
        x, y = turn.between(7.3, 7.65), turn.between(46.85, 47.05)
        ring = [[x, y], [x + 0.06, y], [x + 0.04, y + 0.04], [x, y]]
        ring = [[round(a, 4), round(b, 4)] for a, b in ring]
        shape = {"type": "Polygon", "coordinates": [ring]} if i % 2 else {"type": "LineString", "coordinates": ring[:3]}
        features.append({"type": "Feature", "id": 100 + i, "properties": {"name": f"Shape {i}"}, "geometry": shape})
    lines = ",\n".join(json.dumps(feature) for feature in features)
    return '{"type": "FeatureCollection", "features": [\n' + lines + "\n]}\n"


def picture(frame):
    """A PNG of 48 × 48 px with a cloud that moves, in three classes and transparency."""
    side, colors = 48, b"\x00\x00\x00\x9e\xc5\xfe\x3b\x82\xf6\x1e\x3a\x8a"
    rows = bytearray()
    for y in range(side):
        rows.append(0)
        for x in range(side):
            far = math.hypot(x - 12 - 10 * frame, y - 24)
            rows.append(3 if far < 4 else 2 if far < 8 else 1 if far < 12 else 0)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 3, 0, 0, 0)
    body = [(b"IHDR", head), (b"PLTE", colors), (b"tRNS", b"\x00"), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in body)


TOWNS = """version: 1
name: towns
description: Towns that were made up, as clusters
attribution: Made up for the golden vectors
sources:
  towns: {type: csv, data: towns.csv, x: lng, y: lat, id: id, cluster: true, clusterRadius: 40, clusterMaxZoom: 4}
layers:
  - id: bubble
    type: circle
    source: towns
    paint: {circle-radius: [case, [has, point_count], 11, 6], circle-color: [case, [has, point_count], "#c2410c", "#0369a1"]}
tiles: {minzoom: 0, maxzoom: 5, scale: SCALE, interactivity: {layers: [bubble], fields: [name, people]}}
output: {path: towns.mbtiles, layout: dedup}
"""

SHAPES = """version: 1
name: shapes
sources:
  dots: {type: csv, data: dots.csv, x: lng, y: lat, id: id}
  shapes: {type: geojson, data: shapes.geojson}
layers:
  - {id: areas, type: fill, source: shapes, filter: [==, [geometry-type], Polygon], paint: {fill-color: "#9ec5a8"}}
  - {id: ways, type: line, source: shapes, filter: [==, [geometry-type], LineString], paint: {line-width: 5, line-color: "#64748b"}}
  - {id: dots, type: circle, source: dots, paint: {circle-radius: 7, circle-color: "#b91c1c"}}
tiles: {minzoom: 1, maxzoom: 10, scale: [1, 2], format: webp, interactivity: {fields: [name], format: compact}}
output: {path: shapes.mbtiles, layout: flat}
"""

PLAIN = """version: 1
name: plain
sources: {towns: {type: csv, data: towns.csv, x: lng, y: lat, id: id}}
layers: [{id: dots, type: circle, source: towns, paint: {circle-radius: 4, circle-color: "#7c3aed"}}]
tiles: {minzoom: 0, maxzoom: 3}
output: {path: plain.mbtiles, layout: flat, sidecars: false}
"""

RAIN = """version: 1
name: rain
sources:
  rain: {type: image-series, frames: "rain/*.png", time: "%Y-%m-%dT%H%MZ", bounds: [-12, 48, 5, 61], every: 900, onMissing: hold, frameDuration: 400}
layers: [{id: rain, type: raster, source: rain}]
tiles: {minzoom: 2, maxzoom: 4}
output: {path: rain.mbtiles}
"""


# MARK: Baking


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def bake(program):
    """Makes `sources`, `archives` and `deltas`."""
    for folder in ("archives", "deltas", "lists", "sources"):
        shutil.rmtree(os.path.join(HERE, folder), ignore_errors=True)
        os.makedirs(os.path.join(HERE, folder))
    with tempfile.TemporaryDirectory() as ground:

        def build(name, files):
            for file, content in files.items():
                write(os.path.join(ground, name, file), content)
            pipeline = next(file for file in files if file.endswith(".yml"))
            run(program, "build", "-q", "--no-cache", pipeline, cwd=os.path.join(ground, name))

        def keep(file, as_file):
            shutil.copyfile(os.path.join(ground, file), os.path.join(HERE, as_file))

        for version in (1, 2, 3):
            scale = "[1, 2]" if version == 3 else "1"
            build(f"towns{version}", {"towns.yml": TOWNS.replace("SCALE", scale), "towns.csv": towns(version)})
            if version < 3:
                keep(f"towns{version}/towns.mbtiles", f"archives/towns-{version}.mbtiles")
        for version in (1, 2):
            build(f"plain{version}", {"plain.yml": PLAIN, "towns.csv": towns(version)})
            keep(f"plain{version}/plain.mbtiles", "archives/plain" + ("-1" if version == 1 else "") + ".mbtiles")
        build("shapes", {"shapes.yml": SHAPES, "dots.csv": dots(), "shapes.geojson": shapes()})
        # Between the second and the third frame one is missing: the second is held.
        times = ("2026-03-01T1000Z", "2026-03-01T1015Z", "2026-03-01T1045Z")
        build("rain", {"rain.yml": RAIN, **{f"rain/{time}.png": picture(i) for i, time in enumerate(times)}})
        for name in ("towns", "shapes"):
            folder = name + ("3" if name == "towns" else "")
            for suffix in ("", "@2x"):
                keep(f"{folder}/{name}{suffix}.mbtiles", f"archives/{name}{suffix}.mbtiles")
            keep(f"{folder}/{name}.legend.json", f"archives/{name}.legend.json")
            keep(f"{folder}/{name}.legend.png", f"archives/{name}.legend.png")
        os.makedirs(os.path.join(HERE, "archives/rain"))
        for time in times:
            keep(f"rain/rain/{time}.mbtiles", f"archives/rain/{time}.mbtiles")
        keep("rain/rain/latest.mbtiles", "archives/rain/latest.mbtiles")
        keep("rain/rain.frames.json", "archives/rain.frames.json")
        for file, content in (("towns.csv", towns(3)), ("dots.csv", dots()), ("shapes.geojson", shapes())):
            write(os.path.join(HERE, "sources", file), content)
    for old, new, name in DELTAS:
        run(program, "diff", old, new, "-o", f"deltas/{name}.delta", cwd=HERE + "/", env={**os.environ, "LC_ALL": "C"})


DELTAS = [
    ("archives/towns-1.mbtiles", "archives/towns-2.mbtiles", "towns.1-2"),
    ("archives/towns-2.mbtiles", "archives/towns.mbtiles", "towns.2-3"),
    ("archives/towns-1.mbtiles", "archives/towns.mbtiles", "towns.1-3"),
    ("archives/plain-1.mbtiles", "archives/plain.mbtiles", "plain.1-2"),
]


# MARK: Signed lists


class Key:
    """A key pair from a name, by the openssl program (RFC 8410)."""

    def __init__(self, name):
        self.seed = hashlib.sha256(b"golden vectors, key " + name.encode()).digest()
        self.private = bytes.fromhex("302e020100300506032b657004220420") + self.seed
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "key")
            write(file, self.private)
            public = run("openssl", "pkey", "-inform", "DER", "-in", file, "-pubout", "-outform", "DER")
        self.public = public[-32:]
        self.id = hashlib.sha256(self.public).hexdigest()[:16]
        self.text = base64.b64encode(self.public).decode()

    def sign(self, data):
        with tempfile.TemporaryDirectory() as folder:
            key, message = os.path.join(folder, "key"), os.path.join(folder, "message")
            write(key, self.private)
            write(message, data)
            signature = run("openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key, "-in", message)
        return base64.b64encode(signature).decode()


def envelope(text, *keys):
    signed = b"quadrille-updates-1\n" + text.encode()
    signatures = [{"key": key.id, "signature": key.sign(signed)} for key in keys]
    return json.dumps({"list": text, "signatures": signatures}, indent=1, ensure_ascii=False) + "\n"


def line(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def measured(file):
    with open(os.path.join(HERE, file), "rb") as content:
        data = content.read()
    return {"file": os.path.basename(file), "bytes": len(data), "sha256": sha256(data)}


def digests(file):
    """The digests of an archive: of its tiles, and of its taps if it has any."""
    told = metadata(opened(os.path.join(HERE, file)))
    return {"digest": told["quadrille:digest"], **({"taps": told["quadrille:taps"]} if "quadrille:taps" in told else {})}


def step(old, new, name):
    before, after = digests(old), digests(new)
    taps = {"tapsBefore": before["taps"], "tapsAfter": after["taps"]} if "taps" in before else {}
    return {**measured(f"deltas/{name}.delta"), "before": before["digest"], "after": after["digest"], **taps}


def town_list():
    steps = [step(*delta) for delta in DELTAS[:3]]
    steps[2]["merged"] = 2
    return {
        "format": 1, "minimumClient": 1, "sequence": 7, "deltas": steps,
        "archive": {**measured("archives/towns.mbtiles"), **digests("archives/towns.mbtiles")},
    }  # fmt: skip


def made_up(file, size, before, after, **more):
    """A delta that exists in a list only."""
    return {"file": file, "bytes": size, "sha256": sha256(file.encode()), "before": before, "after": after, **more}


def choices():
    """A list without taps whose versions are a, b, c, d and z, and what a client takes from each to z."""
    names = {name: sha256(name.encode()) for name in "abcdzqr"}
    a, b, c, d, z, q, r = names.values()
    deltas = [
        made_up("a-b.delta", 100, a, b), made_up("b-z.delta", 100, b, z), made_up("a-z.delta", 150, a, z, merged=2),
        made_up("b-z-again.delta", 100, b, z), made_up("c-b.delta", 50, c, b), made_up("c-z.delta", 150, c, z, merged=2),
        made_up("d-b.delta", 899, d, b), made_up("d-d.delta", 1, d, d), made_up("b-a.delta", 1, b, a), made_up("q-r.delta", 3, q, r),
    ]  # fmt: skip
    whole = {"file": "z.mbtiles", "bytes": 999, "sha256": sha256(b"whole"), "digest": z}
    value = {"format": 1, "minimumClient": 1, "sequence": 1, "archive": whole, "deltas": deltas}
    return value, names


def series_list():
    """A list of a series: one frame stays, one has a delta, one is replaced, one comes; frames not listed go."""
    one, two, three, four = (sha256(name) for name in (b"one", b"two", b"three", b"four"))
    frames = [
        {"file": f"{name}.mbtiles", "bytes": 5000, "sha256": sha256(name.encode()), "digest": digest}
        for name, digest in (("1000Z", one), ("1015Z", two), ("1030Z", three), ("1045Z", four))
    ]
    old = sha256(b"old two")
    deltas = [made_up("1015Z.delta", 70, old, two, frame="1015Z.mbtiles"), made_up("other.delta", 1, sha256(b"old three"), three, frame="1015Z.mbtiles")]
    manifest = {"file": "rain.frames.json", "bytes": 900, "sha256": sha256(b"manifest")}
    value = {"format": 1, "minimumClient": 1, "sequence": 3, "series": {"manifest": manifest, "frames": frames}, "deltas": deltas}
    have = {"0945Z.mbtiles": sha256(b"gone"), "1000Z.mbtiles": one, "1015Z.mbtiles": old, "1030Z.mbtiles": sha256(b"old three")}
    plan = {
        "manifest": "rain.frames.json", "remove": ["0945Z.mbtiles"],
        "frames": {"1000Z.mbtiles": [], "1015Z.mbtiles": ["1015Z.delta"], "1030Z.mbtiles": "whole", "1045Z.mbtiles": "whole"},
    }  # fmt: skip
    return value, have, plan


def list_cases():
    """Lists with what a client does of them; writes them into `lists`."""
    first, second, other = Key("first"), Key("second"), Key("other")
    good = town_list()
    old, newest = digests("archives/towns-1.mbtiles"), digests("archives/towns.mbtiles")
    cases = []

    def case(name, text, trusted=(first,), sequence=0, have=None, **told):
        file = f"lists/{name.replace(',', '').replace(' ', '-')}.updates.json"
        write(os.path.join(HERE, file), text)
        state = {"sequence": sequence, "keys": [key.text for key in trusted]}
        cases.append({"name": f"list: {name}", "do": "plan", "list": file, "state": state, "have": have or old, **told})

    def accepted(sequence=7, keys=(first,), **plan):
        return {"expect": {**plan, "state": {"sequence": sequence, "keys": [key.text for key in keys]}}}

    whole = accepted(whole=good["archive"]["file"])
    found = reference.path(good["deltas"], (old["digest"], old["taps"]), (newest["digest"], newest["taps"]))
    steps = accepted(deltas=found[2]) if found[0] < good["archive"]["bytes"] else whole
    text = line(good)
    case("good", envelope(text, first), **steps)
    case("good, the same sequence", envelope(text, first), sequence=7, **steps)
    case("nothing new", envelope(text, first), have=newest, **accepted(deltas=[]))
    unknown = {"digest": sha256(b"unknown"), "taps": sha256(b"unknown")}
    case("no chain from this archive", envelope(text, first), have=unknown, **whole)
    case("other taps", envelope(text, first), have={**old, "taps": sha256(b"other")}, **whole)
    case("unsigned", envelope(text), error="unsigned")
    case("unsigned, and no keys", envelope(text), trusted=(), **{"expect": {**steps["expect"], "state": {"sequence": 7, "keys": []}}})
    case("signed by another key", envelope(text, other), error="untrusted")
    case("signed by another key, too", envelope(text, other, first), **steps)
    forged = json.loads(envelope(text, other))
    forged["signatures"][0]["key"] = first.id
    case("another key under a trusted name", json.dumps(forged), error="badSignature")
    flipped = json.loads(envelope(text, first))
    flipped["list"] = flipped["list"].replace('"sequence": 7', '"sequence": 8')
    case("a changed list", json.dumps(flipped), error="badSignature")
    flipped = json.loads(envelope(text, first))
    signature = bytearray(base64.b64decode(flipped["signatures"][0]["signature"]))
    signature[40] ^= 1
    flipped["signatures"][0]["signature"] = base64.b64encode(signature).decode()
    case("a changed signature", json.dumps(flipped), error="badSignature")
    flipped["signatures"][0]["signature"] = "AAAA"
    case("a short signature", json.dumps(flipped), error="badSignature")
    # s + L is refused: a signature has one form (RFC 8032, 5.1.7).
    flipped = json.loads(envelope(text, first))
    signature = base64.b64decode(flipped["signatures"][0]["signature"])
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(signature[32:], "little") + order
    flipped["signatures"][0]["signature"] = base64.b64encode(signature[:32] + scalar.to_bytes(32, "little")).decode()
    case("a signature in another form", json.dumps(flipped), error="badSignature")
    case("an older list", envelope(text, first), sequence=8, error="replayed")
    case("a newer client needed", envelope(line({**good, "minimumClient": 2, "archive": "unheard of"}), first), error="clientTooOld")
    case("another format", envelope(line({**good, "format": 2}), first), error="badList")
    case("no JSON", "{", error="badList")
    case("no JSON inside", envelope("{", first), error="badList")
    case("no sequence", envelope(line({key: value for key, value in good.items() if key != "sequence"}), first), error="badList")
    case("too many bytes", envelope(line({**good, "archive": {**good["archive"], "bytes": 2**53 + 2}}), first), error="badList")
    case("negative bytes", envelope(line({**good, "archive": {**good["archive"], "bytes": -1}}), first), error="badList")
    for number, name in enumerate(["../towns.mbtiles", "a/b.delta", "..", "", ".hidden"]):
        changed = json.loads(text)
        (changed["archive"] if number == 0 else changed["deltas"][0])["file"] = name
        case(f"a bad name {number}", envelope(line(changed), first), error="badName")
    rotation = line({**good, "keys": [{"key": first.text}, {"key": second.text}]})
    case("keys that rotate", envelope(rotation, first), **accepted(keys=(first, second), **{k: v for k, v in steps["expect"].items() if k != "state"}))
    case("signed by the new key alone, not yet trusted", envelope(text, second), error="untrusted")
    case("signed by the new key alone", envelope(text, second), trusted=(first, second), **accepted(keys=(first, second), **{k: v for k, v in steps["expect"].items() if k != "state"}))
    last = line({**good, "keys": [{"key": second.text}], "sequence": 9})
    case("the old key retires", envelope(last, first, second), trusted=(first, second), **accepted(9, (second,), **{k: v for k, v in steps["expect"].items() if k != "state"}))
    case("keys of an unsigned list are not taken", envelope(rotation), trusted=(), **{"expect": {**steps["expect"], "state": {"sequence": 7, "keys": []}}})
    value, names = choices()
    answers = {
        # a → z in one file of 150, cheaper than 200 in two
        "a": {"deltas": ["a-z.delta"]},
        # two files of 100: the first by name
        "b": {"deltas": ["b-z-again.delta"]},
        # 150 in one file or in two: fewer files
        "c": {"deltas": ["c-z.delta"]},
        # 999 bytes, no fewer than the whole archive has
        "d": {"whole": "z.mbtiles"},
        # a chain that leads elsewhere
        "q": {"whole": "z.mbtiles"},
        "z": {"deltas": []},
    }
    for name, answer in answers.items():
        case("choices", envelope(line(value), first), have={"digest": names[name]}, **accepted(1, **answer))
        cases[-1]["name"] += f", from {name}"
    value, have, plan = series_list()
    case("series", envelope(line(value), first), sequence=2, **accepted(3, **plan))
    cases[-1]["have"] = {"frames": have}
    return cases


# MARK: Answers of archives


def metadata_case(file):
    archive = opened(os.path.join(HERE, file))
    told = metadata(archive)
    kind = Taps(archive).kind
    return {
        "name": told["name"], "format": told["format"], "minzoom": int(told["minzoom"]), "maxzoom": int(told["maxzoom"]),
        "bounds": [float(part) for part in told["bounds"].split(",")], "center": [float(part) for part in told["center"].split(",")],
        "density": int(told.get("scale", "1")), "attribution": told["attribution"], "taps": kind,
        "digest": told["quadrille:digest"], "tapsDigest": told.get("quadrille:taps"),
    }  # fmt: skip


def tile_cases(file, turn):
    """Stored tiles, places without a tile, tiles beyond the last zoom, and the other density."""
    archive = opened(os.path.join(HERE, file))
    other = file.replace(".mbtiles", "@2x.mbtiles")
    dense = opened(os.path.join(HERE, other)) if os.path.exists(os.path.join(HERE, other)) else None
    rows = archive.execute("SELECT zoom_level, tile_column, tile_row FROM tiles ORDER BY 1, 2, 3").fetchall()
    low, high = rows[0][0], rows[-1][0]
    places = [(z, x, (1 << z) - 1 - row) for z, x, row in rows]
    chosen = [places[0], places[-1]] + [places[int(turn.next() * len(places))] for _ in range(6)]
    deep = [place for place in places if place[0] == high]
    for up in (1, 2, 3, 9):
        z, x, y = deep[int(turn.next() * len(deep))]
        chosen.append((z + up, (x << up) + int(turn.next() * (1 << up)), (y << up) + int(turn.next() * (1 << up))))
    chosen += [(low, -1, 0), (low, 1 << low, 0), (high, 0, 1 << high), (high, 1, 0), (high + 2, 4, 0), (31, 0, 0)]
    if low > 0:
        chosen.append((low - 1, 0, 0))
    for z, x, y in dict.fromkeys(chosen):
        yield {"name": f"{file}: tile {z}/{x}/{y}", "do": "tile", "file": file, "z": z, "x": x, "y": y, "density": 1, "expect": tile(archive, z, x, y)}
    for z, x, y in [places[0], chosen[9], (high, 1, 0)]:
        expect = tile(dense or archive, z, x, y)
        yield {"name": f"{file}: tile {z}/{x}/{y}, @2x", "do": "tile", "file": file, "z": z, "x": x, "y": y, "density": 2, "expect": expect}


def is_settled(taps, lng, lat, zoom, key):
    """Whether places a little aside answer the same, so that no rounding decides."""
    aside = 1e-9
    return all(taps.at(lng + dx, lat + dy, zoom) == key for dx in (-aside, aside) for dy in (-aside, aside))


def tap_cases(file, turn, rows):
    """Taps on rows of the source, near them, and where nothing is."""
    taps = Taps(opened(os.path.join(HERE, file)))
    entries = taps.by_key()
    places = []
    for zoom in range(max(taps.low - 1, 0), taps.high + 3):
        for _ in range(5):
            lng, lat = rows[int(turn.next() * len(rows))]
            pixel = 360 / 256 / 2 ** min(zoom, taps.high)
            places.append((lng, lat, zoom))
            places.append((lng + turn.between(-9, 9) * pixel, lat + turn.between(-6, 6) * pixel, zoom + 0.5 * (turn.next() > 0.5)))
    places += [(0, 86, taps.high), (-30, -60, taps.high), (180, 0, taps.high)]
    keys = set()
    for lng, lat, zoom in dict.fromkeys((round(lng, 6), round(lat, 6), zoom) for lng, lat, zoom in places):
        key = taps.at(lng, lat, zoom)
        if not is_settled(taps, lng, lat, zoom, key):
            continue
        keys.add(key)
        expect = key and {"key": key, "entry": entries[key]}
        yield {"name": f"{file}: tap {lng} {lat} at {zoom}", "do": "tap", "file": file, "lng": lng, "lat": lat, "zoom": zoom, "expect": expect}
    assert len(keys) > 8 and None in keys, (file, keys)


def entry_cases(file):
    """Search by key, and the zoom and box of clusters."""
    entries = Taps(opened(os.path.join(HERE, file))).by_key()
    keys = sorted(entries)
    clusters = [key for key in keys if entries[key].get("cluster")]
    singles = [key for key in keys if key not in clusters]
    for key in singles[:: max(len(singles) // 6, 1)] + clusters[:2]:
        yield {"name": f"{file}: search {key}", "do": "search", "file": file, "key": key, "expect": entries[key]}
    for key in ("", "bm8..bm8", singles[0] + "x", singles[0][:-1]):
        yield {"name": f"{file}: search '{key}'", "do": "search", "file": file, "key": key, "expect": None}
    for key in clusters[:: max(len(clusters) // 6, 1)] + singles[:1]:
        entry = entries[key]
        expect = {"zoom": entry["expansion_zoom"], "box": entry["bbox"]} if key in clusters else None
        yield {"name": f"{file}: cluster {key}", "do": "cluster", "file": file, "key": key, "expect": expect}


def legend_case(file):
    legend = file.replace(".mbtiles", ".legend.json")
    if not os.path.exists(os.path.join(HERE, legend)):
        return {"name": f"{file}: no legend", "do": "legend", "file": file, "expect": None}
    with open(os.path.join(HERE, legend), encoding="utf-8") as text:
        value = json.load(text)
    expect = {"title": value["title"], "text": value["text"], "entries": len(value["entries"]), "image": measured(legend.replace(".json", ".png"))["sha256"]}
    return {"name": f"{file}: legend", "do": "legend", "file": file, "expect": expect}


def frames_cases(file):
    """Frames in order, and which one is shown after so many milliseconds."""
    with open(os.path.join(HERE, file), encoding="utf-8") as text:
        manifest = json.load(text)
    frames = [{key: frame[key] for key in ("time", "file", "duration", "sha256")} for frame in manifest["frames"]]
    durations = [frame["duration"] for frame in frames]
    total = sum(durations)
    shown = []
    for elapsed in (0, 1, durations[0] - 1, durations[0], total - 1, total, total + durations[0], 10 * total + 1):
        left = elapsed % total if manifest["loop"] else min(elapsed, total - 1)
        index = 0
        while left >= durations[index]:
            left -= durations[index]
            index += 1
        shown.append([elapsed, index])
    default = next(i for i, frame in enumerate(frames) if frame["time"] == manifest["default"])
    expect = {"frames": frames, "default": default, "latest": manifest["latest"], "loop": manifest["loop"], "shown": shown}
    yield {"name": f"{file}: frames", "do": "frames", "file": file, "expect": expect}
    for frame in manifest["frames"]:
        path = os.path.join(os.path.dirname(file), frame["file"])
        archive = opened(os.path.join(HERE, path))
        z, x, row = archive.execute("SELECT zoom_level, tile_column, tile_row FROM tiles ORDER BY length(tile_data) DESC, 1, 2, 3").fetchone()
        y = (1 << z) - 1 - row
        yield {"name": f"{path}: tile", "do": "tile", "file": path, "z": z, "x": x, "y": y, "density": 1, "expect": tile(archive, z, x, y)}


def verify_cases():
    files = sorted(glob.glob(os.path.join(HERE, "archives", "**", "*.mbtiles"), recursive=True))
    for path in files:
        file, archive = os.path.relpath(path, HERE), opened(path)
        root = reference.digest(archive)
        assert root == metadata(archive)["quadrille:digest"], file
        yield {"name": f"{file}: verify", "do": "verify", "file": file, "expect": {"digest": root}}
    for file in ("archives/towns.mbtiles", "archives/shapes.mbtiles"):
        with open(os.path.join(HERE, file), "rb") as content:
            data = content.read()
        blob = opened(os.path.join(HERE, file)).execute("SELECT tile_data FROM tiles ORDER BY length(tile_data)").fetchone()[0]
        inside = data.index(blob) + len(blob) // 2
        value = data.index(b"quadrille:digest") + len("quadrille:digest")
        changes = [
            ("a byte of a tile", {"flip": inside}, "damaged"), ("a digit of the digest", {"set": [value, "ff"]}, "damaged"),
            ("a byte of the file's mark", {"flip": 3}, "notAnArchive"), ("half of the file", {"truncate": len(data) // 2}, "damaged"),
            ("without its last page", {"truncate": len(data) - 4096}, "damaged"),
            ("nothing", {"truncate": 0}, "notAnArchive"),
        ]  # fmt: skip
        if data[value : value + 1] == b"f":
            changes[1][1]["set"][1] = "00"
        for name, change, error in changes:
            yield {"name": f"{file}: verify, {name}", "do": "verify", "file": file, "change": change, "error": error}
    yield {"name": "no archive", "do": "verify", "file": "vectors.json", "error": "notAnArchive"}
    yield {"name": "no file", "do": "verify", "file": "archives/nowhere.mbtiles", "error": "missing"}


def apply_cases():
    def case(name, old, new, files, **told):
        expect = {"expect": {**digests(new), "equals": new}} if new else {}
        deltas = [{"file": f"deltas/{file}.delta", "sha256": measured(f"deltas/{file}.delta")["sha256"]} for file in files]
        return {"name": f"apply: {name}", "do": "apply", "file": old, "deltas": deltas, **expect, **told}

    for old, new, name in DELTAS:
        yield case(name, old, new, [name])
    yield case("a chain", "archives/towns-1.mbtiles", "archives/towns.mbtiles", ["towns.1-2", "towns.2-3"])
    yield case("to another archive", "archives/plain-1.mbtiles", None, ["towns.1-2"], error="wrongBase")
    yield case("in the wrong order", "archives/towns-1.mbtiles", None, ["towns.2-3", "towns.1-2"], error="wrongBase")
    yield case("twice", "archives/towns-1.mbtiles", None, ["towns.1-2", "towns.1-2"], error="wrongBase")
    size = measured("deltas/towns.1-2.delta")["bytes"]
    yield case("a flipped byte", "archives/towns-1.mbtiles", None, ["towns.1-2"], change={"flip": size // 2}, error="wrongBytes")
    yield case("a truncated delta", "archives/towns-1.mbtiles", None, ["towns.1-2"], change={"truncate": size // 2}, error="wrongBytes")


def check_rows():
    """The answers of the last zoom against the rows: who is tapped on alone answers, whoever reads the archive."""
    files = {"archives/towns.mbtiles": ("towns.csv", 6, 0), "archives/shapes.mbtiles": ("dots.csv", 7, 0)}
    for file, (source, radius, _) in files.items():
        taps = Taps(opened(os.path.join(HERE, file)))
        entries, rows = taps.by_key(), csv_rows(source)
        side = 256 * 2**taps.high
        for row in rows:
            x, y = (share * side for share in world(row["lng"], row["lat"]))
            others = [other for other in rows if other is not row]
            if all(math.hypot(x - a, y - b) > 3 * radius for a, b in (pixels(other, side) for other in others)):
                assert entries[taps.at(row["lng"], row["lat"], taps.high)]["name"] == row["name"], (file, row)


def pixels(row, side):
    return tuple(share * side for share in world(row["lng"], row["lat"]))


def csv_rows(source):
    with open(os.path.join(HERE, "sources", source), encoding="utf-8") as text:
        head, *lines = text.read().splitlines()
    rows = [dict(zip(head.split(","), line.split(","))) for line in lines]
    return [{**row, "lng": float(row["lng"]), "lat": float(row["lat"])} for row in rows]


def shape_places():
    with open(os.path.join(HERE, "sources", "shapes.geojson"), encoding="utf-8") as text:
        features = json.load(text)["features"]
    corners = [feature["geometry"]["coordinates"] for feature in features]
    corners = [one[0] if isinstance(one[0][0], list) else one for one in corners]
    return [(row["lng"], row["lat"]) for row in csv_rows("dots.csv")] + [(one[0][0] + 0.033, one[0][1] + 0.01) for one in corners]


def answers():
    turn, cases = Turn(7), []
    check_rows()
    towns = [(row["lng"], row["lat"]) for row in csv_rows("towns.csv")]
    for name, places in (("towns", towns), ("shapes", shape_places()), ("plain", None)):
        file = f"archives/{name}.mbtiles"
        cases.append({"name": f"{file}: metadata", "do": "metadata", "file": file, "expect": metadata_case(file)})
        cases += tile_cases(file, turn)
        if places:
            cases += tap_cases(file, turn, places)
            cases += entry_cases(file)
        else:
            cases.append({"name": f"{file}: a tap without taps", "do": "tap", "file": file, "lng": 8.0, "lat": 47.0, "zoom": 3, "expect": None})
        cases.append(legend_case(file))
    dense = "archives/shapes@2x.mbtiles"
    cases.append({"name": f"{dense}: metadata", "do": "metadata", "file": dense, "expect": metadata_case(dense)})
    cases += tap_cases(dense, turn, shape_places())
    cases += frames_cases("archives/rain.frames.json")
    cases += verify_cases()
    cases += apply_cases()
    cases += list_cases()
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    body = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f'{{"version": {VERSION}, "cases": [\n{body}\n]}}\n'


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    file = os.path.join(HERE, "vectors.json")
    if sys.argv[1] != "--check":
        bake(os.path.abspath(sys.argv[1]))
        write(file, answers())
        return
    before = {path: open(path, "rb").read() for path in glob.glob(os.path.join(HERE, "lists", "*"))}
    told = answers()
    with open(file, encoding="utf-8") as text:
        if text.read() != told:
            sys.exit("vectors.json is not what the archives answer")
    if before != {path: open(path, "rb").read() for path in glob.glob(os.path.join(HERE, "lists", "*"))}:
        sys.exit("lists/ is not what the keys sign")
    print("the vectors are those of the documents")


if __name__ == "__main__":
    main()
