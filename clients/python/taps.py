"""Taps as docs/taps.md describes them: UTFGrid and compact blocks."""

import functools
import itertools
import json
import math
import zlib


class QuadrilleError(Exception):
    """`kind` is one of clients/vectors/README.md: missing, notAnArchive, damaged, wrongBytes, wrongBase, badList, …"""

    def __init__(self, kind, text=""):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def inflate(data):
    stream = zlib.decompressobj()
    try:
        inflated = stream.decompress(data, 32 << 20)
    except zlib.error as error:
        raise QuadrilleError("damaged", str(error)) from error
    if not stream.eof:
        raise QuadrilleError("damaged", "taps are too long or end too early")
    return inflated


def checked(work):
    """Whatever an archive holds in place of what has to be there is an error of the archive."""

    @functools.wraps(work)
    def inner(*arguments):
        try:
            return work(*arguments)
        except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise QuadrilleError("damaged", repr(error)) from error

    return inner


def grid_key(data, x, y):
    grid = json.loads(inflate(data))
    rows, keys = grid["grid"], grid["keys"]
    code = ord(rows[int(y * len(rows))][int(x * len(rows))])
    return keys[code - (code >= 93) - (code >= 35) - 32]


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def n(self, limit=5):
        value = 0
        for place in range(limit):
            (byte,) = self.take(1)
            value |= (byte & 127) << 7 * place
            if byte < 128:
                return value
        raise QuadrilleError("damaged", "a number of taps is too long")

    def s(self, limit=5):
        value = self.n(limit)
        return -(value + 1) // 2 if value & 1 else value // 2

    def after(self, identifier, signed=False):
        """The identifier that is so much greater than another one."""
        identifier += self.s(8) if signed else self.n(8)
        if not 0 <= identifier < 1 << 53:
            raise QuadrilleError("damaged", "taps have an identifier that cannot be")
        return identifier

    def take(self, count):
        self.at += count
        if self.at > len(self.data):
            raise QuadrilleError("damaged", "taps end too early")
        return self.data[self.at - count : self.at]


class Entry:
    """The data of a feature or cluster: its key, pieces of JSON, and the identifiers of a cluster's members, None for a feature."""

    def __init__(self, numbers, identifier, first):
        if first:
            self.key, self.fields, self.more, self.members = b"", numbers.take(numbers.n())[1:-1], b"", None
            return
        self.key, self.fields, self.more = (numbers.take(numbers.n()) for _ in range(3))
        count, self.members = numbers.n(), []
        for _ in range(count - 1):
            identifier = numbers.after(identifier, signed=True)
            self.members.append(identifier)
        if count == 0:
            self.members = None

    def json(self, members):
        """The entry; `members` are those of a cluster."""
        known = self.key and b'"id":"%s"' % self.key
        listed = b"" if self.members is None else b'"members":[%s]' % b",".join(member.brief() for member in members)
        return json.loads(braced(self.fields, listed, self.more, known))

    def pieces(self):
        return self.key, self.fields, self.more

    def encoded(self, identifier):
        members = [after - before for before, after in zip([identifier, *(self.members or [])], self.members or [])]
        count = 0 if self.members is None else len(self.members) + 1
        steps = b"".join(number(2 * one if one >= 0 else -2 * one - 1) for one in members)
        return b"".join(number(len(one)) + one for one in self.pieces()) + number(count) + steps

    def brief(self):
        """The object that a cluster has in its list of members."""
        return braced(self.fields, self.key and b'"id":"%s"' % self.key)


def braced(*pieces):
    return b"{%s}" % b",".join(piece for piece in pieces if piece)


def page(data, identifier):
    """The entries of a page by their identifiers. A page of the first format begins with the first step, which is 0."""
    numbers, entries, first = Numbers(data), {}, data[:1] == b"\0"
    if not first and numbers.n() != 2:
        raise QuadrilleError("damaged", "entries of an unknown format")
    while numbers.at < len(data):
        last, identifier = identifier, numbers.after(identifier)
        if entries and identifier <= last:
            raise QuadrilleError("damaged", "the identifiers of entries do not ascend")
        entries[identifier] = Entry(numbers, identifier, first)
    return entries


