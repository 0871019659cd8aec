"""Attacks on clients: lists of a hostile server, manifests of a hostile disk, and states that were lost or written by an earlier release."""

import copy
import json
import os

import reference
from files import HERE, write

# Names that lead elsewhere than into the folder, on one system or another.
PATHS = {
    "above": "../victim.txt", "the root": "/victim.txt", "below": "a/victim.txt", "backslashes": "..\\victim.txt", "a drive": "C:victim.txt",
    "up": "..", "here": ".", "nothing": "", "hidden": ".victim", "a zero": "a\0.txt", "a line feed": "a\n.txt", "too long": "a" * 256,
}  # fmt: skip
DEEP = "[" * 3_000


class Told:
    """A good list of an archive with what a client does of it from an old state, one of a series with what it has of that, and keys."""

    def __init__(self, good, way, states, series, frames, first, second, other):
        self.good, self.way, self.series, self.frames = good, way, series, frames
        # For what is refused anyway, the shortest that have all members.
        self.short = {**good, "deltas": good["deltas"][:1]}
        self.short_series = {**series, "deltas": series["deltas"][:1], "series": {**series["series"], "frames": series["series"]["frames"][:1]}}
        self.old, self.newest = ((one["digest"], one["taps"]) for one in states)
        self.first, self.second, self.other = first, second, other

    def accepted(self, sequence=7, key=None, **plan):
        return {"expect": {**(plan or self.way), "state": {"sequence": sequence, "keys": [(key or self.first).text]}}}


def add(case, envelope, told):
    """Adds all cases of lists."""

    def signed(value, *signers):
        return envelope(value if isinstance(value, str) else line(value), *signers)

    for part in (names, keys, states, numbers, members, paths, ways, versions, ends):
        part(case, signed, told)


