import Files
import Platform
import SQLite
package import SystemPackage

/// The journals and logs that SQLite keeps beside a database while a program writes it, and that
/// stay there when that program is killed.
///
/// SQLite takes them for part of whatever file has the database's name when it is opened next: it
/// would write pages of the old file into a new one with that name. So they are settled before a
/// file gets a name. Source: https://www.sqlite.org/lockingv3.html, "Hot Journals";
/// https://www.sqlite.org/wal.html.
package enum LeftoverJournal {
  /// The suffixes that SQLite appends to the name of a database.
  static let suffixes = contentSuffixes + ["-shm"]

  /// The suffixes of the files that hold part of the database's content.
  static let contentSuffixes = ["-journal", "-wal"]

  /// Returns the files that exist.
  static func files(
    besides path: FilePath, _ suffixes: [String] = LeftoverJournal.suffixes
  ) -> [FilePath] {
    suffixes.map { FilePath(path.string + $0) }.filter { FileStatus.exists($0) }
  }

  /// Completes the recovery after a killed program: afterwards the file is what SQLite makes of it,
  /// with a transaction rolled back or a log checkpointed, and there are no files beside it. Does
  /// nothing where there are none.
  ///
  /// Files beside a database that SQLite cannot open for writing are removed, since the caller is
  /// about to replace that database.
  /// - Throws: ``ArchiveError/Code/locked``, with everything left as it was, while a program has
  ///   the database open for writing, or has its log open; the system's error if the removal fails.
  package static func settle(_ path: FilePath) throws(ArchiveError) {
    guard !files(besides: path).isEmpty else { return }
    if FileStatus.exists(path) { try recover(path) }
    for file in files(besides: path) {
      guard unlink(file.string) != 0, errno != ENOENT else { continue }
      throw ArchiveError(Errno(rawValue: errno), doing: "remove", path: file)
    }
    do throws(Errno) {
      try DurableFile.synchronizeFolder(of: path)
    } catch {
      throw ArchiveError(error, doing: "make durable", path: path)
    }
  }

  /// Settles the files as ``settle(_:)`` does, if the file that will take the name is a database.
  package static func settle(_ path: FilePath, for replacement: FilePath) throws(ArchiveError) {
    do throws(Errno) {
      guard try FileCheck(file: HeldFile(replacement)).readHeader() != nil else { return }
    } catch {
      throw ArchiveError(error, doing: "read", path: replacement)
    }
    try settle(path)
  }

  /// Lets SQLite recover a database.
  private static func recover(_ path: FilePath) throws(ArchiveError) {
    do {
      let database = try Database(path: path.string, mode: .readWrite, trust: .foreign)
      database.setDeadline(seconds: 60)
      // A current writer holds a lock; a log is only removed if no other program has it open.
      try database.execute("BEGIN IMMEDIATE; COMMIT")
      guard try database.text("PRAGMA journal_mode=DELETE") != "wal" else { throw inUse(path) }
    } catch {
      if let error = error as? ArchiveError { throw error }
      if (error as? SQLiteError)?.isLocked == true { throw inUse(path) }
      // It is not a database, or not writable.
    }
  }

  private static func inUse(_ path: FilePath) -> ArchiveError {
    ArchiveError(.file(.inUse), path: path)
  }
}
