"""The plan of the generated city: blocks between streets, and the bending that makes a map of it.

A square is divided again and again, across its longer side, until a block is small enough; the smaller, the nearer to the
centre. Each cut is a street, of a class that follows from its depth. Everything is planned in metres on a straight plane and
bent by sines afterwards, so neighbours stay neighbours.
"""
import math
from dataclasses import dataclass

# the city fills one tile of z10, so that z11 to z14 have 4, 16, 64 and 256 tiles
ZOOM, COLUMN, ROW = 10, 550, 335
CIRCUMFERENCE = 40_075_016.686
HALF = CIRCUMFERENCE / 2**ZOOM / 2 - 600  # half a side; bending moves a place by 580 m at most

# class and kept distance of the buildings for each depth of a cut
CLASSES = (
    ("motorway", 26), ("motorway", 26), ("trunk", 22), ("trunk", 22), ("primary", 18), ("primary", 18), ("primary", 18),
    ("secondary", 15), ("secondary", 15), ("tertiary", 13), ("tertiary", 13))
STEP = 90  # metres between two vertices of a bent line


@dataclass
class Street:
    """A straight cut in the plan."""

    ends: tuple
    kind: str
    depth: int
    vertical: bool


@dataclass
class Block:
    """A rectangle without a street inside."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self):
        return ((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    @property
    def size(self):
        return (self.right - self.left, self.bottom - self.top)

    def inset(self, by):
        return Block(self.left + by, self.top + by, self.right - by, self.bottom - by)


def block_side(x, y):
    """The side of the largest block at a place, in metres."""
    return 210 + 0.055 * max(0, math.hypot(x, y) - 1500)


def plan(random):
    """The streets and the blocks of the city."""
    streets, blocks = [], []
    open_blocks = [(Block(-HALF, -HALF, HALF, HALF), 0)]
    while open_blocks:
        block, depth = open_blocks.pop()
        width, height = block.size
        if max(width, height) <= block_side(*block.middle):
            blocks.append(block)
            continue
        share = random.uniform(0.36, 0.64)
        kind = CLASSES[depth][0] if depth < len(CLASSES) else random.choices(("minor", "service", "path"), (12, 2, 1))[0]
        if width >= height:
            x = block.left + share * width
            streets.append(Street(((x, block.top), (x, block.bottom)), kind, depth, True))
            parts = Block(block.left, block.top, x, block.bottom), Block(x, block.top, block.right, block.bottom)
        else:
            y = block.top + share * height
            streets.append(Street(((block.left, y), (block.right, y)), kind, depth, False))
            parts = Block(block.left, block.top, block.right, y), Block(block.left, y, block.right, block.bottom)
        open_blocks += [(part, depth + 1) for part in parts]
    return streets, blocks


def bent(point):
    """A place of the plan in Mercator metres from the centre."""
    x, y = point
    u = x + 160 * math.sin(y / 900) + 420 * math.sin(y / 3100 + 1)
    v = y + 140 * math.sin(x / 800 + 2) + 380 * math.sin(x / 2700)
    return u, v


def degrees(point):
    """Longitude and latitude of a place of the plan, to 1e-7 degrees."""
    u, v = bent(point)
    n = 2**ZOOM
    x = (COLUMN + 0.5) / n + u / CIRCUMFERENCE
    y = (ROW + 0.5) / n + v / CIRCUMFERENCE
    latitude = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))
    return (round(x * 360 - 180, 7), round(latitude, 7))


def path(points, step=STEP):
    """The bent line through some places, with a vertex every `step` metres."""
    out = []
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        count = max(1, math.ceil(math.hypot(bx - ax, by - ay) / step))
        out += [degrees((ax + (bx - ax) * i / count, ay + (by - ay) * i / count)) for i in range(count)]
    return out + [degrees(points[-1])]


def ring(points, step=STEP):
    """The bent closed ring around some places."""
    return path([*points, points[0]], step)


def rectangle(block, step=STEP):
    return ring([
        (block.left, block.top), (block.right, block.top), (block.right, block.bottom), (block.left, block.bottom)], step)
