/// The mode in which a database file is opened.
package enum OpenMode: Hashable, Sendable {
  /// Reads and writes; creates the file if it does not exist.
  case create

  /// Reads and writes an existing file.
  case readWrite

  /// Reads only, under SQLite's shared locks.
  case readOnly

  /// Reads only, without locks and without checking for a hot journal or log: for a file that is
  /// never written in place, also on a read-only medium. SQLite ignores a `-wal` beside it.
  case immutable

  /// A private database that is never written to disk.
  case memory
}

/// The degree of trust in the content of a database.
package enum Trust: Hashable, Sendable {
  /// The database was written by this process.
  case own

  /// A file from anywhere: its schema may be malicious, its pages may be damaged. Triggers,
  /// functions with side effects in views and writes to the schema are disabled, pages are checked
  /// while they are read, and lengths, depths and program sizes are limited.
  ///
  /// Source: "Defense Against The Dark Arts", https://www.sqlite.org/security.html.
  case foreign
}