def line(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def changed(value, path, new):
    """A copy of a value with another member, to which the path leads; without it where that is None."""
    value = copy.deepcopy(value)
    at = value
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = new
    if new is None:
        del at[path[-1]]
    return value


def names(case, signed, told):
    """Mix and match: lists of one publisher are served in each other's place."""
    good, series = signed(told.good, told.first), signed(told.series, told.first)
    for archive in ("plain", "Towns", "towns-north", "towns@2x", "town", "towns.mbtiles", "a%2Ftowns", "towns.updates.json/plain"):
        case("good", good, archive=archive, of=f"as {archive}", error="otherArchive")
    case("unsigned", signed(told.good), trusted=(), archive="plain", of="as plain, and no keys", error="otherArchive")
    case("good", good, sequence=8, archive="plain", of="as plain, and older", error="otherArchive")
    for archive in ("snow", "towns"):
        case("series", series, archive=archive, of=f"as {archive}", error="otherArchive")
    for archive in ("%74owns", "./towns"):
        case("good", good, archive=archive, of=f"as {archive}", **told.accepted())
    address = "https://tiles.example.org/towns.updates.json?of=plain.updates.json#plain.updates.json"
    case("good", good, of="with a query", address=address, **told.accepted())
    odd = changed(told.good, ["archive", "file"], "Zürich 50 % & more.v2.mbtiles")
    case("an odd name", signed(odd, told.first), archive="Z%C3%BCrich%2050%20%25%20%26%20more.v2", **told.accepted())
    packed = changed(told.good, ["archive", "file"], "towns.pmtiles")
    case("PMTiles", signed(packed, told.first), **told.accepted())
    other = json.loads(good)
    other["list"] = json.loads(series)["list"]
    case("signatures of another list", json.dumps(other), error="badSignature")
    text = line(told.good)
    bare = {"list": text, "signatures": [{"key": told.first.id, "signature": told.first.sign(text.encode())}]}
    case("a signature of the list alone", json.dumps(bare), error="badSignature")
    older = changed(told.good, ["archive", "sha256"], told.good["deltas"][0]["sha256"])
    older["deltas"] = []
    case("a way back that the publisher goes", signed({**older, "sequence": 8}, told.first), sequence=7, **told.accepted(8, whole="towns.mbtiles"))


def state(sequence, keys, anchors=None):
    told = {"sequence": sequence, "keys": [key.text for key in keys]}
    return json.dumps(told if anchors is None else {**told, "anchors": [key.text for key in anchors]})


def keys(case, signed, told):
    """Releases of an app that bring other keys than the one that wrote the state."""
    first, second, other = told.first, told.second, told.other
    by_first, by_second, by_other, by_none = (signed(told.good, *signers) for signers in ([first], [second], [other], []))

    def app(text, remembered, of, name="good", brings=first, **wanted):
        case(name, text, remembered=remembered, keys=[brings.text], of=of, **wanted)

    for sequence in (0, 7):
        app(by_none, state(sequence, []), f"a release with keys after {sequence}", name="unsigned", error="unsigned")
    app(by_none, state(3, [], []), "a release with keys after one that knew of keys", name="unsigned", error="unsigned")
    app(by_other, state(7, []), "a release with keys", name="signed by another key", error="untrusted")
    app(by_first, state(7, []), "a release with keys", **told.accepted())
    app(by_first, state(8, []), "a release with keys and a greater number", error="replayed")
    app(by_other, state(3, [other], [other]), "a release with other keys", name="signed by another key", error="untrusted")
    app(by_first, state(3, [other], [other]), "a release with other keys", **told.accepted())
    app(by_first, state(8, [other], [other]), "a release with other keys and a greater number", error="replayed")
    new = "signed by the new key alone"
    app(by_second, state(3, [second], [first]), "after a change of keys", name=new, **told.accepted(key=second))
    app(by_first, state(3, [second], [first]), "after a change of keys", error="untrusted")
    app(by_second, state(3, [second], [other]), "a release with other keys after a change of keys", name=new, error="untrusted")


def states(case, signed, told):
    """Files of a state that are damaged: as if there were none."""
    first, text = told.first, signed(told.good)
    known = [first.text]
    lost = {
        "no file": None, "an empty file": "", "half a file": state(9, [first])[:30], "a list": "[]", "a number": "7", "deep": DEEP,
        "no keys": json.dumps({"sequence": 9}), "no number": json.dumps({"keys": [], "anchors": known}),
        "a text as number": json.dumps({"sequence": "9", "keys": known, "anchors": known}),
        "a number below 0": json.dumps({"sequence": -1, "keys": [], "anchors": []}),
        "a number beyond the limit": json.dumps({"sequence": 2**53 + 2, "keys": known, "anchors": known}),
        "a text as keys": json.dumps({"sequence": 9, "keys": first.text, "anchors": known}),
    }  # fmt: skip
    for name, file in lost.items():
        case("good", signed(told.good, first), remembered=file, keys=known, of=f"state: {name}", **told.accepted())
        case("unsigned", text, remembered=file, keys=known, of=f"state: {name}", error="unsigned")
    short = json.dumps({"sequence": 3, "keys": ["AAAA"], "anchors": known})
    case("good", signed(told.good, first), remembered=short, keys=known, of="state: a short key", **told.accepted())


def numbers(case, signed, told):
    """Replay and freeze: numbers of lists."""
    for name, number in (("below 0", -1), ("beyond the limit", 2**53 + 2), ("of a text", "7"), ("of a part", 7.5), ("of a list", [7])):
        case(f"a number {name}", signed({**told.short, "sequence": number}, told.first), error="badList")
    last = signed({**told.good, "sequence": 2**53}, told.first)
    case("the last number", last, sequence=7, **told.accepted(2**53))
    case("the last number", last, sequence=2**53, of="again", **told.accepted(2**53))
    case("good", signed(told.good, told.first), sequence=2**53, of="after the last number", error="replayed")


def members(case, signed, told):
    """Members that are missing or wrong, and texts that are no lists."""
    digest = told.good["archive"]["digest"]
    wrong = {
        "no digest": (["archive", "digest"], None), "a short digest": (["archive", "digest"], digest[:63]),
        "a digest in capitals": (["archive", "sha256"], digest.upper()), "a number as digest": (["deltas", 0, "after"], 7),
        "no file": (["deltas", 0, "file"], None), "a list as file": (["archive", "file"], ["towns.mbtiles"]),
        "deltas as object": (["deltas"], {}), "a delta that is none": (["deltas", 0], None), "no archive": (["archive"], None),
        "an archive and a series": (["series"], told.series["series"]), "a short key": (["keys"], [{"key": "AAAA"}]), "a key that is a text": (["keys"], ["AAAA"]),
    }  # fmt: skip
    for name, (path, new) in wrong.items():
        value = changed(told.short, path, new) if name != "a delta that is none" else {**told.short, "deltas": ["delta"]}
        case(f"members: {name}".replace(":", ""), signed(value, told.first), error="badList")
    twice = changed(told.short_series, ["series", "frames"], told.short_series["series"]["frames"] * 2)
    case("members a frame twice", signed(twice, told.first), archive="rain", error="badList")
    no_folder = changed(told.short_series, ["series", "folder"], None)
    case("members no folder", signed(no_folder, told.first), archive="rain", error="badList")
    good = json.loads(signed(told.short, told.first))
    case("deep", DEEP, error="badList")
    case("deep inside", json.dumps({**good, "list": DEEP}), trusted=(), error="badList")
    case("signatures that are none", json.dumps({**good, "signatures": "none"}), error="badList")
    case("half a character", json.dumps({**good, "list": good["list"] + "\ud800"}), error="badList")


def paths(case, signed, told):
    """Names that lead elsewhere, in each place where a list has one."""
    places = {
        "archive": (told.short, ["archive", "file"]), "delta": (told.short, ["deltas", 0, "file"]),
        "manifest": (told.short_series, ["series", "manifest", "file"]), "folder": (told.short_series, ["series", "folder"]),
        "frame": (told.short_series, ["series", "frames", 0, "file"]), "delta's frame": (told.short_series, ["deltas", 0, "frame"]),
    }  # fmt: skip
    everywhere = ("above", "the root", "backslashes", "a drive")
    for number, (place, (value, path)) in enumerate(places.items()):
        for turn, (name, text) in enumerate(PATHS.items()):
            if name in everywhere or turn % len(places) == number:
                archive = "rain" if "series" in value else "towns"
                case(f"path of the {place}: {name}".replace(":", "").replace("'", ""), signed(changed(value, path, text), told.first), archive=archive, error="badName")


def ways(case, signed, told):
    """Deltas that are gone from the server: the next way, and in the end the whole file."""
    good, deltas = signed(told.good, told.first), told.good["deltas"]
    gone = []
    for _ in deltas:
        _, _, way = reference.path([one for one in deltas if one["file"] not in gone], told.old, told.newest)
        gone = gone + way[:1]
        left = reference.path([one for one in deltas if one["file"] not in gone], told.old, told.newest)
        is_way = left is not None and left[0] < told.good["archive"]["bytes"]
        plan = {"deltas": left[2]} if is_way else {"whole": told.good["archive"]["file"]}
        case("good", good, without=gone, of=f"{len(gone)} gone", **told.accepted(**plan))
        if not is_way:
            break


def manifests():
    """Manifests of series whose files lie elsewhere: each is an error of the manifest."""
    with open(os.path.join(HERE, "archives", "rain.frames.json"), encoding="utf-8") as text:
        good = json.load(text)
    more = {"inside and out": "rain/../../victim.txt", "twice a slash": "rain//victim.txt", "an address": "https://example.org/victim.mbtiles"}
    others = {name: path for name, path in (PATHS | more).items() if name not in ("below", "hidden", "too long")}
    for name, path in others.items():
        for place, where in (("frame", ["frames", 1, "file"]), ("latest", ["latest"])):
            if place == "latest" and name not in ("above", "the root", "backslashes"):
                continue
            file = f"lists/{place} {name}.frames.json".replace(" ", "-")
            write(os.path.join(HERE, file), json.dumps(changed(good, where, path), indent=1) + "\n")
            yield {"name": f"frames: {place}, {name}", "do": "frames", "file": file, "error": "damaged"}


def versions(case, signed, told):
    """Second names of the archive and of earlier ones, whose content no publication changes."""
    archive, download = told.good["archive"], "towns.0123456789abcdef.mbtiles"
    value = {**told.good, "archive": {**archive, "download": download}, "earlier": [{**archive, "file": "towns.fedcba9876543210.mbtiles"}]}
    unknown = {"digest": reference.sha256(b"unknown")}
    case("a second name", signed(value, told.first), have=unknown, **told.accepted(whole=download))
    case("a second name", signed(value, told.first), of="where deltas lead there", **told.accepted())
    for member in ("archive", "earlier"):
        case(f"no {member} of a second name", signed(changed(value, ["archive", "download"] if member == "archive" else [member], None), told.first), **told.accepted())
    for number, path in enumerate((["archive", "download"], ["earlier", 0, "file"], ["earlier", 0, "download"])):
        for name in ("above", "backslashes", "a drive"):
            case(f"a second name {number} {name}", signed(changed(value, path, PATHS[name]), told.first), error="badName")
    wrong = {"a number": (["archive", "download"], 7), "no list": (["earlier"], {}), "no object": (["earlier", 0], 7), "a short digest": (["earlier", 0, "digest"], "00")}
    for name, (path, new) in wrong.items():
        case(f"a second name of {name}", signed(changed(value, path, new), told.first), error="badList")


def ends(case, signed, told):
    """Lists that are valid until an instant."""
    value = {**told.good, "expires": 1_800_000_000}
    case("an end", signed(value, told.first), of="before it", now=1_799_999_999, **told.accepted())
    case("an end", signed(value, told.first), of="at it", now=1_800_000_000, error="expired")
    case("an end", signed(value, told.first), of="after it", now=4_000_000_000, error="expired")
    case("an end", signed(value, told.first), of="after it, and older", now=4_000_000_000, sequence=8, error="replayed")
    case("an end by another key", signed(value, told.other), of="after it", trusted=(told.first,), now=4_000_000_000, error="untrusted")
    case("an end of a series", signed({**told.series, "expires": 1}, told.first), archive="rain", now=1, error="expired")
    for name, end in (("text", "2027-01-15"), ("part", 1.5), ("sign", -1), ("great", 2**53 + 2)):
        case(f"an end of {name}", signed({**told.good, "expires": end}, told.first), error="badList")
