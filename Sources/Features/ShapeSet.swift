/// All lines and polygons of a source that are used: columns, append-only while ingesting.
///
/// Record i of ``geometry`` and row i of ``records`` are the same shape. Positions are degrees as
/// the file gives them, not wrapped and not clipped: a shape that runs over the antimeridian says
/// so by longitudes beyond ±180.
package struct ShapeSet: Sendable {
  /// Lines and rings; a collection's points are in the ``PointSet`` instead.
  package private(set) var geometry = GeometryColumn()

  /// Properties, ids and lines of the file.
  package private(set) var records = RecordColumns()

  package init() {}

  /// Shapes that were set aside; `nil` where geometries and records do not fit together.
  package init?(geometry: GeometryColumn, records: RecordColumns) {
    guard geometry.count == records.count else { return nil }
    self.geometry = geometry
    self.records = records
  }

  /// The number of shapes.
  package var count: Int { geometry.count }

  /// The properties, see ``RecordColumns/columns``.
  package var columns: [PropertyColumn] { records.columns }

  /// The place in ``columns`` of the property that is the feature's id.
  package var idColumn: Int? {
    get { records.idColumn }
    set { records.idColumn = newValue }
  }

  /// Appends some rows of a batch, but for the points among their parts.
  package mutating func append(_ batch: FeatureBatch, rows: ContiguousArray<Int>) {
    for row in rows { geometry.append(row, of: batch.geometry) { $0 != .point } }
    records.append(batch, rows: rows)
  }

  /// The same set without some shapes.
  package func removing(shapes isRemoved: (Int) -> Bool) -> ShapeSet {
    let kept = (0..<count).filter { !isRemoved($0) }
    var set = ShapeSet()
    for shape in kept { set.geometry.append(shape, of: geometry) }
    set.records = records.keeping(rows: kept)
    return set
  }
}
