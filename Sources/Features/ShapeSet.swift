/// The used lines and polygons of a source: columns, append-only while ingesting.
///
/// Row i of ``geometry`` and row i of ``records`` are the same shape. Each line and each polygon of
/// a GeometryCollection is a shape of its own with the record's properties, as geojson-vt makes a
/// feature of each member, so that filters see its type; a MultiLineString or MultiPolygon is one
/// shape. Positions are degrees as in the file, neither wrapped nor clipped: a shape that crosses
/// the antimeridian has longitudes beyond ±180.
package struct ShapeSet: Sendable {
  /// The lines and rings; a collection's points are in the ``PointSet`` instead.
  package private(set) var geometry = GeometryColumn()

  /// Properties, ids and lines of the file.
  package private(set) var records = RecordColumns()

  /// The record of each shape.
  package private(set) var owners = RecordOwners()

  package init() {}

  /// Restores shapes from saved columns; `nil` if these are inconsistent.
  ///
  /// - Parameters:
  ///   - owners: the record of each shape; `nil` if every record is one shape.
  /// - Complexity: O(shapes) if some records are several shapes.
  package init?(
    geometry: GeometryColumn, records: RecordColumns, owners: Column<UInt32>?, recordCount: Int
  ) {
    guard geometry.count == records.count,
      let owners = RecordOwners(
        records: owners, recordCount: recordCount, rowCount: geometry.count)
    else { return nil }
    self.geometry = geometry
    self.records = records
    self.owners = owners
  }

  /// Creates shapes without properties of records.
  package init(areas: GeometryColumn) { geometry = areas }

  /// The number of shapes.
  package var count: Int { geometry.count }

  /// The number of records that the shapes come from.
  package var recordCount: Int { owners.recordCount }

  /// Returns the number of the record that a shape belongs to, from 0, ascending with the shapes.
  package func record(of shape: Int) -> Int { owners.record(of: shape) }

  /// The position in ``columns`` of the feature's id property.
  package var idColumn: Int? {
    get { records.idColumn }
    set { records.idColumn = newValue }
  }

  /// Returns the row of each shape that some records of a batch become, ascending; a collection's
  /// row occurs once for each of its lines and polygons.
  ///
  /// - Parameter rows: records with lines or polygons, ascending.
  /// - Complexity: O(records + parts of collections).
  package static func rows(
    ofShapesIn geometry: GeometryColumn, _ rows: ContiguousArray<Int>
  ) -> ContiguousArray<Int> {
    guard rows.contains(where: { geometry.kinds[$0] == .collection }) else { return rows }
    return ContiguousArray(
      rows.flatMap { row in
        repeatElement(
          row, count: geometry.kinds[row] == .collection ? geometry.shapeParts(of: row).count : 1)
      })
  }

  /// Appends some records of a batch, without the points among their parts.
  ///
  /// - Parameter rows: records with lines or polygons, ascending.
  package mutating func append(_ batch: FeatureBatch, rows: ContiguousArray<Int>) {
    for row in rows {
      if batch.geometry.kinds[row] == .collection {
        for parts in batch.geometry.shapeParts(of: row) {
          geometry.append(shape: parts, of: batch.geometry)
        }
      } else {
        geometry.append(row, of: batch.geometry)
      }
    }
    let shapeRows = Self.rows(ofShapesIn: batch.geometry, rows)
    records.append(batch, rows: shapeRows)
    owners.append(shapeRows)
  }

  /// Returns the set without some records.
  package func removing(records isRemoved: (Int) -> Bool) -> ShapeSet {
    let kept = (0..<count).filter { !isRemoved(record(of: $0)) }
    var set = ShapeSet()
    for shape in kept { set.geometry.append(shape, of: geometry) }
    set.records = records.keeping(rows: kept)
    set.owners.append(kept.map { record(of: $0) })
    return set
  }
}

extension GeometryColumn {
  /// Returns the lines and polygons of a record, in order: a line as one part, a polygon as its
  /// outer ring and holes.
  ///
  /// - Complexity: O(parts of the record).
  fileprivate func shapeParts(of record: Int) -> [Range<Int>] {
    var shapes: [Range<Int>] = []
    for part in partRange(record) {
      switch parts[part] {
      case .point: continue
      case .innerRing where shapes.last?.upperBound == part:
        shapes[shapes.count - 1] = shapes[shapes.count - 1].lowerBound..<(part + 1)
      case .line, .outerRing, .innerRing: shapes.append(part..<(part + 1))
      }
    }
    return shapes
  }

  /// Appends a line or polygon of another column as a record.
  fileprivate mutating func append(shape shapeParts: Range<Int>, of other: GeometryColumn) {
    for part in shapeParts {
      other.positions[other.positionRange(part)].withUnsafeBufferPointer { add(contentsOf: $0) }
      endPart(other.parts[part])
    }
    endRecord(other.parts[shapeParts.lowerBound] == .line ? .lineString : .polygon)
  }
}
