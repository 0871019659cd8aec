"""Regions cut on the device as docs/updates.md describes them: a part of an archive, fetched by ranges and kept up to date by its list."""

import contextlib
import math
import os
import shutil
import sqlite3
import urllib.error
import zlib

import client
import inplace
import updates
from quadrille import TILES, Archive, digest, opened, quadkey, taps_digest
from regionmetadata import Region, metadata, share
from remote import Remote
from taps import Block, QuadrilleError, checked, inflate, page, pages

# The most squares of 8 × 8 tiles of a region.
SQUARE_LIMIT = 1 << 20
SIDE = 8


def fetch(path, address, box, zooms, keys=(), progress=None):
    """Makes an archive at `path` of a part of the one whose list is at `address`, from the chunks of its file that hold the part.

    `box` is (west, south, east, north) in degrees, with west > east across the antimeridian; `zooms` are the first and the last one, of
    which the region has those of the archive. `keys` are as of `client.update`; `progress` is called with the bytes that were fetched.
    What an interrupted call has fetched, the next one uses.
    """
    told, _ = client.accepted(path, address, keys)
    work = Work(path, address, told, progress)
    work.keep()
    work.install(work.cut(Region(box, zooms, told["archive"])))


def update(path, address, keys=(), progress=None):
    """Brings the region at `path` up to the list, by deltas and the chunks of what these do not have, or else anew; whether anything was new."""
    told, _ = client.accepted(path, address, keys)
    with contextlib.closing(Archive(path).database) as database:
        region = Region.read(dict(database.execute("SELECT name, value FROM metadata")))
    if region is None:
        raise QuadrilleError("notAnArchive", f"{path} is no region")
    work = Work(path, address, told, progress)
    if region.state() == state(told["archive"]):
        work.close()
        return False
    work.keep()
    work.install(work.updated(region))
    return True


def state(archive):
    return archive["digest"], archive.get("taps")


class Work:
    """One call, in the folder of an archive's update."""

    def __init__(self, path, address, told, progress):
        if "archive" not in told or not updates.chunks(told["archive"]):
            raise QuadrilleError("badList", "it has no hashes of chunks; build the archive with this version of the program")
        self.path, self.address, self.told, self.folder = path, address, told, f"{path}.update"
        os.makedirs(self.folder, exist_ok=True)
        self.remote = Remote(address, told["archive"], self.folder, progress)

    def keep(self):
        """Removes what no run continues."""
        kept = {*self.remote.names, *(os.path.basename(client.part("", one)) for one in self.told["deltas"])}
        client.clean(os.path.join(self.folder, name) for name in os.listdir(self.folder) if name not in kept)

    def close(self):
        shutil.rmtree(self.folder)

    def install(self, new):
        # A journal belongs to the file that is replaced.
        inplace.settle(self.path)
        client.swap(self.path, new)
        self.close()

    def free(self, name):
        """The path of a file that is not there."""
        path = os.path.join(self.folder, name)
        client.clean([path, f"{path}-journal"])
        return path

    def cut(self, region):
        """The path of a region that is made of chunks."""
        path, remote = self.free("region"), self.remote
        spans = squares(region)
        remote.open()
        create(path, remote)
        with writing(path, spans, remote, True) as file:
            file.database.execute("BEGIN")
            file.copy_tiles()
            file.complete()
            rows = [values for _, values in remote.rows(remote.root("metadata"))]
            file.finish([row[:2] for row in rows if len(row) > 1 and all(isinstance(one, str) for one in row[:2])], region)
        return path

    def updated(self, region):
        """The path of the region of the list's archive, made from that of an earlier one where deltas lead on."""
        new, path = region.of(self.told["archive"]), self.free("patched")
        way = updates.plan(self.told, *region.state())
        if way is None:
            return self.cut(new)
        try:
            if not updates.clone(self.path, path):
                shutil.copyfile(self.path, path)
            with writing(path, squares(region), self.remote, False) as file:
                for delta in way:
                    rows = file.apply(client.fetched(self.address, delta, self.folder, set()))
                file.database.execute("BEGIN")
                self.remote.open()
                file.complete()
                file.finish(rows, new)
            return path
        except (client.Gone, urllib.error.HTTPError):
            return self.cut(new)
        except QuadrilleError as error:
            if error.kind in ("cutOff", "disk"):
                raise
            return self.cut(new)


