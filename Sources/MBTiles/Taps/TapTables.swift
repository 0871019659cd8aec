import Files
import Hashing
import TapBlocks

/// The writer of an ``ArchiveWriter``'s rows of compact taps: all blocks, then all pages of
/// entries.
final class TapTables {
  private var blocks: TableTree
  private var pages: TableTree
  private var record = RecordBuffer()
  private var hash = TapsHash()
  private(set) var summary = GridSummary()

  init(_ file: PageFile) {
    blocks = TableTree(file)
    pages = TableTree(file)
    summary.isCompact = true
  }

  /// Adds a block.
  ///
  /// - Parameters:
  ///   - stream: the compressed bytes.
  ///   - tiles: the number of its tiles that answer taps.
  func add(
    _ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int
  ) throws(ArchiveError) {
    record.begin()
    record.add(Int64(coord.zoom))
    record.add(Int64(coord.column))
    record.add(Int64(coord.row))
    try append(stream, to: &blocks)
    hash.add(coord, stream)
    summary.distinct += 1
    summary.bytes += stream.count
    summary.tiles += tiles
  }

  /// Adds a page of entries.
  ///
  /// - Parameters:
  ///   - first: the identifier of its first entry, greater than all before.
  ///   - stream: the compressed bytes.
  ///   - count: the number of its entries.
  func add(
    first: UInt64, _ stream: [UInt8], count: Int
  ) throws(ArchiveError) {
    record.begin()
    record.add(Int64(first))
    try append(stream, to: &pages)
    hash.add(first: Int64(first), stream)
    summary.keys += count
    summary.keyBytes += stream.count
  }

  /// The digest of all rows so far.
  var digest: String { hash.digest }

  /// Completes a row with its bytes.
  private func append(_ stream: [UInt8], to table: inout TableTree) throws(ArchiveError) {
    try stream.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
      try record.withPayload(blob: UnsafeRawBufferPointer(bytes)) {
        (payload) throws(ArchiveError) in try table.append(payload)
      }
    }
  }

  /// Finishes the tables and returns their roots by name.
  func finish() throws(ArchiveError) -> [String: UInt32] {
    ["taps": try blocks.finish(), "tap_entries": try pages.finish()]
  }
}

/// The fingerprint of all rows of compact taps: SHA-256 over each row's numbers and bytes, with the
/// number of bytes before them (`3/5/6:120:…` for a block, `17:80:…` for entries).
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

  var digest: String { Hexadecimal.text(hash.finalize()) }
}
