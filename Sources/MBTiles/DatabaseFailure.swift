import SQLite
package import SystemPackage

/// What SQLite refuses of a file that is being written.
package enum DatabaseFailure {
  /// Runs `body`; an error of SQLite names the file.
  ///
  /// - Parameter file: as the user named it.
  /// - Throws: `ArchiveError` for SQLite's errors, and what else `body` throws.
  package static func wrap<Result: ~Copyable>(
    writing file: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw ArchiveError(error, doing: "write", path: file)
    }
  }
}
