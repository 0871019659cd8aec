package import SQLite
package import TapBlocks

/// The two tables of compact taps, as they are in archives and in deltas.
package enum TapTable: CaseIterable {
  case blocks
  case pages

  /// The name in an archive; a delta has `new_` and `removed_` before it.
  package var name: String {
    switch self {
    case .blocks: "taps"
    case .pages: "tap_entries"
    }
  }

  /// The columns that distinguish the rows.
  package var keys: [String] {
    switch self {
    case .blocks: ["zoom_level", "block_column", "block_row"]
    case .pages: ["first_feature"]
    }
  }

  package var content: String {
    switch self {
    case .blocks: "block_data"
    case .pages: "entry_data"
    }
  }
}

/// The place of a row of compact taps: zoom, column and row of a block, or the first feature of a
/// page.
package struct TapRowKey: Comparable, Sendable {
  package var numbers: [Int64]

  package static func < (one: TapRowKey, other: TapRowKey) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }

  /// The place of a block; `nil` for that of a page, and where there is no such block.
  package var block: TapBlockCoord? {
    guard numbers.count == 3 else { return nil }
    let coord = TapBlockCoord(
      zoom: Int(clamping: numbers[0]), column: Int(clamping: numbers[1]),
      row: Int(clamping: numbers[2]))
    return coord.isValid ? coord : nil
  }

  /// The identifier of the first feature of a page; `nil` for the place of a block.
  package var firstFeature: UInt64? {
    guard numbers.count == 1, let first = UInt64(exactly: numbers[0]) else { return nil }
    return first < TapBlock.identifierLimit ? first : nil
  }
}

/// A cursor over rows of compact taps, ascending.
package final class TapRowCursor {
  /// The place of the row; `nil` after the last one.
  package private(set) var key: TapRowKey?

  private let table: TapTable
  private let statement: Statement
  private let isPlain: Bool
  private let failure: (SQLiteError) -> ArchiveError
  private let fault: (String) -> ArchiveError

  /// Creates a cursor on the first row of an archive.
  package convenience init(_ table: TapTable, of archive: ArchiveReader) throws(ArchiveError) {
    let keys = table.keys.joined(separator: ", ")
    try self.init(
      table,
      archive.prepare(
        "SELECT \(keys), \(table.content) FROM \(table.name) ORDER BY \(keys)", for: .taps()),
      isPlain: false, failure: { ArchiveError($0, reading: .taps(), of: archive.path) },
      fault: { ArchiveError(.content(.damagedTaps(fault: $0)), path: archive.path) })
  }

  /// Creates a cursor on the first row of a statement.
  ///
  /// - Parameters:
  ///   - isPlain: whether the rows have keys alone, without content.
  ///   - failure: the error for a failure of SQLite.
  ///   - fault: the error for a row that must not be there.
  package init(
    _ table: TapTable, _ statement: consuming Statement, isPlain: Bool,
    failure: @escaping (SQLiteError) -> ArchiveError, fault: @escaping (String) -> ArchiveError
  ) throws(ArchiveError) {
    self.table = table
    self.statement = statement
    self.isPlain = isPlain
    self.failure = failure
    self.fault = fault
    try step()
  }

  /// Moves to the next row.
  package func step() throws(ArchiveError) {
    do {
      guard try statement.step() else {
        key = nil
        return
      }
    } catch {
      throw failure(error)
    }
    let count = Int32(table.keys.count)
    guard (0..<count).allSatisfy({ statement.kind($0) == .integer }),
      isPlain || statement.kind(count) == .blob
    else { throw fault("a row of '\(table.name)' has no number or no bytes") }
    let next = TapRowKey(numbers: (0..<count).map { statement.integer($0) })
    guard next.block != nil || next.firstFeature != nil else {
      throw fault("a row of '\(table.name)' is of nothing that there is")
    }
    guard key.map({ $0 < next }) ?? true else {
      throw fault("the rows of '\(table.name)' are out of order")
    }
    key = next
  }

  /// Calls `body` with the compressed bytes, which are valid until the next step.
  package func withContent<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try statement.withBytes(Int32(table.keys.count), body)
  }
}

extension TapRowCursor {
  /// Whether the rows of two cursors have the same bytes.
  package func hasSameContent(as other: TapRowCursor) -> Bool {
    withContent { one in other.withContent { one.hasSameBytes(as: $0) } }
  }
}