def squares(region):
    """The tiles of a region: at each zoom the squares of 8 × 8 that touch its box, (zoom, west, east, north, south), rows from the north."""
    west, south, east, north = region.box
    if not all(map(math.isfinite, region.box)) or south > north or region.minzoom > region.maxzoom:
        raise QuadrilleError("tooLarge", "the box or the zooms of the region are none")
    left, wide = math.fmod(west + 180, 360), 360 if east - west >= 360 else math.fmod(east - west, 360)
    left, wide = (left + 360 * (left < 0)) / 360, (wide + 360 * (wide < 0)) / 360
    edges = [(0, 1)] if wide == 1 else [(left, 1), (0, left + wide - 1)] if left + wide > 1 else [(left, left + wide)]
    spans, count = [], 0
    for zoom in range(region.minzoom, region.maxzoom + 1):
        n = 1 << zoom

        def span(first, last):
            first, last = (min(int(one * n), n - 1) // SIDE * SIDE for one in (first, last))
            return first, min(last + SIDE, n) - 1

        above, below = span(share(north), share(south))
        columns = [span(*one) for one in edges]
        if len(columns) == 2 and columns[1][1] >= columns[0][0]:
            columns = [(0, n - 1)]
        for first, last in columns:
            spans.append((zoom, first, last, above, below))
            count += max((last - first + 1) // SIDE, 1) * max((below - above + 1) // SIDE, 1)
    if count > SQUARE_LIMIT:
        raise QuadrilleError("tooLarge", f"the region has {count} squares of 8 × 8 tiles, more than {SQUARE_LIMIT}: take a smaller box or fewer zooms")
    return spans


def first_number(zoom):
    """The number of the first tile of a zoom (docs/archive.md)."""
    return ((1 << 2 * zoom) - 1) // 3 + 1


def numbers(spans):
    """The numbers of the rows of tiles, in ascending ranges: those of a square follow each other."""
    starts = []
    for zoom, west, east, north, south in spans:
        side = min(SIDE, 1 << zoom)
        for row in range(north, south + 1, side):
            starts += [(first_number(zoom) + quadkey(column, row), side * side) for column in range(west, east + 1, side)]
    runs = []
    for start, count in sorted(starts):
        if runs and runs[-1][1] + 1 == start:
            runs[-1] = runs[-1][0], start + count - 1
        else:
            runs.append((start, start + count - 1))
    return runs


def create(path, remote):
    """Creates an empty file with the tables of an archive."""
    if "grid_utfgrid" in remote.objects:
        raise QuadrilleError("notAnArchive", f"{remote.name}: regions of archives with UTFGrid taps are not made")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA page_size = {remote.page_size}")
        database.execute("PRAGMA application_id = 0x4d504258")
        database.execute("BEGIN")
        for wanted in ("table", "view", "index"):
            for _, (kind, _, statement) in sorted(remote.objects.items()):
                if kind == wanted:
                    database.execute(statement)
        database.execute("COMMIT")


@contextlib.contextmanager
def writing(path, spans, remote, is_new):
    """The file of a region; what has begun is done at the end."""
    with contextlib.closing(opened(path, "rw")) as database:
        try:
            yield File(database, spans, remote, is_new)
            database.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise updates.failed(error) from error


INSIDE = (
    "EXISTS (SELECT 1 FROM temp.region AS part WHERE part.zoom = {0}.zoom_level AND {0}.{1} BETWEEN part.west AND part.east"
    " AND {0}.{2} BETWEEN part.south AND part.north)"
)


def limited(statement):
    """A statement of a delta that adds rows of the region alone; images of others are removed afterwards."""
    if statement.startswith("INSERT") and "delta.new_taps AS new" in statement:
        return f"{statement} WHERE {INSIDE.format('new', 'block_column << 3', 'block_row << 3')}"
    if statement.endswith(("FROM delta.new_map", "FROM delta.new_tiles")):
        return f"{statement} AS new WHERE {INSIDE.format('new', 'tile_column', 'tile_row')}"
    return statement


class File:
    """A region under construction: a part of an archive in its layout, that its chunks on the server, or deltas, are copied into."""

    def __init__(self, database, spans, remote, is_new):
        self.database, self.spans, self.remote, self.is_new = database, spans, remote, is_new
        self.tables = {name for (name,) in database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
        self.table = "map" if "map" in self.tables else "tiles"
        # A page of a delta has other entries than one of the region with the same first one.
        database.execute("CREATE TEMP TABLE entries (first_feature, entry_data)")
        database.execute("CREATE TEMP TABLE region (zoom, west, east, south, north)")
        rows = [(zoom, west, east, (1 << zoom) - 1 - south, (1 << zoom) - 1 - north) for zoom, west, east, north, south in spans]
        database.executemany("INSERT INTO temp.region VALUES (?, ?, ?, ?, ?)", rows)

    # Rows of the archive

    def insert(self, rows, table, columns):
        names = [name for _, name, *_ in self.database.execute(f"PRAGMA main.table_info({table})")][:columns]
        # After deltas the numbers of images may be taken.
        is_numbered = table in ("map", "tiles") or (table == "images" and self.is_new)
        if any(len(row) < columns for _, row in rows):
            raise QuadrilleError("damaged", f"a row of {table} is too short")
        sql = f"INSERT OR REPLACE INTO main.{table} (rowid, {', '.join(names)}) VALUES (?{', ?' * columns})"
        self.database.executemany(sql, ((number if is_numbered else None, *row[:columns]) for number, row in rows))

    def copy_tiles(self):
        """Copies the tiles of the region and the blocks of its taps; images and entries are missing then."""
        self.insert(self.remote.rows(self.remote.root(self.table), numbers(self.spans)), self.table, 4)
        if "taps" not in self.tables:
            return
        keys = []
        for zoom, west, east, north, south in self.spans:
            last = (1 << zoom) - 1
            keys += [((zoom, x, last - south >> 3), (zoom, x, last - north >> 3)) for x in range(west >> 3, (east >> 3) + 1)]
        self.copy("taps", 4, keys)

    def copy(self, table, columns, keys):
        """Copies the rows of a table to which the entries of its index lead."""
        found = self.remote.entries(self.remote.root(f"{table}_index"), keys)
        wanted = sorted({entry[-1] for entry in found if isinstance(entry[-1], int)})
        self.insert(self.remote.rows(self.remote.root(table), [(one, one) for one in wanted]), table, columns)

    # What is missing

    def complete(self):
        """Copies all that the tiles and blocks need and the file does not have, and removes what they do not need."""
        self.close_gaps()
        if self.table == "map":
            self.complete_images()
        if "taps" in self.tables:
            self.complete_entries()

    def close_gaps(self):
        """Takes a tile from elsewhere for each zoom between others that has none, which readers refuse."""
        self.database.execute(f"DELETE FROM main.{self.table} WHERE NOT {INSIDE.format(self.table, 'tile_column', 'tile_row')}")
        zooms = {zoom for (zoom,) in self.database.execute(f"SELECT DISTINCT zoom_level FROM main.{self.table}")}
        if not zooms:
            raise QuadrilleError("notAnArchive", "the archive has no tile in the region")
        for zoom in range(min(zooms), max(zooms)):
            if zoom not in zooms:
                span = first_number(zoom), first_number(zoom + 1) - 1
                self.insert(self.remote.first(self.remote.root(self.table), span), self.table, 4)

    def complete_images(self):
        self.database.execute("DELETE FROM main.images WHERE tile_id NOT IN (SELECT tile_id FROM main.map)")
        # An image mostly has the number of the first tile that shows it.
        missing = "FROM main.map WHERE tile_id NOT IN (SELECT tile_id FROM main.images)"
        places = [(number, number) for (number,) in self.database.execute(f"SELECT min(rowid) {missing} GROUP BY tile_id ORDER BY 1")]
        if not places:
            return

        def names():
            return [name for (name,) in self.database.execute(f"SELECT DISTINCT tile_id {missing}")]

        known = set(names())
        self.insert([row for row in self.remote.rows(self.remote.root("images"), places) if row[1] and row[1][0] in known], "images", 2)
        left = names()
        if left:
            self.copy("images", 2, [((name,), (name,)) for name in left])
        if names():
            raise QuadrilleError("damaged", "a tile has no image")

    def complete_entries(self):
        """Writes the entries of all features that the blocks name, and of the members of clusters among them, on pages of their own."""
        wanted, held = set(), {}
        for (data,) in self.database.execute("SELECT block_data FROM main.taps"):
            wanted |= read(lambda data: Block(inflate(data)), data).features()
        for table in ("main.tap_entries", "temp.entries"):
            for first, data in self.database.execute(f"SELECT first_feature, entry_data FROM {table} ORDER BY rowid"):
                held.update(read(lambda *row: page(inflate(row[1]), row[0]), first, data))
        # The second time the members of clusters are known.
        for _ in range(2):
            wanted |= {member for one in wanted & held.keys() for member in held[one].members or ()}
            missing = sorted(wanted - held.keys())
            if missing:
                held.update(self.entries(missing))
        if wanted - held.keys():
            raise QuadrilleError("damaged", f"the feature {min(wanted - held.keys())} has no entry")
        self.database.execute("DELETE FROM main.tap_entries")
        rows = ((first, zlib.compress(data)) for first, data in pages({one: held[one] for one in wanted}))
        self.database.executemany("INSERT INTO main.tap_entries (first_feature, entry_data) VALUES (?, ?)", rows)

    def entries(self, features):
        """The entries of the archive on the pages of features, which ascend."""
        index = self.remote.entries(self.remote.root("tap_entries_index"), [((), ())])
        firsts = sorted((entry[0], entry[-1]) for entry in index if isinstance(entry[0], int) and isinstance(entry[-1], int))
        rows, place = set(), 0
        for feature in features:
            while place < len(firsts) and firsts[place][0] <= feature:
                place += 1
            if place:
                rows.add(firsts[place - 1][1])
        found = {}
        for _, row in self.remote.rows(self.remote.root("tap_entries"), [(one, one) for one in sorted(rows)]):
            found.update(read(lambda first, data: page(inflate(data), first), row[0], row[-1]))
        return found

    # Deltas

    def apply(self, delta):
        """Applies the part of a delta that is in the region; the metadata of the archive after it."""
        self.database.execute("ATTACH ? AS delta", (delta,))
        self.database.execute("BEGIN")
        for statement in updates.statements(self.tables):
            if "main.metadata" not in statement and "main.tap_entries" not in statement:
                self.database.execute(limited(statement))
        if "taps" in self.tables:
            self.database.execute("INSERT INTO temp.entries SELECT first_feature, entry_data FROM delta.new_tap_entries")
        rows = self.database.execute("SELECT name, value FROM delta.new_metadata ORDER BY rowid").fetchall()
        self.database.execute("COMMIT")
        self.database.execute("DETACH delta")
        return rows

    # Metadata

    def finish(self, source, region):
        """Writes the metadata of the region, with the digests of what it holds."""
        taps = taps_digest(self.database) if "taps" in self.tables else None
        sql = f"SELECT zoom_level, min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM main.{self.table} GROUP BY 1 ORDER BY 1"
        extents = [(z, west, east, (1 << z) - 1 - north, (1 << z) - 1 - south) for z, west, east, south, north in self.database.execute(sql)]
        rows = metadata(source, region, (digest(self.database.execute(TILES)), taps), extents)
        self.database.execute("DELETE FROM main.metadata")
        self.database.executemany("INSERT INTO main.metadata (name, value) VALUES (?, ?)", rows)


read = checked(lambda work, *values: work(*values))
