package import Columns
import Pictures
import Tiling

/// The tiles of an archive with their images, in archive order, and its segments: enough to write the
/// next archive without reading what stays the same.
///
/// It takes 36 bytes per tile; with UTFGrids 28 more, and 8 for each key that a tile's grid names.
package struct ArchiveContents: Sendable {
  /// The number of each tile (``TileCoord/number``).
  package private(set) var tiles: Column<UInt64>

  /// The MD5 of its image.
  package private(set) var images: Column<MD5Digest>

  /// The number of the row that holds the image: the tile's own, or that of the first tile that
  /// shows the image; in the layout `flat` always the tile's own.
  package private(set) var imageRows: Column<UInt64>

  /// The number of bytes of the image, and whether it is blank.
  package private(set) var sizes: Column<StoredSize>

  package var segments: SegmentList

  /// The UTFGrids of the tiles; `nil` for an archive without.
  package internal(set) var grids: GridContents?

  package init(in scratch: Scratch? = nil, hasGrids: Bool = false) {
    grids = hasGrids ? GridContents(in: scratch) : nil
    tiles = Column(in: scratch)
    images = Column(in: scratch)
    imageRows = Column(in: scratch)
    sizes = Column(in: scratch)
    segments = SegmentList(in: scratch)
  }

  /// Creates the contents from their columns; `nil` unless these have equal lengths.
  package init?(
    tiles: Column<UInt64>, images: Column<MD5Digest>, imageRows: Column<UInt64>,
    sizes: Column<StoredSize>, segments: SegmentList, grids: GridContents? = nil
  ) {
    guard
      [images.count, imageRows.count, sizes.count, grids?.count ?? tiles.count].allSatisfy({
        $0 == tiles.count
      })
    else { return nil }
    self.grids = grids
    self.tiles = tiles
    self.images = images
    self.imageRows = imageRows
    self.sizes = sizes
    self.segments = segments
  }

  package var count: Int { tiles.count }

  mutating func append(
    _ tile: TileCoord, image: MD5Digest, row: UInt64, size: StoredSize
  ) {
    tiles.append(tile.number)
    images.append(image)
    imageRows.append(row)
    sizes.append(size)
  }

  /// Appends rows of another archive.
  mutating func append(_ rows: Range<Int>, of other: ArchiveContents) {
    tiles.append(contentsOf: other.tiles[rows])
    images.append(contentsOf: other.images[rows])
    imageRows.append(contentsOf: other.imageRows[rows])
    sizes.append(contentsOf: other.sizes[rows])
    if let more = other.grids { grids?.append(rows, of: more) }
  }

  /// Changes the rows of images.
  ///
  /// - Complexity: O(tiles).
  mutating func move(_ rows: [MD5Digest: UInt64]) {
    var filter = HashFilter()
    for image in rows.keys { filter.insert(image.low) }
    for (index, image) in images.enumerated() where filter.mayContain(image.low) {
      if let row = rows[image] { imageRows[index] = row }
    }
  }

  mutating func reserveCapacity(_ count: Int) {
    tiles.reserveCapacity(count)
    images.reserveCapacity(count)
    imageRows.reserveCapacity(count)
    sizes.reserveCapacity(count)
  }

  /// Returns the index of the first tile with a number or a greater one.
  package func index(from number: UInt64) -> Int {
    tiles.bisectedIndex(notBefore: { $0 < number })
  }

  /// Returns the index after the last tile of a segment.
  package func end(ofSegment segment: Int) -> Int { index(from: segments.lastTiles[segment] + 1) }
}

