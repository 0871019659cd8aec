import SQLite
package import TapBlocks
import Tiling

/// Compact taps as they are stored: zlib streams, for clients that inflate them themselves.
extension ArchiveReader {
  /// Returns the stream of a block, `nil` where nothing in it answers taps.
  package func tapStream(of coord: TapBlockCoord) throws(ArchiveError) -> [UInt8]? {
    try tapStream(of: coord, as: .taps())
  }

  /// Returns the stream of a block; an error is one of reading a part of the archive.
  func tapStream(
    of coord: TapBlockCoord, as part: ArchiveError.Part
  ) throws(ArchiveError) -> [UInt8]? {
    try reading(part) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT block_data FROM taps WHERE zoom_level = ?1 AND block_column = ?2"
          + " AND block_row = ?3")
      try statement.bind(Int64(coord.zoom), at: 1)
      try statement.bind(Int64(coord.column), at: 2)
      try statement.bind(Int64(coord.row), at: 3)
      guard try statement.step(), statement.kind(0) == .blob else { return nil }
      return statement.withBytes(0) { Array($0) }
    }
  }

  /// Calls `body` with every block and its stream, by zoom, column and row; rows that name no block
  /// are left out.
  package func forEachTapStream(
    _ body: (TapBlockCoord, [UInt8]) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let statement = try prepare(
      "SELECT zoom_level, block_column, block_row, block_data FROM taps"
        + " ORDER BY zoom_level, block_column, block_row", for: .taps())
    while try reading(.taps(), { () throws(SQLiteError) in try statement.step() }) {
      guard statement.kind(3) == .blob else { continue }
      let coord = TapBlockCoord(
        zoom: Int(clamping: statement.integer(0)), column: Int(clamping: statement.integer(1)),
        row: Int(clamping: statement.integer(2)))
      guard coord.isValid else { continue }
      try body(coord, statement.withBytes(3) { Array($0) })
    }
  }

  /// Returns the numbers of the first features of the pages of entries, ascending.
  ///
  /// - Complexity: O(pages).
  package func tapPageStarts() throws(ArchiveError) -> [Int] {
    try reading(.taps()) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT first_feature FROM tap_entries ORDER BY first_feature")
      var starts: [Int] = []
      while try statement.step() { starts.append(Int(clamping: statement.integer(0))) }
      return starts
    }
  }

  /// Returns the stream of the page of entries that begins with a feature, `nil` if there is none.
  package func tapPageStream(first: Int) throws(ArchiveError) -> [UInt8]? {
    try reading(.taps()) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT entry_data FROM tap_entries WHERE first_feature = ?1")
      try statement.bind(Int64(first), at: 1)
      guard try statement.step(), statement.kind(0) == .blob else { return nil }
      return statement.withBytes(0) { Array($0) }
    }
  }
}

/// A reader of rows of compact taps as they are stored, which are asked for in ascending order.
package final class TapStreamCursor {
  private let archive: ArchiveReader
  private var cursors: [TapTable: TapRowCursor] = [:]

  package init(_ archive: ArchiveReader) {
    self.archive = archive
  }

  /// Returns the stream of a block; `nil` where there is none, or the table cannot be read.
  package func block(_ coord: TapBlockCoord) -> [UInt8]? {
    stream(.blocks, [coord.zoom, coord.column, coord.row].map { Int64($0) })
  }

  /// Returns the stream of the page that begins with an identifier; `nil` as for blocks.
  package func page(first: UInt64) -> [UInt8]? { stream(.pages, [Int64(clamping: first)]) }

  private func stream(_ table: TapTable, _ numbers: [Int64]) -> [UInt8]? {
    let wanted = TapRowKey(numbers: numbers)
    do throws(ArchiveError) {
      if cursors[table] == nil { cursors[table] = try TapRowCursor(table, of: archive) }
      guard let cursor = cursors[table] else { return nil }
      while let key = cursor.key, key < wanted { try cursor.step() }
      guard cursor.key == wanted else { return nil }
      return try cursor.withContent { (bytes) throws(ArchiveError) in Array(bytes) }
    } catch {
      return nil
    }
  }
}
