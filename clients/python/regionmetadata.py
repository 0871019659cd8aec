"""The metadata of a region: those of its archive without what describes a whole build, as `quadrille extract` keeps them."""

import hashlib
import json
import math

ORIGIN = "quadrille:extract"
# Names that are written anew, or that a part of an archive does not have.
OWN = ("bounds", "center", "minzoom", "maxzoom", "agg_tiles_hash", "scheme")
MAX_LATITUDE, MAX_ZOOM = 85.05112877980659, 22


class Region:
    """A box, zooms, and the state of the archive that they were taken from."""

    def __init__(self, box, zooms, archive):
        self.box = [float(edge) for edge in box]
        self.minzoom, self.maxzoom = (min(max(zoom, 0), MAX_ZOOM) for zoom in zooms)
        self.digest, self.taps = archive["digest"], archive.get("taps")

    @staticmethod
    def read(told):
        """The region that an archive's metadata tell; None where they tell none."""
        try:
            one = json.loads(told[ORIGIN])
            region = Region(one["box"], (one["minzoom"], one["maxzoom"]), one)
            are_zooms = type(one["minzoom"]) is type(one["maxzoom"]) is int and 0 <= one["minzoom"] <= one["maxzoom"] <= MAX_ZOOM
            is_right = are_zooms and len(region.box) == 4 and isinstance(region.digest, str)
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
            return None
        return region if is_right else None

    def state(self):
        return self.digest, self.taps

    def of(self, archive):
        """The same region of another archive."""
        return Region(self.box, (self.minzoom, self.maxzoom), archive)

    def text(self, name):
        """JSON with its members in the order of their names, and numbers in the fewest digits."""
        edges = ",".join(repr(edge).removesuffix(".0") for edge in self.box)
        told = {"digest": self.digest, "maxzoom": self.maxzoom, "minzoom": self.minzoom}
        told |= {key: value for key, value in (("name", name), ("taps", self.taps)) if value is not None}
        return f'{{"box":[{edges}],{json.dumps(told, ensure_ascii=False, separators=(",", ":"))[1:]}'


def metadata(source, region, state, extents):
    """All rows, (name, value): `source` are those of the archive, `state` the digests of the region, and `extents` its tiles at each zoom."""
    told = dict(reversed(source))
    west, south, east, north = box = bounds(told, region, extents)
    zooms = extents[0][0], extents[-1][0]
    rows = [(name, value) for name, value in source if name not in OWN and not name.startswith("quadrille:")]
    rows += [("bounds", ",".join(map(degrees, box))), ("center", center(told, box, zooms))]
    rows += [("minzoom", str(zooms[0])), ("maxzoom", str(zooms[1])), ("quadrille:digest", state[0])]
    rows += [(name, told[name]) for name in ("quadrille:version",) if name in told]
    rows.append((ORIGIN, region.text(told.get("name"))))
    rows += [("quadrille:taps", state[1])] if state[1] is not None else []
    seal = hashlib.sha256()
    for text in (text for row in rows if row[0] != "quadrille:digest" for text in row):
        seal.update(b"%d:%s" % (len(text.encode()), text.encode()))
    return [*rows, ("quadrille:seal", seal.hexdigest())]


def bounds(told, region, extents):
    """The part of the archive's bounds that is in the region, or a larger box that reaches into each tile: readers ask for no others."""
    west, south, east, north = region.box
    if west > east or east > 180 or west < -180:
        west, east = -180.0, 180.0
    stored = list(map(number, told.get("bounds", "").split(",")))
    if len(stored) == 4 and None not in stored:
        part = max(west, stored[0]), max(south, stored[1]), min(east, stored[2]), min(north, stored[3])
        if part[0] <= part[2] and part[1] <= part[3]:
            west, south, east, north = part
    south, north = (min(max(edge, -MAX_LATITUDE), MAX_LATITUDE) for edge in (south, north))
    for zoom, first, last, above, below in extents:
        n = 1 << zoom
        # A quarter of a tile is enough to reach into it.
        west = min(west, (first + 0.75) / n * 360 - 180)
        east = max(east, (last + 0.25) / n * 360 - 180)
        north = max(north, latitude((above + 0.75) / n))
        south = min(south, latitude((below + 0.25) / n))
    return west, south, east, north


def center(told, box, zooms):
    west, south, east, north = box
    place = (west + east) / 2, (south + north) / 2
    numbers = [one for one in map(number, told.get("center", "").split(",")) if one is not None]
    if len(numbers) >= 2 and west <= numbers[0] <= east and south <= numbers[1] <= north:
        place = numbers[0], numbers[1]
    wide, zoom = max((east - west) / 360, share(south) - share(north)), 0
    while zoom < MAX_ZOOM and wide * (256 << zoom + 1) <= 1024:
        zoom += 1
    return f"{degrees(place[0])},{degrees(place[1])},{min(max(zoom, zooms[0]), zooms[1])}"


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def share(lat):
    """The place of a latitude on the square of Web Mercator, from 0 in the north to 1."""
    sine = math.sin(min(max(lat, -MAX_LATITUDE), MAX_LATITUDE) * (math.pi / 180))
    return min(max(0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi), 0.0), math.nextafter(1, 0))


def latitude(y):
    return math.atan(math.sinh(math.pi * (1 - 2 * y))) * 180 / math.pi


def degrees(value):
    """Degrees with at most seven decimals."""
    units = math.floor(abs(value) * 1e7 + 0.5)
    text = f"{units // 10**7}.{units % 10**7:07}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 and units else text
