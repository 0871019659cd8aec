"""The cases of packs: lists, what to download for a place, and the map of the packs that a device holds, by docs/packs.md."""

import base64
import copy
import json
import math
import os

from boxes import Shown
from files import HERE, write
from lists import Key, envelope, line
from reference import Taps, opened, tile, world

FOLDER = "packs"
FILES = ("isles-east.mbtiles", "isles-west.mbtiles", "isles-shared.mbtiles")


def touches(bounds, box):
    """Whether two boxes overlap, eastward from their west edges."""
    lengths = [360 if east - west >= 360 else (east - west) % 360 for west, _, east, _ in (bounds, box)]
    far = (box[0] - bounds[0]) % 360
    return bounds[1] < box[3] and box[1] < bounds[3] and (far < lengths[0] or far + lengths[1] > 360)


class Held:
    """The map of some packs of a list."""

    def __init__(self, told, files):
        self.told, self.regions, self.shared = told, told["packs"], told.get("shared")
        self.all = self.regions + ([self.shared] if self.shared else [])
        self.held = [pack for pack in self.all if pack["file"] in files]
        self.last = max(pack["maxzoom"] for pack in self.all)
        self.first = min(pack["minzoom"] for pack in self.regions)
        self.archives = {pack["file"]: opened(os.path.join(HERE, FOLDER, pack["file"])) for pack in self.held}

    def chosen(self, box):
        packs = [pack for pack in self.regions if touches(pack["bounds"], box)]
        wanted = packs + ([self.shared] if self.shared else [])
        return {"packs": [pack["file"] for pack in packs], "bytes": sum(pack["bytes"] for pack in wanted if pack not in self.held)}

    def owner(self, z, x, y):
        """The file that shows a tile, and the zoom of the tile of it."""
        if not (0 <= x < 1 << z and 0 <= y < 1 << z):
            return None
        for zoom in range(min(z, self.last), -1, -1):
            column, row = x >> z - zoom, y >> z - zoom
            for pack in self.held:
                if pack["minzoom"] <= zoom <= pack["maxzoom"] and tile(self.archives[pack["file"]], zoom, column, row):
                    return pack["file"], zoom
            north, south = (math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * edge / (1 << zoom))))) for edge in (row, row + 1))
            box = column / (1 << zoom) * 360 - 180, south, (column + 1) / (1 << zoom) * 360 - 180, north
            regions = [pack for pack in self.regions if touches(pack["bounds"], box)] if zoom >= self.first else []
            if any(pack in self.held for pack in regions) or (not regions and (self.shared is None or self.shared in self.held)):
                return None
        return None

    def tile(self, z, x, y):
        found = self.owner(z, x, y)
        if found is None:
            return None
        up = z - found[1]
        told = tile(self.archives[found[0]], found[1], x >> up, y >> up)
        mask = (1 << up) - 1
        return {**told, "file": found[0], "part": [(x & mask) / 2**up, (y & mask) / 2**up, 2.0**-up]}

    def tap(self, lng, lat, zoom):
        z = min(math.floor(zoom), self.last)
        found = self.owner(z, *(math.floor(share * (1 << z)) for share in world(lng, lat)))
        taps = found and Taps(self.archives[found[0]])
        key = taps and taps.at(lng, lat, found[1])
        return key and {"key": key, "entry": taps.by_key()[key]}

    def search(self, key):
        return next((entries[key] for entries in (Taps(self.archives[pack["file"]]).by_key() for pack in self.held) if key in entries), None)

    def entries(self, box, zoom, limit):
        z = min(math.floor(zoom), self.last)
        files = [f"{FOLDER}/{pack['file']}" for pack in self.held if pack["minzoom"] <= z <= pack["maxzoom"]]
        return Shown(*files).entries(box, z, limit) if files else []


