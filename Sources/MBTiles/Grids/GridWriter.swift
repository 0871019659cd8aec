import Columns
import Tiling

/// A grid of the archive under construction.
package struct GridRef: Hashable, Sendable {
  /// The number of the grid, from 0 in order of first use.
  let number: Int32
}

/// The writer of an ``ArchiveWriter``'s UTFGrids, each once.
final class GridWriter {
  private let tables: ArchiveTables
  private var index = ImageIndex()

  /// The row of each grid, and its keys in ``ArchiveContents/grids``.
  private var shown: ContiguousArray<ShownGrid> = []
  private var taps = TapsDigest()
  private(set) var summary = GridSummary()

  /// The hashes of the keys that grids name.
  private(set) var usedKeys: Set<UInt64> = []

  init(_ tables: ArchiveTables) {
    self.tables = tables
  }

  /// Returns the grid with an MD5, if it was added.
  func grid(of md5: MD5Digest) -> GridRef? {
    index.number(of: md5).map { GridRef(number: Int32($0)) }
  }

  /// Adds a grid and its keys, which ascend, unless one with the same MD5 exists.
  ///
  /// - Parameter tile: the next tile to be added, which shows the grid.
  func add(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, keys: [[UInt8]],
    by tile: TileCoord
  ) throws(ArchiveError) -> GridRef {
    if let number = index.number(of: md5) { return GridRef(number: Int32(number)) }
    guard index.count < Int32.max else { throw ArchiveError(.value(.tooManyGrids)) }
    try tables.insertGrid(bytes, name: md5, keys: keys, by: tile)
    taps.add(grid: md5, keys: keys)
    summary.distinct += 1
    summary.bytes += bytes.count
    let grid = ShownGrid(name: md5, row: tile.number, keys: keys.map { GridKey.hash($0) })
    usedKeys.formUnion(grid.keys)
    shown.append(grid)
    return GridRef(number: Int32(index.add(md5)))
  }

  /// Counts a tile that shows a grid and returns the grid.
  func use(_ grid: GridRef, by tile: TileCoord) -> ShownGrid {
    let grid = shown[Int(grid.number)]
    summary.tiles += 1
    taps.add(tile, showing: grid.name)
    return grid
  }

  /// Adds the data of a key.
  func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    try tables.insertEntry(key: key, json: json)
    taps.add(key: key, json: json)
    summary.add(key: key, json: json)
  }

  /// The digest of all taps so far.
  var digest: String { taps.value }

  /// The sum of the digests of grids with their keys so far.
  var keySum: MD5Digest { taps.gridSum }
}

extension GridSummary {
  /// Counts the data of a key.
  mutating func add(key: [UInt8], json: [UInt8]) {
    keys += 1
    keyBytes += key.count + json.count
  }
}

/// A grid that a tile shows.
struct ShownGrid {
  let name: MD5Digest

  /// The number of its row: that of the first tile that shows it.
  let row: UInt64

  /// The hashes of its keys, ascending by key.
  let keys: [UInt64]
}

/// The keys of grids as numbers.
package enum GridKey {
  /// Returns a hash of a key that is the same in every run.
  package static func hash(_ key: [UInt8]) -> UInt64 { hash(key[...]) }

  /// Returns a hash of a key that is the same in every run.
  package static func hash(_ key: ArraySlice<UInt8>) -> UInt64 {
    key.withUnsafeBytes { bytes in
      var hash = UInt64(bytes.count)
      var place = 0
      while place + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        hash = mix(hash ^ UInt64(littleEndian: word))
        place += 8
      }
      var rest: UInt64 = 0
      for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
      return mix(hash ^ rest)
    }
  }

  /// Returns a number of evenly distributed bits; source: the finalizer of SplitMix64.
  private static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}

/// An archive under construction that receives the data of the keys of UTFGrids after its tiles.
package protocol GridEntrySink: AnyObject {
  /// The hashes (``GridKey``) of the keys that grids name.
  var usedKeys: Set<UInt64> { get }

  /// Adds the data of a key; the keys ascend.
  func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError)
}
