import Columns
import Tiling

/// A grid of the archive under construction.
package struct GridRef: Hashable, Sendable {
  /// The number of the grid, from 0 in order of first use.
  let number: Int32
}

/// The writer of an ``ArchiveWriter``'s rows of UTFGrids.
final class GridWriter {
  private var grids: TableTree
  private var names: TableTree
  private var entries: TableTree
  private var record = RecordBuffer()
  private var index = ImageIndex()
  private var taps = TapsDigest()
  private(set) var summary = GridSummary()

  init(_ file: PageFile) {
    grids = TableTree(file)
    names = TableTree(file)
    entries = TableTree(file)
  }

  /// Returns the grid with an MD5, if it was added.
  func grid(of md5: MD5Digest) -> GridRef? {
    index.number(of: md5).map { GridRef(number: Int32($0)) }
  }

  /// Adds a grid and its keys, which ascend, unless one with the same MD5 exists.
  func add(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, keys: some Sequence<[UInt8]>
  ) throws(ArchiveError) -> GridRef {
    if let number = index.number(of: md5) { return GridRef(number: Int32(number)) }
    guard index.count < Int32.max else { throw ArchiveError(.value(.tooManyGrids)) }
    record.begin()
    record.add(md5)
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try grids.append(payload)
    }
    for key in keys {
      record.begin()
      record.add(md5)
      record.add(text: key)
      try record.withPayload { (payload) throws(ArchiveError) in try names.append(payload) }
    }
    taps.add(grid: md5, keys: keys)
    summary.distinct += 1
    summary.bytes += bytes.count
    return GridRef(number: Int32(index.add(md5)))
  }

  /// Counts a tile that shows a grid and returns the grid's name.
  func use(_ grid: GridRef, by tile: TileCoord) -> MD5Digest {
    let name = index.digests[Int(grid.number)]
    summary.tiles += 1
    taps.add(tile, showing: name)
    return name
  }

  /// Adds the data of a key.
  func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    record.begin()
    record.add(text: key)
    record.add(text: json)
    try record.withPayload { (payload) throws(ArchiveError) in try entries.append(payload) }
    taps.add(key: key, json: json)
    summary.keys += 1
    summary.keyBytes += key.count + json.count
  }

  /// Finishes the tables and returns their roots by name.
  func finish() throws(ArchiveError) -> [String: UInt32] {
    [
      "grid_utfgrid": try grids.finish(), "grid_key": try names.finish(),
      "keymap": try entries.finish(),
    ]
  }

  /// The digest of all taps so far.
  var digest: String { taps.value }
}
