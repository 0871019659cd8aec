import Features
import SQLite

/// One row of a database's schema: the object that a name stands for.
struct GeoPackageEntry {
  enum Kind: Hashable {
    case table
    case view
    /// A table that a module of SQLite provides.
    case virtual
    case other
  }

  /// The name as the schema spells it.
  var name: String
  var kind: Kind
  /// The SQL statement that created the object.
  var sql: String

  var isTable: Bool { kind == .table }
}

extension GeoPackageFile {
  /// Looks up a name, ignoring ASCII case; `nil` where it does not exist.
  func entry(_ name: String) throws(SourceError) -> GeoPackageEntry? {
    try run("be read") { database throws(SQLiteError) in
      // A name in the schema that is neither an index nor a trigger is unique.
      let statement = try database.prepare(
        "SELECT name, type, sql, rootpage FROM sqlite_master WHERE name = ?1 COLLATE NOCASE "
          + "AND type IN ('table', 'view') LIMIT 1")
      try statement.bind(name, at: 1)
      guard try statement.step() else { return nil }
      let kind: GeoPackageEntry.Kind =
        switch statement.text(1) {
        case "table": statement.integer(3) > 0 ? .table : .virtual
        case "view": .view
        default: .other
        }
      return GeoPackageEntry(
        name: statement.text(0) ?? "", kind: kind, sql: statement.text(2) ?? "")
    }
  }
}
