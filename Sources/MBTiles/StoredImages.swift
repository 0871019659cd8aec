import SQLite
package import SystemPackage

/// A reader of images of an archive by their rows, which are not trusted.
///
/// A row has the number of the first tile that shows its image: of `images` where images are
/// deduplicated, otherwise of `tiles`. Requested in ascending order, rows close to one another are
/// read in one sweep: 1.5 µs for an image of 1 kB. Not thread-safe; any number of readers may share
/// an archive.
package final class StoredImages {
  /// The greatest distance in rows that is stepped over; a row farther on is searched for.
  private static let nearRows = 24

  /// The number of failures after which the file is no longer read.
  private static let failureLimit = 64

  private let statement: Statement
  private let hasNames: Bool

  /// The row that the statement is positioned on; `nil` if there is none.
  private var current: Int64?
  private var failures = 0

  /// Opens an archive.
  package init(_ path: FilePath, layout: ArchiveLayout) throws(ArchiveError) {
    do {
      let database = try Database(path: path.string, mode: .immutable, trust: .foreign)
      database.setDeadline(seconds: 3600)
      hasNames = layout == .dedup
      statement = try database.prepare(
        "SELECT rowid, tile_data\(hasNames ? ", tile_id FROM images" : " FROM tiles")"
          + " WHERE rowid >= ?1 ORDER BY rowid")
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
  }

  /// Appends the bytes of a row to a buffer; returns `false`, with nothing appended, if the row
  /// does not exist or cannot be read.
  ///
  /// - Parameter name: the MD5 that the image must be stored under, where images have names; `nil`
  ///   takes any.
  /// - Complexity: O(log rows + bytes), or O(bytes) for a row that follows the last one.
  package func append(
    _ row: Int64, named name: MD5Digest? = nil, to bytes: inout [UInt8]
  ) -> Bool {
    guard failures < Self.failureLimit else { return false }
    do {
      guard try stand(on: row), statement.kind(1) == .blob,
        name == nil || !hasNames
          || statement.withBytes(2, { MD5Digest(hexadecimal: $0) }) == name
      else {
        failures += 1
        return false
      }
      statement.withBytes(1) { bytes.append(contentsOf: $0) }
      return true
    } catch {
      failures += 1
      current = nil
      statement.reset()
      return false
    }
  }

  /// Moves to a row, if it exists.
  private func stand(on row: Int64) throws(SQLiteError) -> Bool {
    if let current, current <= row, let isThere = try advance(to: row) { return isThere }
    statement.reset()
    try statement.bind(row, at: 1)
    current = nil
    guard try statement.step() else { return false }
    current = statement.integer(0)
    return current == row
  }

  /// Steps to a row; returns whether it exists, `nil` where it is too far away.
  private func advance(to row: Int64) throws(SQLiteError) -> Bool? {
    for _ in 0...Self.nearRows {
      guard let here = current, here < row else { return current == row }
      guard try statement.step() else {
        current = nil
        statement.reset()
        return false
      }
      current = statement.integer(0)
    }
    return nil
  }
}
