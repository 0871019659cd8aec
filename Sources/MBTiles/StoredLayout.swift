import SQLite

/// The way in which an existing archive stores its tiles.
package enum StoredLayout: String, Hashable, Sendable {
  /// Tables `map` and `images` and a view `tiles`.
  case dedup
  /// A table `tiles`.
  case flat
  /// A view `tiles` over other tables.
  case view

  /// Detects the layout of an open file, or `nil` if it has no `tiles` at all.
  init?(of database: Database) throws(SQLiteError) {
    func has(_ kind: String, _ name: String) throws(SQLiteError) -> Bool {
      let statement = try database.prepare(
        "SELECT 1 FROM sqlite_schema WHERE type = ?1 AND name = ?2")
      try statement.bind(kind, at: 1)
      try statement.bind(name, at: 2)
      return try statement.step()
    }
    if try has("table", "tiles") {
      self = .flat
    } else if try has("view", "tiles") {
      let hasMap = try has("table", "map")
      let hasImages = try has("table", "images")
      self = hasMap && hasImages ? .dedup : .view
    } else {
      return nil
    }
  }
}
