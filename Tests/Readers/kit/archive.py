"""Our own reading of an archive: tiles decoded by Pillow, put together to the picture that a reader must show."""

import io
import sqlite3

import numpy as np
from PIL import Image


class Archive:
    """An MBTiles archive, opened read-only."""

    def __init__(self, path):
        self.path = str(path)
        self.database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, check_same_thread=False)
        self.metadata = dict(self.database.execute("SELECT name, value FROM metadata"))
        self.density = int(self.metadata.get("scale", "1"))
        self.side = 256 * self.density

    def bytes(self, z, x, y):
        """The stored image of a tile, rows counted southward, or None."""
        row = self.database.execute(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
            (z, x, (1 << z) - 1 - y),
        ).fetchone()
        return row and row[0]

    def pixels(self, z, x, y):
        """A tile as RGBA with straight alpha; a missing one is transparent."""
        data = self.bytes(z, x, y)
        if data is None:
            return np.zeros((self.side, self.side, 4), np.uint8)
        image = Image.open(io.BytesIO(data)).convert("RGBA")
        assert image.size == (self.side, self.side), f"{self.path} {z}/{x}/{y} is {image.size}"
        return np.asarray(image)

    def tiles(self):
        """(z, x, y southward, data) of every tile."""
        rows = self.database.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
        for z, x, row, data in rows:
            yield z, x, (1 << z) - 1 - row, data

    def richest(self, z):
        """The tile of a zoom that has the most bytes: something is to be seen there."""
        x, row = self.database.execute(
            "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?"
            " ORDER BY length(tile_data) DESC, tile_column, tile_row LIMIT 1",
            (z,),
        ).fetchone()
        return x, (1 << z) - 1 - row


class View:
    """Two by two tiles of one zoom (of zoom 0 the one tile): the richest tile with its richest neighbours."""

    def __init__(self, archive, zoom):
        self.archive, self.zoom = archive, zoom
        self.across = 1 if zoom == 0 else 2
        x, y = archive.richest(zoom)
        last = (1 << zoom) - self.across
        corners = [(x - i, y - j) for i in range(self.across) for j in range(self.across)]
        corners = [(x, y) for x, y in corners if 0 <= x <= last and 0 <= y <= last]
        self.x, self.y = max(corners, key=self.weight)

    def weight(self, corner):
        """The bytes of the tiles of a view, by its tile in the north-west."""
        self.x, self.y = corner
        return sum(len(self.archive.bytes(self.zoom, x, y) or b"") for x, y in self.tiles)

    @property
    def tiles(self):
        return [(x, y) for y in range(self.y, self.y + self.across) for x in range(self.x, self.x + self.across)]

    @property
    def size(self):
        """The side in CSS px, at 256 of them a tile."""
        return 256 * self.across

    @property
    def center(self):
        """Longitude and latitude of the middle."""
        return place(self.zoom, self.x + self.across / 2, self.y + self.across / 2)

    @property
    def mercator(self):
        """West, south, east and north in metres of EPSG:3857."""
        half, side = 20037508.342789244, 2 * 20037508.342789244 / (1 << self.zoom)
        return (
            self.x * side - half,
            half - (self.y + self.across) * side,
            (self.x + self.across) * side - half,
            half - self.y * side,
        )

    @property
    def within_bounds(self):
        """Whether all of it lies within the archive's bounds."""
        west, south, east, north = (float(part) for part in self.archive.metadata["bounds"].split(","))
        (left, top), (right, bottom) = (place(self.zoom, self.x + i, self.y + i) for i in (0, self.across))
        return west <= left and right <= east and south <= bottom and top <= north

    def rgba(self):
        side = self.archive.side
        whole = np.zeros((side * self.across, side * self.across, 4), np.uint8)
        for x, y in self.tiles:
            top, left = (y - self.y) * side, (x - self.x) * side
            whole[top : top + side, left : left + side] = self.archive.pixels(self.zoom, x, y)
        return whole

    def over(self, background):
        """The picture over a colour, RGB."""
        return over(self.rgba(), background)


def place(z, x, y):
    """Longitude and latitude of a corner in tiles of zoom z."""
    n = np.pi * (1 - 2 * y / (1 << z))
    return x / (1 << z) * 360 - 180, float(np.degrees(np.arctan(np.sinh(n))))


def over(rgba, background):
    """Straight RGBA over an opaque colour: RGB, rounded to the nearest."""
    alpha = rgba[..., 3:].astype(np.float64) / 255
    return np.floor(rgba[..., :3] * alpha + np.array(background) * (1 - alpha) + 0.5).astype(np.uint8)
