import CSQLite

/// SQLite's own file access (VFS), except that it does not resolve symbolic links.
///
/// SQLite resolves links so that a journal lies beside the file that a link names. But a link in
/// `/proc/self/fd` leads to an open file that may have lost its name, so its text is no path; and a
/// file that is opened as immutable has no journal.
enum LinkedNames {
  /// The prefix of the paths that are opened this way.
  static let prefix = "/proc/self/fd/"

  /// The name of the VFS; `nil`, for SQLite's default, if it cannot be registered.
  static let name: String? = quadrille_sqlite3_linked_access().map { String(cString: $0) }
}
