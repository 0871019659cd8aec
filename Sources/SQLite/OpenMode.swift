/// How a database file is opened.
package enum OpenMode: Hashable, Sendable {
  /// Reads and writes, and creates the file where there is none.
  case create

  /// Reads and writes a file that exists.
  case readWrite

  /// Reads only, under SQLite's shared locks.
  case readOnly

  /// Reads only, without locks and without looking for a journal or log: for a file that nobody
  /// writes in place, also on a medium that cannot be written. SQLite ignores a `-wal` beside it.
  case immutable

  /// A database of its own that never reaches the disk.
  case memory
}

/// How far the content of a database is trusted.
package enum Trust: Hashable, Sendable {
  /// We wrote it, in this process.
  case own

  /// A file from anywhere: its schema may lie, its pages may be damaged. Triggers, functions with
  /// side effects in views and writes to the schema are off, pages are checked while they are
  /// read, and lengths, depths and program sizes are limited.
  ///
  /// Source: "Defense Against The Dark Arts", https://www.sqlite.org/security.html.
  case foreign
}
