package import Features
import Files
import Ingest
import SQLite
package import SystemPackage

/// An open, untrusted GeoPackage (OGC 12-128r19), read-only.
///
/// The file is opened as immutable: no lock is taken, nothing is written beside it, and it must not
/// change while it is read. A file with changes that another program has not yet written into it (a
/// `-wal` or a hot journal) is refused, since they would be missing. SQLite runs with triggers off,
/// views off unless asked for, no attaching, limits on values, and an authorizer that permits
/// reading only; each step has a deadline and a bound on the heap (``GeoPackageLimits``).
package final class GeoPackageFile {
  /// The file as the user named it.
  package let name: String

  /// The size of the file in bytes.
  package let byteCount: Int

  /// The tables of the file, sorted by their name in `gpkg_contents`.
  package private(set) var contents: [GeoPackageContents] = []

  package let limits: GeoPackageLimits

  /// Whether views may be read.
  package let allowsViews: Bool

  /// Whether texts are stored as UTF-8 rather than UTF-16.
  private(set) var isUTF8 = true

  let database: Database

  /// Opens a file and lists its contents.
  ///
  /// - Parameter place: the path beside which other programs leave their changes, if it differs.
  /// - Throws: ``SourceError`` `missing`, `permission`, `io`, or `badData` for anything but a
  ///   GeoPackage.
  package init(
    path: FilePath, beside place: FilePath? = nil, name: String, allowsViews: Bool = false,
    limits: GeoPackageLimits = GeoPackageLimits()
  ) throws(SourceError) {
    let source = try ByteSource(path: path, name: name, chunk: 4096)
    guard let byteCount = source.byteCount else {
      throw SourceError(
        code: .configuration, file: name,
        message: "is a pipe, and a GeoPackage cannot be read from one; save it as a file first")
    }
    while source.buffer.count < SQLiteHeader.byteCount {
      if try source.fill(keeping: source.buffer.count) == 0 { break }
    }
    guard let head = SQLiteHeader(source.buffer) else {
      throw SourceError(
        code: .badData, file: name,
        message: "is no GeoPackage: it does not begin as a SQLite database does")
    }
    if let refusal = head.refusal(fileBytes: byteCount) {
      throw SourceError(code: .badData, file: name, message: refusal)
    }
    try Self.refuseChanges(beside: place ?? path, name: name)
    self.name = name
    self.byteCount = byteCount
    self.limits = limits
    self.allowsViews = allowsViews
    do throws(SQLiteError) {
      database = try Database(path: path.string, mode: .immutable, trust: .foreign)
      database.limit(valueBytes: limits.valueBytes + 4096, columns: limits.columns)
      try database.setViews(enabled: allowsViews)
    } catch {
      throw Self.refusal(error, doing: "be opened", file: name, limits: limits)
    }
    permit(tables: [])
    contents = try GeoPackageContents.list(of: self)
    isUTF8 = try run("be read") { database throws(SQLiteError) in
      try database.text("PRAGMA encoding") == "UTF-8"
    }
  }

  /// Refuses a file with changes in a `-wal` or `-journal` beside it.
  ///
  /// SQLite can be configured to leave a finished journal in place, with zeros for its first bytes.
  private static func refuseChanges(beside path: FilePath, name: String) throws(SourceError) {
    for (ending, remedy) in [("-wal", "wal_checkpoint(TRUNCATE)"), ("-journal", "quick_check")] {
      let beside = FilePath(path.string + ending)
      guard let file = try? ByteSource(path: beside, name: name + ending, chunk: 16),
        let bytes = try? file.fill(keeping: 0), bytes > 0,
        ending == "-wal" || file.buffer.contains(where: { $0 != 0 })
      else { continue }
      throw SourceError(
        code: .badData, file: name,
        message: "has changes that are only in '\(name)\(ending)' so far. Close the program that "
          + "has it open, or run: sqlite3 '\(name)' 'PRAGMA \(remedy)'")
    }
  }
}

// Running statements under the limits.
extension GeoPackageFile {
  /// Tables that describe the others.
  static let systemTables = [
    "sqlite_master", "gpkg_contents", "gpkg_spatial_ref_sys", "gpkg_geometry_columns",
    "gpkg_extensions", "gpkg_tile_matrix_set", "gpkg_tile_matrix",
  ]

  /// The SQL functions that our own statements use.
  private static let functions = [
    "abs", "char", "count", "glob", "instr", "length", "max", "min", "substr", "sum", "typeof",
  ]

  /// Permits reading the system tables and the given tables; a view may read all tables.
  func permit(tables: [String], includingView: Bool = false) {
    database.permitOnly(
      ReadPermission(
        tables: includingView ? nil : Self.systemTables + tables,
        functions: includingView ? nil : Self.functions, pragmas: ["table_xinfo", "encoding"],
        allowsRecursion: includingView))
  }

  /// Runs one step under deadline and memory limit.
  ///
  /// - Parameters:
  ///   - doing: the step in words, to complete "cannot …".
  ///   - seconds: the deadline; that of the limits where it is `nil`.
  func run<Result: ~Copyable>(
    _ doing: String, seconds: Double? = nil,
    _ step: (Database) throws(SQLiteError) -> Result
  ) throws(SourceError) -> Result {
    let allowed =
      limits.seconds + limits.secondsPerMegabyte * Double(byteCount) / 1_048_576
    database.setDeadline(seconds: seconds ?? allowed)
    database.setMemoryLimit(bytes: limits.heapBytes)
    defer {
      database.setDeadline(seconds: nil)
      database.setMemoryLimit(bytes: nil)
    }
    do throws(SQLiteError) {
      return try step(database)
    } catch {
      throw Self.refusal(error, doing: doing, file: name, limits: limits)
    }
  }

  /// The number of pages fetched from the file so far.
  package var pagesRead: Int { database.pagesRead }

  /// Returns the error for bad content of the file.
  func bad(_ message: String) -> SourceError {
    SourceError(code: .badData, file: name, message: message)
  }

  /// Returns SQLite's error as one sentence.
  private static func refusal(
    _ error: SQLiteError, doing: String, file: String, limits: GeoPackageLimits
  ) -> SourceError {
    let reason: (SourceError.Code, String) =
      if error.isInterrupted || error.isOutOfMemory {
        (.badData, "it takes too long or too much memory, as a damaged or hostile file does")
      } else if error.isTooBig {
        (.badData, "a value or row is larger than \(limits.valueBytes >> 20) MiB")
      } else if error.isCorrupt {
        (
          .badData,
          "the file is damaged (\(error.message)). Check it with: "
            + "sqlite3 '\(file)' 'PRAGMA integrity_check'"
        )
      } else if error.isInputOutput || error.isCannotOpen {
        (.io, error.message)
      } else if error.isPermission {
        (.badData, "what it would need is not permitted: \(error.message)")
      } else {
        (.badData, error.message)
      }
    return SourceError(
      code: reason.0, file: file, message: "cannot \(doing): \(singleLine(reason.1))")
  }

  /// Returns a text of the file for a message: one line, at most 200 characters.
  static func singleLine(_ text: String) -> String {
    let line = text.prefix(200).map { $0.isNewline || $0 == "\u{0}" ? " " : $0 }
    return String(line)
  }
}
