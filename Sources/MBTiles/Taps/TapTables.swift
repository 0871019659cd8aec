import Crypto
import SQLite
import TapBlocks

/// Writes the rows of compact taps into the database of an ``ArchiveWriter``: all blocks, then all
/// pages of entries.
final class TapTables {
  private let blocks: Statement
  private let pages: Statement
  private var hash = TapsHash()
  private(set) var summary = GridSummary()

  init(_ database: Database) throws(SQLiteError) {
    blocks = try database.prepare("INSERT INTO taps VALUES (?1, ?2, ?3, ?4)")
    pages = try database.prepare("INSERT INTO tap_entries VALUES (?1, ?2)")
    summary.isCompact = true
  }

  /// Adds a block.
  ///
  /// - Parameters:
  ///   - stream: its bytes, compressed.
  ///   - tiles: how many of its tiles answer.
  func add(
    _ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int
  ) throws(SQLiteError) {
    for (index, number) in [coord.zoom, coord.column, coord.row].enumerated() {
      try blocks.bind(Int64(number), at: Int32(index + 1))
    }
    try Self.bind(stream, to: blocks, at: 4)
    hash.add(coord, stream)
    summary.distinct += 1
    summary.bytes += stream.count
    summary.tiles += tiles
  }

  /// Adds a page of entries.
  ///
  /// - Parameters:
  ///   - first: the number of its first entry, greater than all before.
  ///   - stream: its bytes, compressed.
  ///   - count: how many entries it has.
  func add(
    first: UInt32, _ stream: [UInt8], count: Int
  ) throws(SQLiteError) {
    try pages.bind(Int64(first), at: 1)
    try Self.bind(stream, to: pages, at: 2)
    hash.add(first: Int64(first), stream)
    summary.keys += count
    summary.keyBytes += stream.count
  }

  /// The digest of all rows so far.
  var digest: String { hash.digest }

  private static func bind(
    _ bytes: [UInt8], to statement: borrowing Statement, at parameter: Int32
  ) throws(SQLiteError) {
    // The bytes are lent only as long as the statement runs.
    try bytes.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
      try statement.bindBlob(borrowing: UnsafeRawBufferPointer(bytes), at: parameter)
      try statement.run()
    }
  }
}

/// The fingerprint of all rows of compact taps: SHA-256 over each row's numbers and bytes, with how many
/// those are before them (`3/5/6:120:…` for a block, `17:80:…` for entries).
struct TapsHash {
  private var hash = SHA256()

  mutating func add(_ coord: TapBlockCoord, _ bytes: some Collection<UInt8>) {
    add("\(coord.zoom)/\(coord.column)/\(coord.row)", bytes)
  }

  mutating func add(first: Int64, _ bytes: some Collection<UInt8>) { add("\(first)", bytes) }

  private mutating func add(_ name: String, _ bytes: some Collection<UInt8>) {
    hash.update(data: Array("\(name):\(bytes.count):".utf8))
    hash.update(data: Array(bytes))
  }

  var digest: String { lowercaseHexadecimal(hash.finalize()) }
}
