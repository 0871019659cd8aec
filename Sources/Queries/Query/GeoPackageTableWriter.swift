import Archives
import Features
import Ingest
import JSON
import SQLite
import Tiling

/// A table of a GeoPackage with the features of one source, and its index.
final class GeoPackageTableWriter {
  private static let geometryName = "geom"

  /// The table's name, not quoted for SQL.
  let name: String
  private let layer: QuerySchema.Layer
  private let columns: [Column]
  private let type: GeometryType
  private let row: Statement
  private let box: Statement?
  private var geometry = GeoPackageGeometryEncoder()
  private var extent = Box<Double>.empty
  private var count: Int64 = 0

  /// A column for a property.
  private struct Column {
    var property: String
    /// The name of the column, unique regardless of case.
    var name: String
    var type: QuerySchema.ValueType
  }

  /// The indices of ``columns`` in the batches, looked up again when these change.
  private var places: (generation: Int, columns: [Int?]) = (-1, [])

  /// Creates the table.
  ///
  /// - Parameter name: the table's name, unique in the file.
  init(_ name: String, for layer: QuerySchema.Layer, in database: Database) throws {
    self.name = name
    self.layer = layer
    type = GeometryType(layer)
    var taken: Set<String> = ["fid", Self.geometryName]
    func unique(_ name: String) -> String {
      let text = name.isEmpty ? "column" : name.replacing("\0", with: "_")
      return UniqueNames.make(text, among: &taken) { $0.lowercased() }
    }
    columns = layer.columns.map { Column(property: $0, name: unique($0), type: $1) }
    let idName = layer.hasIDs ? unique("id") : nil
    var names = ["fid"] + (type == .none ? [] : [Self.geometryName])
    var definitions = ["fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"]
    if type != .none { definitions.append("\(Self.geometryName) \(type.rawValue)") }
    if let idName {
      names.append(idName)
      definitions.append("\(GeoPackageSchema.quoted(idName)) TEXT")
    }
    for column in columns {
      names.append(column.name)
      definitions.append("\(GeoPackageSchema.quoted(column.name)) \(column.type.sql)")
    }
    let table = GeoPackageSchema.quoted(name)
    try database.execute("CREATE TABLE \(table) (\(definitions.joined(separator: ", ")));")
    let list = names.map(GeoPackageSchema.quoted).joined(separator: ",")
    let marks = Array(repeating: "?", count: names.count).joined(separator: ",")
    row = try database.prepare("INSERT INTO \(table) (\(list)) VALUES (\(marks))")
    guard type != .none else {
      box = nil
      return
    }
    let index = GeoPackageSchema.quoted("rtree_\(name)_\(Self.geometryName)")
    try database.execute(
      "CREATE VIRTUAL TABLE \(index) USING rtree(id, minx, maxx, miny, maxy);")
    box = try database.prepare("INSERT INTO \(index) VALUES (?,?,?,?,?)")
  }

  /// Adds the view's row.
  func write(_ view: RecordView) throws {
    count += 1
    let kind = view.kind
    let promotes = type.isMulti && [.point, .lineString, .polygon].contains(kind)
    let envelope =
      type == .none
      ? nil : geometry.encode(view.batch.geometry, view.row, promotes: promotes)
    if places.generation != view.generation {
      let found = columns.map { column in
        view.columns.first { view.batch.columns[$0].name == column.property }
      }
      places = (view.generation, found)
    }
    // The blob is not copied, so it stays in place until the row is inserted.
    try geometry.bytes.withUnsafeBytes { blob in
      try bind(view, blob: envelope == nil ? nil : blob)
      try row.run()
    }
    if let envelope { try index(envelope) }
  }

  private func bind(_ view: RecordView, blob: UnsafeRawBufferPointer?) throws {
    var parameter: Int32 = 1
    try row.bind(count, at: parameter)
    if type != .none {
      parameter += 1
      if let blob {
        try row.bindBlob(borrowing: blob, at: parameter)
      } else {
        try row.bindNull(at: parameter)
      }
    }
    if layer.hasIDs {
      parameter += 1
      try bind(view.batch.ids, view.row, as: .text, at: parameter)
    }
    for (column, place) in zip(columns, places.columns) {
      parameter += 1
      if let place {
        try bind(view.batch.columns[place], view.row, as: column.type, at: parameter)
      } else {
        try row.bindNull(at: parameter)
      }
    }
  }

