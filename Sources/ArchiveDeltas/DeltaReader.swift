import Files
package import MBTiles
import SQLite
package import SystemPackage

/// A reader of deltas from anywhere, whose content is not trusted.
///
/// The file must hold exactly the tables of ``DeltaFormat`` and pass SQLite's check, which ensures
/// that every page is used once: so iterating over its rows terminates, and never reads more bytes
/// than the file has.
package final class DeltaReader {
  package let path: FilePath
  package let facts: DeltaFacts

  /// The rows of the new archive's metadata, in order.
  let metadata: [MetadataEntry]

  private let database: Database

  /// Maximum bytes of one value: more than any tile, and as much as an archive accepts.
  private static let valueLimit = 64 << 20

  /// Opens a delta.
  ///
  /// - Parameter seconds: The deadline for everything that is read, in seconds from now.
  /// - Throws: ``ArchiveError/Code/missing`` or ``ArchiveError/Code/badArchive``.
  package init(_ path: FilePath, giveUpAfter seconds: Double = 3600) throws(ArchiveError) {
    let file = try HeldFile(archive: path, noun: "delta")
    guard let header = try FileCheck(file: file).readerHeader(),
      header.applicationID == DeltaFormat.applicationID
    else { throw ArchiveError(.content(.notDelta), path: path) }
    guard header.pageSize * header.writtenPages == (try? file.status.size), !header.usesLog else {
      throw Self.damaged(path, "its length is not that of its pages")
    }
    self.path = path
    do throws(SQLiteError) {
      database = try Database(path: file.address.string, mode: .immutable, trust: .foreign)
      database.setDeadline(seconds: seconds)
      database.limit(valueBytes: Self.valueLimit, columns: 64)
    } catch {
      throw Self.damaged(path, error)
    }
    (facts, metadata) = try Self.check(database, path)
  }

  /// Checks pages, tables, facts and metadata.
  private static func check(
    _ database: Database, _ path: FilePath
  ) throws(ArchiveError) -> (DeltaFacts, [MetadataEntry]) {
    do throws(SQLiteError) {
      guard try database.integer("PRAGMA user_version") == DeltaFormat.version else {
        throw SQLiteError(code: 11, message: "its format is not \(DeltaFormat.version)")
      }
      let verdict = try database.text("PRAGMA quick_check(1)") ?? ""
      guard verdict == "ok" else {
        if let failure = SQLiteError(unreadablePageIn: verdict) { throw failure }
        // SQLite begins with a line that names the database.
        let line = verdict.split(separator: "\n").last ?? "a page is wrong"
        throw SQLiteError(code: 11, message: String(line))
      }
      var form: DeltaForm?
      for candidate in DeltaForm.all where try database.hasSchema(candidate.tables) {
        form = candidate
      }
      guard let form else { throw SQLiteError(code: 11, message: "its tables are others") }
      guard let facts = DeltaFacts(try rows(of: "facts", in: database)), facts.form == form
      else { throw SQLiteError(code: 11, message: "its facts make no sense") }
      let metadata = try rows(of: "new_metadata", in: database)
      guard Set(metadata.map(\.name)).count == metadata.count else {
        throw SQLiteError(code: 11, message: "a name of its metadata occurs twice")
      }
      if let fault = metadata.lazy.compactMap(MetadataRules.fault).first {
        throw SQLiteError(code: 11, message: fault)
      }
      return (facts, metadata)
    } catch {
      throw damaged(path, error)
    }
  }

  /// Aborts whatever is being read, with an error, once the function returns true.
  package func stopWhen(_ isStopped: @escaping @Sendable () -> Bool) {
    database.stopWhen(isStopped)
  }

  /// Returns the names and values of a table; throws for a row that is not text.
  private static func rows(
    of table: String, in database: Database
  ) throws(SQLiteError) -> [MetadataEntry] {
    let statement = try database.prepare("SELECT name, value FROM \(table) ORDER BY rowid")
    var entries: [MetadataEntry] = []
    while try statement.step() {
      guard entries.count < 10_000, statement.kind(0) == .text, statement.kind(1) == .text,
        let name = statement.text(0), let value = statement.text(1)
      else { throw SQLiteError(code: 11, message: "a row of '\(table)' makes no sense") }
      entries.append(MetadataEntry(name, value))
    }
    return entries
  }

  /// Prepares a query that iterates over rows in the order in which they are stored.
  func rows(_ sql: String) throws(ArchiveError) -> Statement {
    do {
      return try database.prepare(sql)
    } catch {
      throw damaged(error)
    }
  }

  /// Runs steps of its queries; what SQLite cannot read is damage.
  func attempt<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(ArchiveError) -> Result {
    do { return try body() } catch { throw damaged(error) }
  }

  /// Returns a text, which must be UTF-8 without NUL, so that the archive's rows are what is
  /// hashed.
  func text(_ row: borrowing Statement, _ column: Int32) throws(ArchiveError) -> [UInt8] {
    let bytes = row.withBytes(column) { Array($0) }
    guard row.kind(column) == .text, String(validating: bytes, as: UTF8.self) != nil,
      !bytes.contains(0)
    else { throw damaged("a key or what it stands for is no text") }
    return bytes
  }

  /// Returns a cursor over the tiles that are new or changed.
  func changedTiles() throws(ArchiveError) -> DeltaRowCursor {
    switch facts.layout {
    case .dedup:
      try DeltaRowCursor(
        self, table: "new_map", columns: facts.form.hasGrids ? ", tile_id, grid_id" : ", tile_id")
    case .flat: try DeltaRowCursor(self, table: "new_tiles", columns: ", tile_data")
    }
  }

  /// Returns the error for a delta that cannot be used.
  func damaged(_ why: String) -> ArchiveError { Self.damaged(path, why) }

  /// Returns the error for a delta that SQLite cannot read to its end.
  func damaged(_ error: SQLiteError) -> ArchiveError { Self.damaged(path, error) }

  private static func damaged(_ path: FilePath, _ error: SQLiteError) -> ArchiveError {
    error.isUnreadable
      ? ArchiveError(error, doing: "read", path: path) : damaged(path, error.message)
  }

  private static func damaged(_ path: FilePath, _ why: String) -> ArchiveError {
    ArchiveError(.content(.damagedDelta(fault: why)), path: path)
  }
}
