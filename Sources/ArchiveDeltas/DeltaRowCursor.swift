import MBTiles
import SQLite
import Tiling

/// A cursor over the rows of a delta that name tiles; the rows must be in archive order.
final class DeltaRowCursor {
  /// The tile of the current row; `nil` after the last row.
  private(set) var tile: TileCoord?

  /// The `archiveKey` of ``tile``, or the greatest number after the last row.
  private(set) var key = UInt64.max

  private let delta: DeltaReader
  private let statement: Statement
  private var nextKey: UInt64 = 0

  /// Creates a cursor on the first row.
  ///
  /// - Parameter columns: additional columns to read, with a comma before them.
  init(_ delta: DeltaReader, table: String, columns: String = "") throws(ArchiveError) {
    self.delta = delta
    statement = try delta.rows(
      "SELECT zoom_level, tile_column, tile_row\(columns) FROM \(table) ORDER BY rowid")
    try step()
  }

  /// Moves to the next row.
  func step() throws(ArchiveError) {
    do {
      guard try statement.step() else {
        tile = nil
        key = .max
        return
      }
    } catch {
      throw delta.damaged(error)
    }
    guard let tile = TileCoord(row: statement), tile.archiveKey >= nextKey else {
      throw delta.damaged("a row is no tile or out of order")
    }
    key = tile.archiveKey
    nextKey = key + 1
    self.tile = tile
  }

  /// Calls `body` with the bytes of the fourth column, which are valid until the next step.
  func withContent<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try statement.withBytes(3, body)
  }

  /// Returns the name of a grid in the fifth column; `nil` where that is null or not read.
  func grid() throws(ArchiveError) -> MD5Digest? {
    guard statement.kind(4) != .null else { return nil }
    guard let name = statement.withBytes(4, { MD5Digest(hexadecimal: $0) }) else {
      throw delta.damaged("a grid is not named by an MD5")
    }
    return name
  }
}
