import CSQLite

/// SQLite's own access to files, except that it leaves symbolic links to the system.
///
/// SQLite resolves links itself, so that a journal lies beside the file that a link names. A link in
/// `/proc/self/fd` names an open file that may have lost its name, so its text is no path; and a file
/// that is opened as immutable has no journal.
enum LinkedNames {
  /// The beginning of the paths that are opened so.
  static let prefix = "/proc/self/fd/"

  /// The name of this access; `nil`, for SQLite's own, if it cannot be registered.
  static let name: String? = quadrille_sqlite3_linked_access().map { String(cString: $0) }
}