/// The UTFGrids of an archive's tiles, in archive order.
package struct GridContents: Sendable {
  /// The MD5 of each tile's grid, and the number of the row that holds it; row 0 for a tile without.
  package private(set) var names: Column<MD5Digest>
  package private(set) var rows: Column<UInt64>

  /// The hashes (``GridKey``) of the keys of each tile's grid, one tile after the other, ascending by
  /// key, and the end of each tile's.
  package private(set) var keys: Column<UInt64>
  package private(set) var ends: Column<UInt32>

  /// The hashes of all keys and of their data, in the order of the keys.
  package private(set) var entryKeys: Column<UInt64>
  package private(set) var entries: Column<UInt64>

  /// The number of bytes of the different grids, and the sum of the digests of their keys
  /// (``TapsDigest``).
  package private(set) var bytes = 0
  package private(set) var keySum = MD5Digest(high: 0, low: 0)

  init(in scratch: Scratch?) {
    (names, rows) = (Column(in: scratch), Column(in: scratch))
    (keys, ends) = (Column(in: scratch), Column(in: scratch))
    (entryKeys, entries) = (Column(in: scratch), Column(in: scratch))
  }

  /// Creates the contents from their columns; `nil` unless these fit together.
  package init?(
    names: Column<MD5Digest>, rows: Column<UInt64>, keys: Column<UInt64>, ends: Column<UInt32>,
    entries: (keys: Column<UInt64>, data: Column<UInt64>), totals: (bytes: Int, keySum: MD5Digest)
  ) {
    guard names.count == rows.count, ends.count == rows.count,
      entries.keys.count == entries.data.count,
      Int(ends.last ?? 0) == keys.count,
      zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    (self.names, self.rows, self.keys, self.ends) = (names, rows, keys, ends)
    (entryKeys, self.entries) = (entries.keys, entries.data)
    (bytes, keySum) = (totals.bytes, totals.keySum)
  }

  /// The number of tiles.
  var count: Int { rows.count }

  /// Returns the place of the hashes of the keys of a tile's grid.
  package func keyRange(_ tile: Int) -> Range<Int> {
    (tile == 0 ? 0 : Int(ends[tile - 1]))..<Int(ends[tile])
  }

  /// Appends the next tile; `nil` for one without a grid.
  mutating func append(_ grid: ShownGrid?) {
    names.append(grid?.name ?? MD5Digest(high: 0, low: 0))
    rows.append(grid?.row ?? 0)
    if let grid { keys.append(contentsOf: grid.keys) }
    ends.append(UInt32(truncatingIfNeeded: keys.count))
  }

  /// Appends tiles of another archive.
  mutating func append(_ tiles: Range<Int>, of other: GridContents) {
    guard let first = tiles.first, let last = tiles.last else { return }
    names.append(contentsOf: other.names[tiles])
    rows.append(contentsOf: other.rows[tiles])
    let (start, end) = (other.keyRange(first).lowerBound, other.keyRange(last).upperBound)
    let shift = UInt32(truncatingIfNeeded: keys.count) &- UInt32(truncatingIfNeeded: start)
    ends.append(contentsOf: other.ends[tiles].lazy.map { $0 &+ shift })
    keys.append(contentsOf: other.keys[start..<end])
  }

  /// Appends the data of the next key.
  mutating func append(key: [UInt8], json: [UInt8]) {
    entryKeys.append(GridKey.hash(key))
    entries.append(GridKey.hash(json))
  }

  /// Returns the hashes of the keys of which another archive has other data.
  package func changedKeys(since other: GridContents) -> Set<UInt64> {
    var changed: Set<UInt64> = []
    // Both are in the order of the keys, so the next ones are mostly the same.
    var known: [UInt64: UInt64] = [:]
    var (old, isTable) = (0, false)
    for (key, data) in zip(entryKeys, entries) {
      if !isTable, old < other.entryKeys.count, other.entryKeys[old] == key {
        if other.entries[old] != data { changed.insert(key) }
        old += 1
        continue
      }
      if !isTable {
        isTable = true
        for index in old..<other.entryKeys.count {
          known[other.entryKeys[index]] = other.entries[index]
        }
      }
      if let before = known[key], before != data { changed.insert(key) }
    }
    return changed
  }

  /// Changes the rows of grids.
  ///
  /// - Complexity: O(tiles).
  mutating func move(_ moved: [MD5Digest: UInt64]) {
    for (index, name) in names.enumerated() where rows[index] != 0 {
      if let row = moved[name] { rows[index] = row }
    }
  }

  /// Completes the contents with the totals of all grids.
  mutating func close(_ summary: GridSummary, keySum: MD5Digest) {
    bytes = summary.bytes
    self.keySum = keySum
  }
}

/// The number of bytes of an image, and whether it is blank, as 32 bits.
package struct StoredSize: BitwiseCopyable, Hashable, Sendable {
  private let bits: UInt32

  init(bytes: Int, isBlank: Bool) {
    bits = UInt32(clamping: bytes) & 0x7FFF_FFFF | (isBlank ? 1 << 31 : 0)
  }

  /// Returns the size of an image, and whether it is blank.
  package init(of image: UnsafeRawBufferPointer) {
    // A blank tile of any size is far shorter than this, so others need not be parsed.
    let isBlank = image.count <= 1024 && (try? PictureStructure(image))?.isBlank == true
    self.init(bytes: image.count, isBlank: isBlank)
  }

  package var bytes: Int { Int(bits & 0x7FFF_FFFF) }
  package var isBlank: Bool { bits >> 31 != 0 }
}