def pack_cases(turn):
    first, other, second = Key("first"), Key("other"), Key("second")
    with open(os.path.join(HERE, FOLDER, "isles.packs.json"), encoding="utf-8") as text:
        told = json.loads(json.load(text)["list"])
    good = f"{FOLDER}/isles.packs.json"
    yield from list_cases(told, first, other, second)
    for held in (FILES, FILES[::2], FILES[1:2], FILES[2:], ()):
        have = Held(told, held)
        base = {"list": good, "held": list(held)}
        name = "packs: " + (", ".join(file[6:-8] for file in held) or "none")
        for box in ([178, -17, 178, -17], [-179, -18, 170, -17], [170, -24, 175, -20], [0, 0, 10, 10], [-180, -90, 180, 90], [158, -17, 160, -10]):
            yield {"name": f"{name}: choice of {box}", "do": "packChoice", **base, "box": box, "expect": have.chosen(box)}
        if not held:
            continue
        places = {(0, 0, 0), (3, 7, 4), (3, 4, 4), (7, 0, 70), (7, 124, 62), (8, 254, 140), (31, 0, 0), (4, -1, 0), (5, 32, 3)}
        for file in FILES:
            rows = opened(os.path.join(HERE, FOLDER, file)).execute("SELECT zoom_level, tile_column, tile_row FROM tiles ORDER BY 1, 2, 3").fetchall()
            for _ in range(3):
                z, x, row = rows[int(turn.next() * len(rows))]
                up = int(turn.next() * 3)
                x, y = ((one << up) + int(turn.next() * (1 << up)) for one in (x, (1 << z) - 1 - row))
                places.add((z + up, x, y))
        for z, x, y in sorted(places):
            yield {"name": f"{name}: tile {z}/{x}/{y}", "do": "packTile", **base, "z": z, "x": x, "y": y, "expect": have.tile(z, x, y)}
        shown = [one for zoom in (2, 4, 5, 7) for one in Held(told, FILES).entries([150, -40, 200, 20], zoom, 40)[:: 9 if zoom == 7 else 3]]
        for one in shown:
            lng, lat, zoom = one["lng"] + 0.0001, one["lat"] + 0.0001, int(turn.next() * 8)
            yield {"name": f"{name}: tap {one['key']} at {zoom}", "do": "packTap", **base, "lng": lng, "lat": lat, "zoom": zoom, "expect": have.tap(lng, lat, zoom)}
        for one in shown[::4]:
            yield {"name": f"{name}: search {one['key']}", "do": "packSearch", **base, "key": one["key"], "expect": have.search(one["key"])}
        for box, zoom in (([170, -20, -178, -15], 7), ([160, -24, 180, -16], 6), ([-180, -85, 180, 85], 3), ([-180, -85, 180, 85], 4), ([172, -20, 176, -16], 9)):
            expect = have.entries(box, zoom, 12)
            yield {"name": f"{name}: box {box} at {zoom}", "do": "packEntries", **base, "box": box, "zoom": zoom, "limit": 12, "expect": expect}


def list_cases(told, first, other, second):
    """Lists that are taken or refused, written into `packs`."""

    def case(name, text, error=None, trusted=(first,), sequence=0, archive="isles", keys=None, of="", **more):
        file = f"{FOLDER}/lists/{name.replace(' ', '-')}.packs.json"
        write(os.path.join(HERE, file), text)
        state = {"sequence": sequence, "keys": [key.text for key in trusted]}
        base = {"name": f"packs: {name}{of and ', ' + of}", "do": "packList", "list": file, "address": f"https://tiles.example.org/{archive}.packs.json", "state": state, **more}
        if error:
            return {**base, "error": error}
        value = json.loads(json.loads(text)["list"])
        files = [pack["file"] for pack in value["packs"]] + ([value["shared"]["file"]] if "shared" in value else [])
        after = {"sequence": value["sequence"], "keys": [key.text for key in keys or trusted]}
        return {**base, "expect": {"files": files, "state": after}}

    def changed(**members):
        return envelope(line({**told, **members}), first)

    def pack(**members):
        value = copy.deepcopy(told)
        value["packs"][0].update(members)
        return envelope(line(value), first)

    text = envelope(line(told), first)
    yield case("a good list", text)
    yield case("a list without keys", envelope(line(told)), trusted=())
    yield case("a list that is not signed", envelope(line(told)), "unsigned")
    yield case("a list by another key", envelope(line(told), other), "untrusted")
    yield case("a changed list", text.replace("isles-east.mbtiles", "isles-eest.mbtiles"), "badSignature")
    yield case("the list of another archive", text, "otherArchive", archive="aisles")
    yield case("an older list", text, "replayed", sequence=4)
    yield case("the same list again", text, sequence=3)
    yield case("a list with new keys", changed(keys=[{"key": second.text}]), keys=(second,))
    yield case("a list with a key that is none", changed(keys=[{"key": base64.b64encode(b"short").decode()}]), "badList")
    yield case("a list for a newer client", changed(minimumClient=3), "clientTooOld")
    yield case("another format of packs", changed(format=2), "badList")
    yield case("a list of updates", envelope(line({**told, "packs": None, "deltas": []}), first), "badList")
    yield case("packs with second names", pack(download="isles-east.0123456789abcdef.mbtiles"))
    yield case("a bad second name of a pack", pack(download="isles-east.json"), "badName")
    yield case("a second name that is none", pack(download=["isles-east.mbtiles"]), "badList")
    yield case("packs with an end", changed(expires=1_800_000_000), of="before it", now=1_799_999_999)
    yield case("packs with an end", changed(expires=1_800_000_000), "expired", of="at it", now=1_800_000_000)
    yield case("a list of no packs", changed(packs=[]))
    yield case("a list without the shared pack", envelope(line({name: value for name, value in told.items() if name != "shared"}), first))
    for number, name in enumerate(("../isles-east.mbtiles", "a/b.mbtiles", ".hidden.mbtiles", "C:a.mbtiles", "isles.update-state.json", "isles-east")):
        yield case(f"a bad name of a pack {number}", pack(file=name), "badName")
    wrong = [
        {"file": "isles-west.mbtiles"}, {"minzoom": 8}, {"maxzoom": 31}, {"bytes": -1}, {"sha256": "00"}, {"digest": None}, {"taps": "x"}, {"name": 7},
        {"bounds": [1, 2, 3]}, {"bounds": [1, 2, 3, "4"]}, {"bounds": [1, 2, 3, 361]}, {"minzoom": True},
    ]  # fmt: skip
    for number, members in enumerate(wrong):
        yield case(f"a wrong member of a pack {number}", pack(**members), "badList")
