package import Features
import Tiling

/// The records of a source as they were read: the content of an artifact of kind
/// ``ArtifactKind/records``.
package struct RecordsArtifact: Sendable {
  package var points: PointSet
  package var shapes: ShapeSet
  package var ledger: SourceLedger

  /// The number of bytes of the source's data.
  package var bytes: Int

  /// The names of the records' properties, including those that only unused records have.
  package var names: [String]

  package init(
    points: PointSet, shapes: ShapeSet, ledger: SourceLedger, bytes: Int, names: [String] = []
  ) {
    self.points = points
    self.shapes = shapes
    self.ledger = ledger
    self.bytes = bytes
    self.names = names
  }

  /// A writer of the columns, which shares its storage with the sets.
  package var writer: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(bytes)
    writer.append(ledger)
    writer.append(texts: names)
    writer.append(points.longitudes)
    writer.append(points.latitudes)
    writer.append(points.positions)
    writer.append(points.owners)
    writer.append(points.records)
    let geometry = shapes.geometry
    writer.append(array: geometry.kinds)
    writer.append(array: geometry.partEnds)
    writer.append(array: geometry.parts)
    writer.append(array: geometry.positionEnds)
    writer.append(array: geometry.positions)
    writer.append(array: geometry.tiles)
    writer.append(shapes.owners)
    writer.append(shapes.records)
    return writer
  }
}

extension RecordsArtifact {
  /// Reads the columns of ``writer``.
  ///
  /// - Complexity: O(bytes), one copy.
  package init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    bytes = try reader.count()
    ledger = try reader.ledger()
    names = try reader.texts().compactMap(\.self)
    points = try reader.points()
    shapes = try reader.shapes()
  }
}

extension ArtifactWriter {
  fileprivate mutating func append(_ owners: RecordOwners) {
    append(owners.recordCount)
    append(owners.records == nil ? 0 : 1)
    append(owners.records ?? [])
  }

  fileprivate mutating func append(_ records: RecordColumns) {
    append(records.columns.count)
    for column in records.columns { append(column) }
    for column in [records.ids, records.identifiers] {
      append(column == nil ? 0 : 1)
      if let column { append(column) }
    }
    append(records.lines)
    append(records.idColumn ?? -1)
  }
}

extension ArtifactReader {
  /// The limit on the number of properties, more than any table has.
  private static let columnLimit = 1 << 24

  fileprivate mutating func points() throws(ArtifactDamage) -> PointSet {
    let longitudes = try column(of: Double.self)
    let latitudes = try column(of: Double.self)
    let positions = try column(of: WorldPoint.self)
    let (owners, recordCount) = try owners()
    let points = PointSet(
      longitudes: longitudes, latitudes: latitudes, positions: positions,
      records: try records(), owners: owners, recordCount: recordCount)
    guard let points else { throw ArtifactDamage("points do not fit together") }
    return points
  }

  fileprivate mutating func shapes() throws(ArtifactDamage) -> ShapeSet {
    let geometry = GeometryColumn(
      kinds: ContiguousArray(try column(ofCases: GeometryColumn.Kind.self)),
      partEnds: try array(of: UInt32.self),
      parts: ContiguousArray(try column(ofCases: GeometryColumn.Part.self)),
      positionEnds: try array(of: UInt32.self), positions: try array(of: LngLat.self),
      tiles: try array(of: UInt64.self))
    let (owners, recordCount) = try owners()
    let records = try records()
    guard let geometry,
      let shapes = ShapeSet(
        geometry: geometry, records: records, owners: owners, recordCount: recordCount)
    else { throw ArtifactDamage("shapes do not fit together") }
    return shapes
  }

  /// Reads the record of each row, `nil` if every record is one row, and the number of records.
  private mutating func owners() throws(ArtifactDamage) -> (Column<UInt32>?, recordCount: Int) {
    let recordCount = try count()
    let hasOwners = try count(upTo: 1) == 1
    let owners = try column(of: UInt32.self)
    return (hasOwners ? owners : nil, recordCount)
  }

  private mutating func records() throws(ArtifactDamage) -> RecordColumns {
    var columns: [PropertyColumn] = []
    for _ in 0..<(try count(upTo: Self.columnLimit)) { columns.append(try propertyColumn()) }
    let ids = try count(upTo: 1) == 1 ? try propertyColumn() : nil
    let identifiers = try count(upTo: 1) == 1 ? try propertyColumn() : nil
    let lines = try column(of: UInt32.self)
    let idColumn = try integer()
    let records = RecordColumns(
      columns: columns, ids: ids, identifiers: identifiers, lines: lines,
      idColumn: idColumn < 0 ? nil : idColumn)
    guard let records else { throw ArtifactDamage("records do not fit together") }
    return records
  }
}
