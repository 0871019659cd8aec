/// The used lines and polygons of a source: columns, append-only while ingesting.
///
/// Record i of ``geometry`` and row i of ``records`` are the same shape. Positions are degrees as
/// in the file, neither wrapped nor clipped: a shape that crosses the antimeridian has longitudes
/// beyond ±180.
package struct ShapeSet: Sendable {
  /// The lines and rings; a collection's points are in the ``PointSet`` instead.
  package private(set) var geometry = GeometryColumn()

  /// Properties, ids and lines of the file.
  package private(set) var records = RecordColumns()

  package init() {}

  /// Restores shapes from saved columns; `nil` if geometries and records are inconsistent.
  package init?(geometry: GeometryColumn, records: RecordColumns) {
    guard geometry.count == records.count else { return nil }
    self.geometry = geometry
    self.records = records
  }

  /// The number of shapes.
  package var count: Int { geometry.count }

  /// The position in ``columns`` of the feature's id property.
  package var idColumn: Int? {
    get { records.idColumn }
    set { records.idColumn = newValue }
  }

  /// Appends some rows of a batch, without the points among their parts.
  package mutating func append(_ batch: FeatureBatch, rows: ContiguousArray<Int>) {
    for row in rows { geometry.append(row, of: batch.geometry) { $0 != .point } }
    records.append(batch, rows: rows)
  }

  /// Returns the set without some shapes.
  package func removing(shapes isRemoved: (Int) -> Bool) -> ShapeSet {
    let kept = (0..<count).filter { !isRemoved($0) }
    var set = ShapeSet()
    for shape in kept { set.geometry.append(shape, of: geometry) }
    set.records = records.keeping(rows: kept)
    return set
  }
}
