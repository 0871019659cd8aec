"""An archive on a server, of which chunks are fetched, verified by a signed list, and kept as they are needed (docs/updates.md)."""

import hashlib
import http.client
import os
import urllib.parse
import urllib.request

import client
import updates
from taps import QuadrilleError

# The most pages from the root of a tree to a leaf.
DEPTH = 40


class Remote:
    """`folder` keeps the chunks; `progress` is called with the bytes that were fetched."""

    def __init__(self, address, archive, folder, progress=None):
        self.name = archive.get("download") or archive["file"]
        self.url = urllib.parse.urljoin(address, "./" + urllib.parse.quote(self.name))
        self.bytes, self.folder, self.progress = archive["bytes"], folder, progress
        self.size, self.names = updates.chunks(archive)
        self.held, self.fetched, self.objects, self.page_size = set(), 0, {}, 0

    def damaged(self, reason):
        return QuadrilleError("damaged", f"{self.name}: {reason}")

    def open(self):
        """Reads the header and the schema: {name: (type, root, statement)}."""
        self.load([0])
        head = self.read(0, 100)
        if len(head) < 100 or not head.startswith(b"SQLite format 3\0") or head[20]:
            raise QuadrilleError("notAnArchive", f"{self.name} is no file of SQLite")
        told = int.from_bytes(head[16:18], "big")
        self.page_size = 65536 if told == 1 else told
        if self.page_size < 512 or self.size % self.page_size:
            raise self.damaged("its pages have no size")
        for _, (kind, name, _, root, statement, *_) in (row for row in self.rows(1) if len(row[1]) >= 5):
            if isinstance(root, int) and all(isinstance(one, str) for one in (kind, name, statement)):
                self.objects[name] = kind, root, statement

    def root(self, name):
        if self.objects.get(name, ("", 0))[1] <= 0:
            raise QuadrilleError("notAnArchive", f"{self.name} has no '{name}'")
        return self.objects[name][1]

    # Chunks

    def path(self, index):
        return os.path.join(self.folder, self.names[index])

    def is_right(self, data, index):
        return hashlib.sha256(data).hexdigest()[: 2 * updates.CHUNK_HASH] == self.names[index]

    def load(self, wanted):
        """Fetches chunks unless they are here, neighbours by one request."""
        runs = []
        for index in sorted(set(wanted) - self.held):
            if self.is_stored(index):
                self.held.add(index)
            elif runs and runs[-1][1] + 1 == index:
                runs[-1][1] = index
            else:
                runs.append([index, index])
        for first, last in runs:
            self.fetch(first, last)

    def is_stored(self, index):
        try:
            with open(self.path(index), "rb") as file:
                return self.is_right(file.read(self.size + 1), index)
        except OSError:
            return False

    def fetch(self, first, last):
        start, end = first * self.size, min((last + 1) * self.size, self.bytes)
        request = urllib.request.Request(self.url, headers={"Range": f"bytes={start}-{end - 1}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                # One that answers with all of the file is read as far as its beginning is wanted.
                if answer.status != 206 and start:
                    raise OSError(f"{self.url} answers {answer.status} to a range: a region needs a server that answers to ranges, with 206")
                for index in range(first, last + 1):
                    self.keep(index, answer.read(min(self.size, self.bytes - index * self.size)))
        except http.client.HTTPException as error:
            raise QuadrilleError("cutOff", self.url) from error

    def keep(self, index, data):
        if len(data) < min(self.size, self.bytes - index * self.size):
            raise QuadrilleError("cutOff", self.url)
        if not self.is_right(data, index):
            raise QuadrilleError("wrongBytes", f"the chunk {index} of {self.url}")
        client.clean([self.path(index)])
        with open(self.path(index), "wb") as file:
            file.write(data)
        self.held.add(index)
        self.fetched += len(data)
        if self.progress:
            self.progress(self.fetched)

    def read(self, offset, count):
        with open(self.path(offset // self.size), "rb") as file:
            file.seek(offset % self.size)
            return file.read(count)

    # Pages

    def load_pages(self, pages):
        for page in pages:
            if not 1 <= page <= self.bytes // self.page_size:
                raise self.damaged(f"page {page} is not there")
        self.load((page - 1) * self.page_size // self.size for page in pages)

    def bytes_of(self, page):
        data = self.read((page - 1) * self.page_size, self.page_size)
        if len(data) < self.page_size:
            raise self.damaged(f"page {page} ends too early")
        return data

    def page(self, number, is_index):
        page = Page(self.bytes_of(number), number == 1)
        if not page.is_tree or page.is_index != is_index:
            raise self.damaged(f"page {number} is of no tree")
        return page

    def completed(self, cells):
        """The number and the values of each cell, the rest of which lies in other pages."""
        records, left = [bytearray(cell[1]) for cell in cells], [(i, rest, page) for i, (_, _, rest, page) in enumerate(cells) if rest]
        while left:
            self.load_pages([page for _, _, page in left])
            ahead = []
            for index, rest, page in left:
                data = self.bytes_of(page)
                part = data[4 : 4 + rest]
                records[index] += part
                if rest > len(part):
                    ahead.append((index, rest - len(part), int.from_bytes(data[:4], "big")))
            left = ahead
        return [(number, values(bytes(record))) for (number, *_), record in zip(cells, records)]

    # Trees

    def rows(self, root, ranges=((0, 1 << 63),)):
        """(number, values) of the rows of a table whose numbers are in ranges (first, last), ascending and without overlaps."""
        level, cells = [(root, ranges)], []
        for _ in range(DEPTH):
            if not level:
                break
            self.load_pages([page for page, _ in level])
            ahead = []
            for number, own in level:
                page = self.page(number, False)
                if page.is_interior:
                    ahead += children(page, own)
                    continue
                place = 0
                for cell in map(page.cell, range(page.count)):
                    while place < len(own) and own[place][1] < cell[0]:
                        place += 1
                    if place < len(own) and own[place][0] <= cell[0]:
                        cells.append(cell)
            level = ahead
        return self.completed(cells)

    def first(self, root, span, depth=DEPTH):
        """The first row of a table in a range, in a list; none without one."""
        self.load_pages([root])
        page = self.page(root, False)
        if not page.is_interior:
            cells = (cell for cell in map(page.cell, range(page.count)) if span[0] <= cell[0] <= span[1])
            return self.completed([cell for cell, _ in zip(cells, range(1))])
        below = (self.first(child, span, depth - 1) for child, _ in children(page, [span]) if depth)
        return next(filter(None, below), [])

    def entries(self, root, keys):
        """The entries of an index from one key to another, each of which may be the first values of one."""
        keys = [tuple(list(map(ranked, side)) for side in one) for one in keys]
        level, found = [(root, keys)], []
        for _ in range(DEPTH):
            if not level:
                break
            self.load_pages([page for page, _ in level])
            ahead = []
            for number, own in level:
                page = self.page(number, True)
                entries = [entry for _, entry in self.completed([page.cell(i) for i in range(page.count)])]
                order = [list(map(ranked, entry)) for entry in entries]
                found += [
                    entry for entry, one in zip(entries, order)
                    if any(one[: len(first)] >= first and one[: len(last)] <= last for first, last in own)
                ]  # fmt: skip
                for index in range(page.count + 1) if page.is_interior else ():
                    below = [
                        (first, last) for first, last in own
                        if (index == page.count or order[index][: len(first)] >= first)
                        and (index == 0 or order[index - 1][: len(last)] <= last)
                    ]  # fmt: skip
                    if below:
                        ahead.append((page.child(index), below))
            level = ahead
        return found


def children(page, ranges):
    """The pages below one that hold rows of ranges, with these."""
    found, start, before = [], 0, None
    for index in range(page.count + 1):
        last = page.key(index) if index < page.count else 1 << 63
        while start < len(ranges) and before is not None and ranges[start][1] <= before:
            start += 1
        end = start
        while end < len(ranges) and ranges[end][0] <= last:
            end += 1
        if end > start:
            found.append((page.child(index), ranges[start:end]))
        before = last
    return found


def ranked(value):
    """A value in the order of an index."""
    if value is None:
        return 0, 0
    return (1, value) if isinstance(value, int) else (2, value.encode()) if isinstance(value, str) else (3, value)


class Page:
    """A page of a tree of SQLite (https://www.sqlite.org/fileformat2.html#b_tree_pages), whose bytes are not trusted."""

    def __init__(self, data, is_first):
        self.data, self.start = data, 100 if is_first else 0
        kind, self.count = data[self.start], self.number(self.start + 3, 2)
        self.is_interior, self.is_index = kind < 10, kind in (2, 10)
        self.is_tree = kind in (2, 5, 10, 13) and self.start + 12 + 2 * self.count <= len(data)

    def number(self, at, length):
        return int.from_bytes(self.data[at : at + length], "big")

    def place(self, index):
        return self.number(self.start + (12 if self.is_interior else 8) + 2 * index, 2)

    def child(self, index):
        """The page left of a cell; that of all other rows for the cell after the last."""
        return self.number(self.start + 8 if index == self.count else self.place(index), 4)

    def key(self, index):
        """The greatest number of a row in the page left of a cell."""
        return varint(self.data, self.place(index) + 4)[0]

    def cell(self, index):
        """(number, record, rest, page): of an entry of an index the number is 0; the rest of the record goes on in a page."""
        size, at = varint(self.data, self.place(index) + (4 if self.is_interior else 0))
        number, at = (0, at) if self.is_index else varint(self.data, at)
        usable, local = len(self.data), size
        most = (usable - 12) * 64 // 255 - 23 if self.is_index else usable - 35
        if size > most:
            least = (usable - 12) * 32 // 255 - 23
            local = least + (size - least) % (usable - 4)
            local = least if local > most else local
        if size < 0 or at + local + (4 if local < size else 0) > usable:
            raise QuadrilleError("damaged", "a cell ends too early")
        return number, self.data[at : at + local], size - local, self.number(at + local, 4) if local < size else 0


def varint(data, at):
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for index in range(9):
        if at >= len(data):
            raise QuadrilleError("damaged", "a number ends too early")
        byte, at = data[at], at + 1
        if index == 8:
            value = value << 8 | byte
            return value - (1 << 64 if value >> 63 else 0), at
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at


def values(record):
    """The values of a record: None, int, str or bytes."""
    head, at = varint(record, 0)
    place, found = head, []
    while at < head:
        kind, at = varint(record, at)
        length = (kind - 12) // 2 if kind >= 12 else kind if kind < 5 else {5: 6, 6: 8, 7: 8}.get(kind, 0)
        data = record[place : place + length]
        if not 0 <= kind or kind in (7, 10, 11) or len(data) < length:
            raise QuadrilleError("damaged", "a record is none")
        place += length
        if kind >= 12:
            found.append(data.decode(errors="replace") if kind % 2 else data)
        else:
            found.append(None if kind == 0 else kind - 8 if kind in (8, 9) else int.from_bytes(data, "big", signed=True))
    return found
