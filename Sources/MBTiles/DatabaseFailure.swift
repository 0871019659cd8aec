import SQLite
package import SystemPackage

/// A conversion of SQLite's errors on a file that is being written.
package enum DatabaseFailure {
  /// Runs `body`; an error of SQLite names the file.
  ///
  /// - Parameter file: the path as the user entered it.
  /// - Throws: `ArchiveError` for SQLite's errors, and any other error of `body`.
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
