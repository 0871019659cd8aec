import Columns
import Tiling

/// The rows of UTFGrids of an archive under construction, and their indexes.
///
/// A grid has the row number of the first tile that shows it, and its keys have consecutive numbers from
/// ``firstKeyRow(of:)`` on: no row depends on those before, so segments can be copied. The data of keys is
/// in the order of the keys.
final class GridTables {
  private let file: PageFile
  private var grids: TableTree
  private var names: TableTree
  private var entries: TableTree
  private var entryIndex: IndexTree
  private var record = RecordBuffer()
  private var lastKey: [UInt8] = []
  private var entryCount: UInt64 = 0

  /// The checksum of all rows and index entries so far.
  private(set) var checksum = ContentChecksum()

  /// The name of the grid being inserted, in hexadecimal digits.
  private let name = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)

  /// The inserted grids by number, the row of each and of its first key, and the number of its keys.
  private var places: Column<Place>

  private struct Place: BitwiseCopyable {
    let name: MD5Digest
    let row: UInt64
    let keyRow: UInt64
    let keys: UInt64
  }

  /// The bits of a key's row number below the number of the tile: a grid of 64 × 64 cells names at most
  /// that many keys.
  private static let keyBits: UInt64 = 12

  init(_ file: PageFile, in scratch: Scratch?) {
    self.file = file
    (grids, names, entries) = (TableTree(file), TableTree(file), TableTree(file))
    entryIndex = IndexTree(file)
    places = Column(in: scratch)
  }

  deinit { name.deallocate() }

  /// Returns the row number of the first key of a grid that a tile is the first to show.
  static func firstKeyRow(of tile: UInt64) -> UInt64 { tile << keyBits }

  /// Inserts a grid and its keys, which ascend, before the first tile that shows it.
  func insert(
    _ bytes: UnsafeRawBufferPointer, name digest: MD5Digest, keys: [[UInt8]],
    by tile: TileCoord
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    checksum.add(.grid, UnsafeRawBufferPointer(name), bytes)
    record.begin()
    record.add(text: name)
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try grids.append(payload, row: tile.number)
    }
    // Grids of other programs may have more cells, and more keys than there are numbers for.
    let keyRow = max(Self.firstKeyRow(of: tile.number), names.lastRow + 1)
    var row = keyRow
    for key in keys {
      key.withUnsafeBytes { checksum.add(.key, UnsafeRawBufferPointer(name), $0) }
      record.begin()
      record.add(text: name)
      record.add(text: key)
      try record.withPayload { (payload) throws(ArchiveError) in
        try names.append(payload, row: row)
      }
      row += 1
    }
    places.append(Place(name: digest, row: tile.number, keyRow: keyRow, keys: row - keyRow))
  }

  /// Ends the leaves at the end of a segment.
  func endLeaves() throws(ArchiveError) {
    try grids.endLeaf()
    try names.endLeaf()
  }

  /// Adds the leaves of a segment that was copied.
  ///
  /// - Parameters:
  ///   - pages: the segment's pages in their source.
  ///   - first: the number of its first page here.
  func addLeaves(of source: StoredPages, on pages: Range<UInt32>, at first: UInt32) {
    for leaf in source.leaves(of: \.grids, on: pages) {
      grids.addLeaf(leaf.page - pages.lowerBound + first, lastRow: leaf.lastRow)
    }
    for leaf in source.leaves(of: \.keys, on: pages) {
      names.addLeaf(leaf.page - pages.lowerBound + first, lastRow: leaf.lastRow)
    }
  }

  /// Inserts the data of a key, which comes after all before.
  func insertEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    guard entryCount == 0 || lastKey.lexicographicallyPrecedes(key) else {
      throw ArchiveError(.misuse(of: "archive writer", given: "keys that are out of order"))
    }
    lastKey = key
    entryCount += 1
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    key.withUnsafeBytes { key in
      json.withUnsafeBytes { checksum.add(.entry, key, $0) }
      checksum.add(.entryIndex, key, none, row: Int64(entryCount))
    }
    record.begin()
    record.add(text: key)
    record.add(text: json)
    try record.withPayload { (payload) throws(ArchiveError) in try entries.append(payload) }
    record.begin()
    record.add(text: key)
    record.add(Int64(entryCount))
    try record.withPayload { (payload) throws(ArchiveError) in
      try entryIndex.append(payload, endsRun: false)
    }
  }

  /// Ends the tables and the index of entries, and returns the pages above their leaves.
  func end() throws(ArchiveError) -> [UpperPages] {
    [
      UpperPages("grid_utfgrid", try grids.end()), UpperPages("grid_key", try names.end()),
      UpperPages("keymap", try entries.end()), UpperPages("keymap_index", try entryIndex.end()),
    ]
  }

  /// Writes the leaves of the indexes of the inserted grids and their keys, and returns the pages
  /// above them.
  func writeIndexes() throws(ArchiveError) -> [UpperPages] {
    let order = BucketSort.sorted(
      places, bucket: { Int($0.name.high >> 48) }, by: { $0.name < $1.name })
    var index = IndexTree(file)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for place in order {
      place.name.writeHexadecimal(to: name)
      checksum.add(.gridIndex, UnsafeRawBufferPointer(name), none, row: Int64(place.row))
      ImageIndexEntry.write(place.name, row: place.row, to: &record)
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: ImageIndexEntry.endsRun(place.name))
      }
    }
    let grids = try index.end()
    var keys = IndexTree(file)
    for place in order {
      place.name.writeHexadecimal(to: name)
      for row in place.keyRow..<(place.keyRow + place.keys) {
        let key = GridKeyPlace(grid: place.name, row: row)
        checksum.add(.keyIndex, UnsafeRawBufferPointer(name), none, row: Int64(row))
        GridKeyIndexEntry.write(key, row: row, to: &record)
        try record.withPayload { (payload) throws(ArchiveError) in
          try keys.append(payload, endsRun: GridKeyIndexEntry.endsRun(key))
        }
      }
    }
    return [
      UpperPages("grid_utfgrid_index", grids), UpperPages("grid_key_index", try keys.end()),
    ]
  }

  /// Writes the leaves of the indexes of grids and their keys from those of another archive, and
  /// returns the pages above them.
  ///
  /// - Parameters:
  ///   - grids: the grids that come, go or have another row, in the order of the index.
  ///   - keys: the keys that come or go, in the order of the index.
  func writeIndexes(
    from source: StoredPages, grids: [IndexChange<MD5Digest>], keys: [IndexChange<GridKeyPlace>]
  ) throws(ArchiveError) -> [UpperPages] {
    let grids = try IndexSplice.write(
      ImageIndexEntry.self, grids, to: file, from: source.gridIndex, of: source)
    let keys = try IndexSplice.write(
      GridKeyIndexEntry.self, keys, to: file, from: source.keyIndex, of: source)
    return [UpperPages("grid_utfgrid_index", grids), UpperPages("grid_key_index", keys)]
  }
}

/// The place of a grid's key in the index of keys: by the name of the grid, then by row.
struct GridKeyPlace: BitwiseCopyable, Comparable {
  let grid: MD5Digest
  let row: UInt64

  static func < (one: GridKeyPlace, other: GridKeyPlace) -> Bool {
    one.grid == other.grid ? one.row < other.row : one.grid < other.grid
  }
}

/// The entries of the index of grids' keys.
enum GridKeyIndexEntry: IndexEntry {
  static func key(of record: UnsafeRawBufferPointer) -> GridKeyPlace? {
    guard var values = IndexRecord(record), let name = values.text(),
      let grid = MD5Digest(hexadecimal: name), let row = values.integer()
    else { return nil }
    return GridKeyPlace(grid: grid, row: UInt64(bitPattern: row))
  }

  static func endsRun(_ key: GridKeyPlace) -> Bool { ArchiveSegments.endsRun(key) }

  static func write(_ key: GridKeyPlace, row: UInt64, to record: inout RecordBuffer) {
    record.begin()
    record.add(key.grid)
    record.add(Int64(row))
  }
}
