import SQLite
import Tiling

/// A grid of the archive under construction.
package struct GridRef: Hashable, Sendable {
  /// Counted from 0 in order of first use.
  let number: Int32
}

/// Writes the rows of taps into the database of an ``ArchiveWriter``.
final class GridWriter {
  private let grids: Statement
  private let names: Statement
  private let entries: Statement
  private var index = ImageIndex()
  private var taps = TapsDigest()
  private(set) var summary = GridSummary()

  /// The name of the row being inserted, in hexadecimal digits.
  private let name = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)

  init(_ database: Database) throws(SQLiteError) {
    grids = try database.prepare("INSERT INTO grid_utfgrid VALUES (?1, ?2)")
    names = try database.prepare("INSERT INTO grid_key VALUES (?1, ?2)")
    entries = try database.prepare("INSERT INTO keymap VALUES (?1, ?2)")
  }

  deinit {
    name.deallocate()
  }

  /// The grid of an MD5, if it was added.
  func grid(of md5: MD5Digest) -> GridRef? {
    index.number(of: md5).map { GridRef(number: Int32($0)) }
  }

  /// Adds a grid and its keys, which ascend, unless one of the same MD5 is there.
  func add(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, keys: some Sequence<[UInt8]>
  ) throws(SQLiteError) -> GridRef {
    if let number = index.number(of: md5) { return GridRef(number: Int32(number)) }
    guard index.count < Int32.max else {
      throw SQLiteError(code: 13, message: "there are more grids than can be numbered")
    }
    md5.writeHexadecimal(to: name)
    try grids.bindText(borrowing: UnsafeRawBufferPointer(name), at: 1)
    try grids.bindBlob(borrowing: bytes, at: 2)
    try grids.run()
    try names.bindText(borrowing: UnsafeRawBufferPointer(name), at: 1)
    for key in keys {
      try Self.bind(key, to: names, at: 2)
      try names.run()
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

  /// Adds what a key stands for.
  func addEntry(key: [UInt8], json: [UInt8]) throws(SQLiteError) {
    try Self.bind(key, to: entries, at: 1)
    try Self.bind(json, to: entries, at: 2)
    try entries.run()
    taps.add(key: key, json: json)
    summary.keys += 1
    summary.keyBytes += key.count + json.count
  }

  /// The digest of all taps so far.
  var digest: String { taps.value }

  private static func bind(
    _ bytes: [UInt8], to statement: borrowing Statement, at parameter: Int32
  ) throws(SQLiteError) {
    // SQLite keeps a copy: an array's bytes stay in place only while they are lent.
    try statement.bind(String(decoding: bytes, as: UTF8.self), at: parameter)
  }
}
