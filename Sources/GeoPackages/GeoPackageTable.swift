package import Features
package import Ingest
import SQLite

/// A table or view of features or attributes, as its definition and the `gpkg_` tables describe it.
package struct GeoPackageTable: Sendable {
  /// The name in the schema.
  package let name: String
  package let isView: Bool

  /// Everything but the geometry and the key, in the order of the table.
  package private(set) var columns: [GeoPackageColumn] = []

  /// The integer primary key: the feature's id, and the order of reading.
  package private(set) var key: String?

  /// The column of geometries; `nil` for attributes.
  package private(set) var geometry: String?

  package private(set) var referenceSystem = GeometrySystem.degrees

  /// The names of all columns, including those that are not read.
  private var allNames: [String] = []

  /// Describes a table that `gpkg_contents` lists.
  ///
  /// - Throws: ``SourceError`` where the table does not exist, is a view or virtual and must not be
  ///   read, or its reference system is unknown.
  init(_ contents: GeoPackageContents, in file: GeoPackageFile) throws(SourceError) {
    let spelled = GeoPackageFile.singleLine(contents.table)
    guard let entry = try file.entry(contents.table), SQLName.quoted(entry.name) != nil else {
      throw file.bad("'gpkg_contents' lists '\(spelled)', but there is no such table")
    }
    switch entry.kind {
    case .table: break
    case .view where file.allowsViews: break
    case .view:
      throw SourceError(
        code: .configuration, file: file.name,
        message: "'\(spelled)' is a view, a query of the file's author that may take any time. "
          + "Set 'views: true' if you trust the file")
    default: throw file.bad("'\(spelled)' is a virtual table, and only plain ones are read")
    }
    name = entry.name
    isView = entry.kind == .view
    if contents.kind == .features { try findGeometry(in: file) }
    try findColumns(in: file)
  }

  private mutating func findGeometry(in file: GeoPackageFile) throws(SourceError) {
    guard try file.entry("gpkg_geometry_columns")?.isTable == true else {
      throw file.bad("has no table 'gpkg_geometry_columns', which says where geometries are")
    }
    let table = name
    let row = try file.run("read 'gpkg_geometry_columns'") {
      database throws(SQLiteError) -> (column: String, system: Int64?)? in
      let statement = try database.prepare(
        "SELECT column_name, srs_id FROM gpkg_geometry_columns "
          + "WHERE table_name = ?1 COLLATE NOCASE AND typeof(column_name) = 'text' LIMIT 1")
      try statement.bind(table, at: 1)
      guard try statement.step() else { return nil }
      let system = statement.kind(1) == .integer ? statement.integer(1) : nil
      return (statement.text(0) ?? "", system)
    }
    guard let row else {
      throw file.bad(
        "'gpkg_geometry_columns' has no row for '\(GeoPackageFile.singleLine(name))'")
    }
    geometry = row.column
    referenceSystem = try GeometrySystem.find(row.system, table: name, in: file)
  }

  /// Sorts the columns into key, geometry and properties.
  private mutating func findColumns(in file: GeoPackageFile) throws(SourceError) {
    let quoted = SQLName.quoted(name) ?? ""
    var keys: [GeoPackageColumn] = []
    var found: [GeoPackageColumn] = []
    try file.run("read the columns of '\(GeoPackageFile.singleLine(name))'") {
      database throws(SQLiteError) in
      let statement = try database.prepare("PRAGMA table_xinfo(\(quoted))")
      while try statement.step() {
        // 1 marks a hidden column of a virtual table, 2 a column that is computed when it is read.
        guard statement.integer(6) == 0 || statement.integer(6) == 3 else { continue }
        let column = GeoPackageColumn(
          name: statement.text(1) ?? "", declared: statement.text(2) ?? "")
        found.append(column)
        if statement.integer(5) > 0 { keys.append(column) }
      }
    }
    allNames = found.map(\.name)
    if let unreadable = allNames.first(where: { SQLName.quoted($0) == nil }) {
      throw file.bad(
        "has a column with an impossible name '\(GeoPackageFile.singleLine(unreadable))'")
    }
    // SQLite makes the key an alias of the rowid only for this spelling of the type.
    if keys.count == 1, keys[0].declared.uppercased() == "INTEGER" { key = keys[0].name }
    if let geometry {
      guard let exact = allNames.first(where: { SQLName.areEqual($0, geometry) }) else {
        throw file.bad(
          "'\(GeoPackageFile.singleLine(name))' has no column "
            + "'\(GeoPackageFile.singleLine(geometry))', where 'gpkg_geometry_columns' says its "
            + "geometries are")
      }
      self.geometry = exact
    }
    columns = found.filter { $0.name != key && $0.name != geometry }
  }

  /// The SQL expression that orders the rows, quoted: the key or the rowid. `nil` for views, which
  /// are read in the order of their query.
  var order: String? {
    if isView { return nil }
    if let key { return SQLName.quoted(key) }
    return ["rowid", "_rowid_", "oid"].first { name in
      !allNames.contains { SQLName.areEqual($0, name) }
    }
  }
}

extension GeoPackageFile {
  /// Returns the table of features or attributes with a name; without one the only table of
  /// features, or otherwise of attributes.
  ///
  /// - Throws: ``SourceError`` with the names of the tables where the choice is ambiguous.
  package func table(_ name: String? = nil) throws(SourceError) -> GeoPackageTable {
    try GeoPackageTable(try pick(name, of: [.features, .attributes]), in: self)
  }
}