def number(value):
    """A number of seven bits per byte, the lowest first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


# Where pages of entries end that a client writes: entries, bytes of their pieces, and identifiers of which one ends its page.
PAGE_ENTRIES, PAGE_BYTES, PAGE_MEAN, PAGE_LIMIT = 256, 128 << 10, 64, 16 << 20


def pages(entries):
    """The pages of entries by their identifiers, each with its first one: as the program divides them."""
    page, size = {}, 0
    for identifier, entry in sorted(entries.items()):
        added = sum(map(len, entry.pieces()))
        if size and size + added > PAGE_LIMIT:
            yield encoded(page)
            page, size = {}, 0
        page[identifier], size = entry, size + added
        if len(page) >= PAGE_ENTRIES or size >= PAGE_BYTES or identifier % PAGE_MEAN == PAGE_MEAN - 1:
            yield encoded(page)
            page, size = {}, 0
    if page:
        yield encoded(page)


def encoded(page):
    """The first identifier of a page, and its bytes before compression."""
    first = last = next(iter(page))
    data = [number(2)]
    for identifier, entry in page.items():
        data.append(number(identifier - last) + entry.encoded(identifier))
        last = identifier
    return first, b"".join(data)


class Block:
    """Compact taps of 8 × 8 tiles; everything in px from the block's north-west corner."""

    def __init__(self, data):
        numbers = Numbers(data)
        n, s = numbers.n, numbers.s
        version = n()
        if version not in (1, 2):
            raise QuadrilleError("damaged", "taps of an unknown format")
        self.tiles, self.side = int.from_bytes(numbers.take(8), "little"), n()
        # In the first format features are identifiers, in the second places in this list.
        listed = [0]
        for _ in range(n() if version == 2 else 0):
            listed.append(numbers.after(listed[-1]))
            if len(listed) > 2 and listed[-1] <= listed[-2]:
                raise QuadrilleError("damaged", "the identifiers of taps do not ascend")

        def named(feature):
            if version == 2 and not 0 <= feature < len(listed) - 1:
                raise QuadrilleError("damaged", "taps name a feature that is not listed")
            return feature if version == 1 else listed[feature + 1]

        stacks = [[(n(), n(), s(), s(), s(), s()) for _ in range(n())] for _ in range(n())]
        chosen = [n() for _ in range(n())]
        xs, ys, features = (list(itertools.accumulate(s() for _ in chosen)) for _ in range(3))
        # All symbols in drawing order: place, topmost layer, feature.
        self.symbols = [
            (x / 16, y / 16, max((print[0] for print in stacks[stack]), default=0), named(feature))
            for stack, x, y, feature in zip(chosen, xs, ys, features)
        ]
        # Their prints: layer, kind, edges, feature.
        self.prints = [
            (layer, kind, *(e / 256 + (a // 16 if kind & 2 else a / 16) for e, a in zip(edges, (ax, ay, ax, ay))), named(feature))
            for stack, ax, ay, feature in zip(chosen, xs, ys, features)
            for layer, kind, *edges in stacks[stack]
        ]
        self.shapes, tile, feature, x, y = {}, 0, 0, 0, 0
        for _ in range(n()):
            tile, kind, layer, feature = tile + n(), n(), n(), feature + s()
            half, gap = (n() / 256, n() / 256) if kind > 2 else (0, 0)
            runs = [[] for _ in range(n() if kind else 0)]
            for run in runs:
                for _ in range(n()):
                    x, y = x + s(), y + s()
                    run.append((x / 16, y / 16))
            self.shapes.setdefault(tile, []).append((layer, kind, half, gap, [run for run in runs if run], named(feature)))

    def features(self):
        """The identifiers of all that answers here."""
        return {symbol[3] for symbol in self.symbols} | {shape[5] for shapes in self.shapes.values() for shape in shapes}

    def rectangles(self):
        """Feature, layer and rectangle in tiles of each line and area, within its tile."""
        for tile, shapes in self.shapes.items():
            left, top = tile & 7, tile >> 3
            for layer, kind, _, _, runs, feature in shapes if self.tiles >> tile & 1 else []:
                xs, ys = ([vertex[axis] / self.side for run in runs for vertex in run] for axis in (0, 1))
                wide = 1 / self.side if kind == 2 else 0
                if kind == 0:
                    xs, ys = (left, left + 1), (top, top + 1)
                if xs:
                    box = max(min(xs), left), max(min(ys), top), min(max(xs) + wide, left + 1), min(max(ys) + wide, top + 1)
                    if box[0] <= box[2] and box[1] <= box[3]:
                        yield feature, layer, box

    def feature(self, tile, x, y):
        """What answers at a place in tiles from the corner; `tile` is its index in the block."""
        x, y, best, answer = x * self.side, y * self.side, (-1, 0), None
        if not self.tiles >> tile & 1:
            return None
        for layer, kind, left, top, right, bottom, feature in self.prints:
            if layer >= best[0] and left <= x < right and top <= y < bottom:
                if not kind & 1 or math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) < (right - left) / 2:
                    best, answer = (layer, 0), feature
        for layer, kind, half, gap, runs, feature in self.shapes.get(tile, []):
            rank = (layer, 2 if kind < 2 else 1 if kind == 2 else 0)
            if rank >= best and in_shape(kind, half, gap, runs, x, y):
                best, answer = rank, feature
        return answer


def in_shape(kind, half, gap, runs, x, y):
    """0 all of the tile, 1 inside of rings (even-odd), 2 a pixel, 3 and 4 near a line."""
    if kind == 1:
        return sum(crossings(run, x, y) for run in runs) % 2 == 1
    if kind == 2:
        return bool(runs) and runs[0][0][0] <= x < runs[0][0][0] + 1 and runs[0][0][1] <= y < runs[0][0][1] + 1
    if kind > 2:
        far = min((distance(run, x, y) for run in runs), default=math.inf)
        return far < half and (gap == 0 or far > gap)
    return True


def crossings(ring, x, y):
    return sum(
        (ay <= y) != (by <= y) and ax + (bx - ax) * (y - ay) / (by - ay) <= x
        for (ax, ay), (bx, by) in zip(ring[-1:] + ring, ring)
    )


def distance(run, x, y):
    least = math.hypot(run[0][0] - x, run[0][1] - y)
    for (ax, ay), (bx, by) in zip(run, run[1:]):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        share = min(max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) if length else 0
        least = min(least, math.hypot(x - ax - share * dx, y - ay - share * dy))
    return least
