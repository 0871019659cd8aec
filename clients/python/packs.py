"""Packs as docs/packs.md describes them: the regions of an archive that a device holds, with what they share, as one map."""

import glob
import json
import math
import os
import urllib.error
import urllib.parse

import client
import updates
from boxes import degrees, tiles
from quadrille import Archive, entries, sets
from taps import checked

LIST = ".packs.json"


class PackSet:
    """The packs in the folder of a list, `NAME.packs.json`; the list itself comes with `refresh`, and is there from then on."""

    def __init__(self, path):
        self.path, self.folder, self.told, self.archives = path, os.path.dirname(path), {"packs": []}, {}
        self.name = os.path.basename(path)[: -len(LIST)]
        if os.path.exists(path):
            with open(path, "rb") as file:
                # What was stored was checked when it came, and shows the packs here whatever its end.
                self.told = updates.check_packs(file.read(updates.LIST_LIMIT + 1), updates.remembered(None, ()), self.name, 0)[0]

    @property
    def packs(self):
        """All packs of the list, the one that all need last."""
        return self.told["packs"] + ([self.told["shared"]] if "shared" in self.told else [])

    def within(self, box):
        """The packs of regions whose bounds touch a box; of a place (lng, lat) that of (lng, lat, lng, lat)."""
        return [pack for pack in self.told["packs"] if touches(pack["bounds"], box)]

    def at(self, lng, lat):
        return self.within((lng, lat, lng, lat))

    def is_held(self, pack):
        return os.path.exists(self.file(pack))

    def file(self, pack):
        return os.path.join(self.folder, pack["file"])

    def missing(self, packs):
        """The packs to download for some packs: themselves and the shared one, unless they are there."""
        wanted = packs + ([self.told["shared"]] if "shared" in self.told else [])
        return [pack for pack in self.packs if pack in wanted and not self.is_held(pack)]

    def size(self, packs):
        """The bytes to download for some packs."""
        return sum(pack["bytes"] for pack in self.missing(packs))

    # Downloads

    def refresh(self, address, keys=()):
        """Takes the list at an address; whether it is new. `keys` are as of `client.update`."""
        told, data = client.accepted(self.path, address, keys, updates.check_packs, LIST)
        is_new = told != self.told
        if is_new:
            client.write(self.path, data)
            self.told = told
        return is_new

    def fetch(self, address, packs, progress=None):
        """Downloads what is missing for some packs; `progress` hears the bytes so far, and all of them."""
        missing, done = self.missing(packs), 0
        size = sum(pack["bytes"] for pack in missing)
        for pack in missing:
            heard = progress and (lambda count, before=done: progress(before + count, size))
            self.replace(pack, client.fetched(address, pack, self.folder, progress=heard))
            done += pack["bytes"]

    def update(self, address, keys=()):
        """Brings the packs that are there up to the list at an address, by deltas where they have lists of these, and removes those that
        are gone; the files that changed."""
        self.refresh(address, keys)
        changed = []
        for pack in filter(self.is_held, self.packs):
            has = client.metadata(self.file(pack))
            if (has.get("quadrille:digest"), has.get("quadrille:taps")) == (pack["digest"], pack.get("taps")):
                continue
            own = urllib.parse.urljoin(address, "./" + urllib.parse.quote(updates.stem(pack["file"]) + updates.LIST))
            try:
                client.update(self.file(pack), own, keys)
                self.archives.pop(pack["file"], None)
            except urllib.error.HTTPError as error:
                if not 400 <= error.code < 500:
                    raise
                self.replace(pack, client.fetched(address, pack, self.folder))
            changed.append(pack["file"])
        listed = {pack["file"] for pack in self.packs}
        for path in glob.glob(os.path.join(glob.escape(self.folder), glob.escape(self.name) + "-*.mbtiles")):
            file = os.path.basename(path)
            if file not in listed and is_pack(path, self.told["archive"]["file"]):
                self.remove({"file": file})
                changed.append(file)
        return changed

    def replace(self, pack, part):
        new = self.file(pack) + ".new"
        os.replace(part, new)
        client.swap(self.file(pack), client.proved(new, pack))
        client.clean([self.file(pack) + ".previous"])
        self.archives.pop(pack["file"], None)

    def remove(self, pack):
        """Removes a pack from the device."""
        path = self.file(pack)
        self.archives.pop(pack["file"], None)
        client.clean([path, f"{path}.previous", f"{path}.part", f"{updates.stem(path)}.update-state.json", *client.left(path)])

    # The map

    def open(self, pack):
        if pack["file"] not in self.archives:
            self.archives[pack["file"]] = Archive(self.file(pack))
        return self.archives[pack["file"]]

    def at_zoom(self, z):
        """The packs that are there and have a zoom."""
        return [pack for pack in self.packs if pack["minzoom"] <= z <= pack["maxzoom"] and self.is_held(pack)]

    @property
    def maxzoom(self):
        return max((pack["maxzoom"] for pack in self.packs), default=-1)

    def shown(self, z, x, y):
        """(pack, (z, x, y)): what shows a tile: a pack, the shared one, or the nearest parent of it where the region is not there."""
        if not (self.maxzoom >= 0 <= z and 0 <= x < 1 << z and 0 <= y < 1 << z):
            return None
        first = min((pack["minzoom"] for pack in self.told["packs"]), default=self.maxzoom + 1)
        has_rest = "shared" not in self.told or self.is_held(self.told["shared"])
        for up in range(max(z - self.maxzoom, 0), z + 1):
            place = z - up, x >> up, y >> up
            for pack in self.at_zoom(place[0]):
                if self.open(pack).tile(*place):
                    return pack, place
            regions = self.within(tile_box(*place)) if place[0] >= first else []
            # Where the region is there, or none is, nothing is shown.
            if any(map(self.is_held, regions)) or not regions and has_rest:
                return None
        return None

    @checked
    def tile(self, z, x, y):
        """(file, (stored z, x, y), (left, top, side), bytes) as of `Archive.tile`; None for nothing."""
        found = self.shown(z, x, y)
        if found is None:
            return None
        pack, place = found
        side, mask = 2.0 ** (place[0] - z), (1 << z - place[0]) - 1
        return pack["file"], place, ((x & mask) * side, (y & mask) * side, side), self.open(pack).tile(*place)[2]

    @checked
    def tap(self, lng, lat, zoom):
        """The entry of what the tiles show at a place."""
        z = min(math.floor(zoom), self.maxzoom)
        if z < 0 or abs(lat) >= 90:
            return None
        found = self.shown(z, *map(math.floor, tiles(lng, lat, z)))
        return found and self.open(found[0]).tap(lng, lat, found[1][0])

    def search(self, key):
        """The entry of a key."""
        return next(filter(None, (self.open(pack).search(key) for pack in self.packs if self.is_held(pack))), None)

    @checked
    def entries(self, box, zoom, limit=1000):
        """What the packs that have the zoom show in a box, as of `Archive.entries`."""
        z = min(math.floor(zoom), self.maxzoom)
        return entries([self.open(pack) for pack in self.at_zoom(z)], box, z, limit)

    def changes(self, from_zoom, to_zoom, box, limit=1000):
        return sets(self.entries(box, from_zoom, limit), self.entries(box, to_zoom, limit))


def touches(bounds, box):
    """Whether boxes (west, south, east, north) touch by more than an edge."""
    wide, span = ((one[2] - one[0]) % 360 if one[2] - one[0] < 360 else 360 for one in (bounds, box))
    far = (box[0] - bounds[0]) % 360
    return box[1] < bounds[3] and box[3] > bounds[1] and (far < wide or far + span > 360)


def tile_box(z, x, y):
    (west, north), (east, south) = degrees(x, y, z), degrees(x + 1, y + 1, z)
    return west, south, east, north


def is_pack(path, archive):
    try:
        return json.loads(client.metadata(path).get("quadrille:pack", "{}")).get("archive") == archive
    except (AttributeError, ValueError):
        return False
