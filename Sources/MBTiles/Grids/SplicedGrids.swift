import Columns
import SystemPackage
import Tiling

/// A grid of a tile that is written anew.
package struct SplicedGrid {
  let name: MD5Digest

  /// The number of the first tile that shows it, which stores it.
  let row: UInt64

  /// The grid as ``UTFGridEncoder`` encodes it, and its keys, ascending; empty if an earlier tile
  /// stores it.
  let bytes: UnsafeRawBufferPointer
  let keys: [[UInt8]]

  /// The hashes (``GridKey``) of its keys.
  let keyHashes: [UInt64]

  /// Creates the grid of a tile that is the first to show it.
  package init(_ name: MD5Digest, _ bytes: UnsafeRawBufferPointer, keys: [[UInt8]], row: UInt64) {
    (self.name, self.row, self.bytes, self.keys) = (name, row, bytes, keys)
    keyHashes = keys.map { GridKey.hash($0) }
  }

  /// Creates the grid of a tile where an earlier one stores it.
  package init(_ name: MD5Digest, of row: UInt64, keyHashes: [UInt64]) {
    (self.name, self.row, self.keyHashes) = (name, row, keyHashes)
    (bytes, keys) = (UnsafeRawBufferPointer(start: nil, count: 0), [])
  }
}

/// The totals of the UTFGrids of an archive that is made from the last one.
struct SplicedGrids {
  /// The length and the keys of each grid that was written.
  private var added: [MD5Digest: (bytes: Int, keys: [[UInt8]])] = [:]
  private var bytes: Int
  private var taps: TapsDigest
  private var summary = GridSummary()
  private var isSettled = false

  init(from old: GridContents) {
    bytes = old.bytes
    taps = TapsDigest(gridSum: old.keySum)
  }

  /// The sum of the digests of grids with their keys.
  var keySum: MD5Digest { taps.gridSum }

  /// Counts a grid that was written.
  mutating func add(_ grid: SplicedGrid) { added[grid.name] = (grid.bytes.count, grid.keys) }

  /// Counts the data of a key.
  mutating func add(key: [UInt8], json: [UInt8]) {
    taps.add(key: key, json: json)
    summary.add(key: key, json: json)
  }

  /// Adds the grids that come to the totals, and subtracts those that go.
  ///
  /// - Parameter archive: the last archive.
  mutating func settle(_ moved: MovedRows, _ archive: FilePath) throws(ArchiveError) {
    guard !isSettled else { return }
    isSettled = true
    let stored = try StoredKeys(ArchiveReader(archive))
    for (name, rows) in moved.rows {
      switch (rows.old, rows.new) {
      case (nil, .some):
        guard let grid = added[name] else { continue }
        bytes += grid.bytes
        taps.add(grid: name, keys: grid.keys)
      case (.some, nil):
        bytes -= try stored.grid(name.description).count
        taps.remove(grid: name, keys: try stored.keys(ofGrid: name.description))
      default: continue
      }
    }
  }

  /// Returns the statistics of the grids of an archive's tiles.
  func summary(of contents: ArchiveContents) -> GridSummary {
    var summary = summary
    guard let grids = contents.grids else { return summary }
    for (row, tile) in zip(grids.rows, contents.tiles) where row != 0 {
      summary.tiles += 1
      if row == tile { summary.distinct += 1 }
    }
    summary.bytes = bytes
    return summary
  }

  /// Returns the digest of all taps.
  func digest(of contents: ArchiveContents) -> String {
    var taps = taps
    guard let grids = contents.grids else { return taps.value }
    for (index, row) in grids.rows.enumerated() where row != 0 {
      if let tile = TileCoord(number: contents.tiles[index]) {
        taps.add(tile, showing: grids.names[index])
      }
    }
    return taps.value
  }
}

/// The rows of images or grids that are stored with other tiles than before.
struct MovedRows {
  private(set) var rows: [MD5Digest: (old: UInt64?, new: UInt64?)] = [:]

  /// Notes what a tile stored and what it stores.
  mutating func note(_ lost: MD5Digest?, _ stored: MD5Digest?, _ number: UInt64) {
    guard lost != stored else { return }
    if let lost { rows[lost, default: (nil, nil)].old = number }
    if let stored { rows[stored, default: (nil, nil)].new = number }
  }

  /// The changes of the index of names.
  var changes: [IndexChange<MD5Digest>] {
    rows.map { IndexChange(key: $0.key, row: $0.value.new) }.sorted { $0.key < $1.key }
  }

  /// The new rows of those that were stored before.
  var moved: [MD5Digest: UInt64] {
    rows.filter { $0.value.old != nil }.compactMapValues(\.new)
  }
}
