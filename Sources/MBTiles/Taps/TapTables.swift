import Columns
import Files
import Hashing
package import TapBlocks
import Tiling

/// An archive under construction that receives compact taps after its tiles: all blocks by zoom, column
/// and row, then all pages of entries by their first features.
package protocol TapSink {
  /// Adds a block.
  ///
  /// - Parameters:
  ///   - stream: the compressed bytes.
  ///   - tiles: the number of its tiles that answer taps.
  func addTaps(_ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int) throws(ArchiveError)

  /// Adds a compressed page of `count` entries, the data of features; its first identifier must be
  /// greater than all before.
  func addTapEntries(first: UInt64, _ stream: [UInt8], count: Int) throws(ArchiveError)
}

/// The writer of an archive's rows of compact taps, and of their indexes.
final class TapTables {
  private var blocks: TableTree
  private var pages: TableTree
  private var record = RecordBuffer()
  private var hash = TapsHash()
  private(set) var summary = GridSummary()

  /// The rows in the order of their indexes, which is the one in which they come.
  private var coords: Column<TapBlockCoord>
  private var firstFeatures: Column<UInt64>

  init(_ file: PageFile, in scratch: Scratch?) {
    blocks = TableTree(file)
    pages = TableTree(file)
    (coords, firstFeatures) = (Column(in: scratch), Column(in: scratch))
    summary.isCompact = true
  }

  /// Adds a block.
  ///
  /// - Parameters:
  ///   - stream: the compressed bytes.
  ///   - tiles: the number of its tiles that answer taps.
  /// - Throws: ``ArchiveError/Code/misuse`` if it does not come after the one before.
  func add(
    _ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int
  ) throws(ArchiveError) {
    if let last = coords.last,
      (last.zoom, last.column, last.row) >= (coord.zoom, coord.column, coord.row)
    {
      throw misuse("blocks of taps")
    }
    coords.append(coord)
    record.begin()
    record.add(coord)
    try append(stream, to: &blocks, row: Self.row(of: coord))
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
    if let last = firstFeatures.last, last >= first { throw misuse("pages of entries") }
    firstFeatures.append(first)
    record.begin()
    record.add(Int64(first))
    try append(stream, to: &pages, row: Self.row(ofPage: first))
    hash.add(first: Int64(first), stream)
    summary.keys += count
    summary.keyBytes += stream.count
  }

  /// The digest of all rows so far.
  var digest: String { hash.digest }

  /// Completes a row with its bytes.
  private func append(
    _ stream: [UInt8], to table: inout TableTree, row: UInt64
  ) throws(ArchiveError) {
    try stream.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
      try record.withPayload(blob: UnsafeRawBufferPointer(bytes)) {
        (payload) throws(ArchiveError) in try table.append(payload, row: row)
      }
    }
  }

  /// Ends the tables and returns the pages above their leaves.
  func end() throws(ArchiveError) -> [UpperPages] {
    [UpperPages("taps", try blocks.end()), UpperPages("tap_entries", try pages.end())]
  }

  /// Writes the leaves of the indexes and returns the pages above them.
  func writeIndexes(to file: PageFile) throws(ArchiveError) -> [UpperPages] {
    let blocks = try index(coords.count, in: file) { record, place in
      record.add(self.coords[place])
      return Self.row(of: self.coords[place])
    }
    let pages = try index(firstFeatures.count, in: file) { record, place in
      record.add(Int64(self.firstFeatures[place]))
      return Self.row(ofPage: self.firstFeatures[place])
    }
    return [UpperPages("taps_index", blocks), UpperPages("tap_entries_index", pages)]
  }

  /// The number of a block's row, by which a reader finds it without the index: it ascends with zoom,
  /// column and row.
  private static func row(of coord: TapBlockCoord) -> UInt64 {
    TileCoord.firstNumber(ofZoom: coord.zoom) + UInt64(coord.column) << UInt64(coord.zoom)
      + UInt64(coord.row)
  }

  /// The number of the row of a page of entries.
  private static func row(ofPage first: UInt64) -> UInt64 { first + 1 }

  /// Writes the index of a table whose rows are in its order.
  ///
  /// - Parameter key: adds the values of a row's key and returns its number.
  private func index(
    _ count: Int, in file: PageFile, _ key: (inout RecordBuffer, Int) -> UInt64
  ) throws(ArchiveError) -> InteriorPages {
    var index = IndexTree(file)
    for place in 0..<count {
      record.begin()
      let row = key(&record, place)
      record.add(Int64(row))
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: false)
      }
    }
    return try index.end()
  }

  private func misuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: "\(what) that are out of order"))
  }
}

extension RecordBuffer {
  fileprivate mutating func add(_ coord: TapBlockCoord) {
    add(Int64(coord.zoom))
    add(Int64(coord.column))
    add(Int64(coord.row))
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