  /// Adds the row's box to the index and to the extent.
  private func index(_ envelope: Box<Double>) throws {
    extent.formUnion(envelope)
    try box?.bind(count, at: 1)
    try box?.bind(envelope.minX, at: 2)
    try box?.bind(envelope.maxX, at: 3)
    try box?.bind(envelope.minY, at: 4)
    try box?.bind(envelope.maxY, at: 5)
    try box?.run()
  }

  private func bind(
    _ column: PropertyColumn, _ row: Int, as type: QuerySchema.ValueType, at parameter: Int32
  ) throws {
    switch (type, column.kinds[row]) {
    case (_, .missing), (_, .null), (.none, _): try self.row.bindNull(at: parameter)
    case (.boolean, let kind): try self.row.bind(Int64(kind == .true ? 1 : 0), at: parameter)
    case (.integer, _):
      let whole = column.wholeNumber(row).flatMap { Int64($0.text) }
      try self.row.bind(whole ?? column.number(row)?.wholeNumber ?? 0, at: parameter)
    case (.real, _): try self.row.bind(column.number(row) ?? 0, at: parameter)
    case (.text, _): try self.row.bind(column.text(row) ?? "", at: parameter)
    }
  }

  /// Registers the table and creates its triggers, after all rows are inserted.
  func finish(in database: Database, lastChange: String) throws {
    let literal = GeoPackageSchema.literal(name)
    let numbers = extent.isEmpty ? nil : [extent.minX, extent.minY, extent.maxX, extent.maxY]
    let box = numbers.map { $0.map { JSONWriter.text(.number($0)) }.joined(separator: ",") }
    try database.execute(
      """
      INSERT INTO gpkg_contents VALUES (\(literal), '\(type == .none ? "attributes" : "features")', \
      \(literal), '', \(GeoPackageSchema.literal(lastChange)), \(box ?? "NULL,NULL,NULL,NULL"), \
      \(type == .none ? "NULL" : "\(GeoPackageGeometryEncoder.referenceSystem)"));
      """)
    guard type != .none else { return }
    let column = Self.geometryName
    try database.execute(
      """
      INSERT INTO gpkg_geometry_columns VALUES (\(literal), '\(column)', '\(type.rawValue)', \
      \(GeoPackageGeometryEncoder.referenceSystem), 0, 0);
      INSERT INTO gpkg_extensions VALUES (\(literal), '\(column)', 'gpkg_rtree_index', \
      'http://www.geopackage.org/spec140/#extension_rtree', 'write-only');
      """ + GeoPackageSchema.triggers(table: name, column: column))
  }
}

/// The type of a table's geometries.
private enum GeometryType: String {
  /// A table without geometry.
  case none = ""
  case point = "POINT"
  case line = "LINESTRING"
  case polygon = "POLYGON"
  case multiPoint = "MULTIPOINT"
  case multiLine = "MULTILINESTRING"
  case multiPolygon = "MULTIPOLYGON"
  case collection = "GEOMETRYCOLLECTION"
  case any = "GEOMETRY"

  /// Creates the narrowest type for all features of a layer; single geometries beside collections
  /// of their type are promoted.
  init(_ layer: QuerySchema.Layer) {
    let kinds = layer.kinds.subtracting([.none])
    switch kinds {
    case []: self = layer.count > 0 ? .none : .any
    case [.point]: self = .point
    case [.lineString]: self = .line
    case [.polygon]: self = .polygon
    case [.collection]: self = .collection
    case _ where kinds.isSubset(of: [.point, .multiPoint]): self = .multiPoint
    case _ where kinds.isSubset(of: [.lineString, .multiLineString]): self = .multiLine
    case _ where kinds.isSubset(of: [.polygon, .multiPolygon]): self = .multiPolygon
    default: self = .any
    }
  }

  var isMulti: Bool { [.multiPoint, .multiLine, .multiPolygon].contains(self) }
}

extension QuerySchema.ValueType {
  /// The type of a column in a GeoPackage (OGC 12-128r19, table 1).
  fileprivate var sql: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .none, .text: "TEXT"
    }
  }
}
