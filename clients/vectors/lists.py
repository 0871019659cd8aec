"""Signed lists of updates with what a client does of them, from the protocol in docs/updates.md and by the openssl program."""

import base64
import hashlib
import json
import os
import tempfile

import attacks
import reference
from files import DELTAS, HERE, digests, measured, run, write
from reference import sha256


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
    frame = "1015Z.mbtiles"
    deltas = [made_up("1015Z.delta", 70, old, two, frame=frame), made_up("other.delta", 1, sha256(b"old three"), three, frame=frame)]
    manifest = {"file": "rain.frames.json", "bytes": 900, "sha256": sha256(b"manifest")}
    value = {"format": 1, "minimumClient": 1, "sequence": 3, "series": {"folder": "rain", "manifest": manifest, "frames": frames}, "deltas": deltas}
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

    def case(name, text, trusted=(first,), sequence=0, have=None, archive="towns", of="", **told):
        file = f"lists/{name.replace(',', '').replace(' ', '-')}.updates.json"
        write(os.path.join(HERE, file), text)
        state = {} if "remembered" in told else {"state": {"sequence": sequence, "keys": [key.text for key in trusted]}}
        has = {} if "error" in told else {"have": have or old}
        address = f"https://tiles.example.org/maps/{archive}.updates.json"
        cases.append({"name": f"list: {name}{of and ', ' + of}", "do": "plan", "list": file, "address": address, **state, **has, **told})

    def accepted(sequence=7, keys=(first,), **plan):
        return {"expect": {**plan, "state": {"sequence": sequence, "keys": [key.text for key in keys]}}}

    whole = {"whole": good["archive"]["file"]}
    found = reference.path(good["deltas"], (old["digest"], old["taps"]), (newest["digest"], newest["taps"]))
    way = {"deltas": found[2]} if found[0] < good["archive"]["bytes"] else whole
    steps = accepted(**way)
    text = line(good)
    case("good", envelope(text, first), **steps)
    case("good, the same sequence", envelope(text, first), sequence=7, **steps)
    case("nothing new", envelope(text, first), have=newest, **accepted(deltas=[]))
    unknown = {"digest": sha256(b"unknown"), "taps": sha256(b"unknown")}
    case("no chain from this archive", envelope(text, first), have=unknown, **accepted(**whole))
    case("other taps", envelope(text, first), have={**old, "taps": sha256(b"other")}, **accepted(**whole))
    case("unsigned", envelope(text), error="unsigned")
    case("unsigned, and no keys", envelope(text), trusted=(), **accepted(keys=(), **way))
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
    case("a newer client needed", envelope(line({**good, "minimumClient": 3, "archive": "unheard of"}), first), error="clientTooOld")
    case("a client of compact taps needed", envelope(line({**good, "minimumClient": 2}), first), **accepted(deltas=["towns.1-3.delta"]))
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
    case("keys that rotate", envelope(rotation, first), **accepted(keys=(first, second), **way))
    case("signed by the new key alone, not yet trusted", envelope(text, second), error="untrusted")
    case("signed by the new key alone", envelope(text, second), trusted=(first, second), **accepted(keys=(first, second), **way))
    last = line({**good, "keys": [{"key": second.text}], "sequence": 9})
    case("the old key retires", envelope(last, first, second), trusted=(first, second), **accepted(9, (second,), **way))
    case("keys of an unsigned list are not taken", envelope(rotation), trusted=(), **accepted(keys=(), **way))
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
        case("choices", envelope(line(value), first), have={"digest": names[name]}, archive="z", of=f"from {name}", **accepted(1, **answer))
    value, have, plan = series_list()
    case("series", envelope(line(value), first), sequence=2, have={"frames": have}, archive="rain", **accepted(3, **plan))
    attacks.add(case, envelope, attacks.Told(good, way, (old, newest), value, {"frames": have}, first, second, other))
    return cases
