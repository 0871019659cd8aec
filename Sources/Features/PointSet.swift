package import Tiling

/// The used points of a source: columns, append-only while ingesting, then frozen.
///
/// Element i of every array belongs to point i. A record of several positions (MultiPoint) is
/// several points in a row, each with the record's properties.
package struct PointSet: Sendable {
  /// Longitudes in degrees, −180 ..< 180: as given, with whole turns removed.
  package private(set) var longitudes: Column<Double>

  /// Latitudes in degrees, within ±85.0511.
  package private(set) var latitudes: Column<Double>

  /// The same positions in the Web Mercator square.
  package private(set) var positions: Column<WorldPoint>

  /// Properties, ids and lines of the points.
  package private(set) var records: RecordColumns

  /// The record of each point.
  package private(set) var owners: RecordOwners

  /// Maximum number of points of a set: clusters number them in 32 bits.
  package static let limit = Int(Int32.max)

  /// Creates an empty set.
  ///
  /// - Parameter scratch: decides where its columns lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    longitudes = Column(in: scratch)
    latitudes = Column(in: scratch)
    positions = Column(in: scratch)
    records = RecordColumns(in: scratch)
    owners = RecordOwners(in: scratch)
  }

  /// Restores points from saved columns; `nil` if these are inconsistent.
  ///
  /// - Parameters:
  ///   - owners: the record of each point; `nil` if every record is one point.
  /// - Complexity: O(points) if some records have several points.
  package init?(
    longitudes: Column<Double>, latitudes: Column<Double>,
    positions: Column<WorldPoint>, records: RecordColumns,
    owners: Column<UInt32>?, recordCount: Int
  ) {
    let count = positions.count
    guard longitudes.count == count, latitudes.count == count, records.count == count,
      count <= Self.limit,
      let owners = RecordOwners(
        records: owners, recordCount: recordCount, rowCount: count, in: positions.scratch)
    else { return nil }
    self.longitudes = longitudes
    self.latitudes = latitudes
    self.positions = positions
    self.records = records
    self.owners = owners
  }

  /// The scratch to which the columns belong; `nil` for memory.
  package var scratch: Scratch? { positions.scratch }

  /// The number of points.
  package var count: Int { positions.count }

  /// The number of records that the points come from.
  package var recordCount: Int { owners.recordCount }

  /// The properties, see ``RecordColumns/columns``.
  package var columns: [PropertyColumn] { records.columns }

  /// The line of the file on which each point's record begins.
  package var lines: Column<UInt32> { records.lines }

  /// The position in ``columns`` of the feature's id property.
  package var idColumn: Int? {
    get { records.idColumn }
    set { records.idColumn = newValue }
  }

  /// Returns the number of the record that a point belongs to, from 0, ascending with the points.
  package func record(of point: Int) -> Int {
    owners.record(of: point)
  }

  /// Appends some points of a batch.
  ///
  /// - Parameters:
  ///   - rows: the row of each point, ascending; consecutive equal ones are one record.
  ///   - degrees: the position of each point.
  ///   - squares: the same positions in the Web Mercator square.
  /// - Complexity: O(points + bytes); copies of whole columns when every row is one point.
  package mutating func append(
    _ batch: FeatureBatch, rows: ContiguousArray<Int>,
    degrees: ContiguousArray<LngLat>, squares: ContiguousArray<WorldPoint>
  ) {
    precondition(rows.count == degrees.count && rows.count == squares.count)
    precondition(count + rows.count <= Self.limit)
    for position in degrees {
      longitudes.append(position.wrappedLongitude)
      latitudes.append(position.latitude)
    }
    positions.append(contentsOf: squares)
    let isWhole = rows.count == batch.count && RecordOwners.countDistinct(rows) == rows.count
    if isWhole {
      records.append(contentsOf: batch)
    } else {
      records.append(batch, rows: rows)
    }
    owners.append(rows)
  }

  /// Reserves a multiple of the present number of points: doubling would repeatedly copy and clear
  /// the memory of a large source.
  package mutating func reserveCapacity(factor: Double) {
    longitudes.reserveCapacity(factor: factor)
    latitudes.reserveCapacity(factor: factor)
    positions.reserveCapacity(factor: factor)
    records.reserveCapacity(factor: factor)
    owners.reserveCapacity(factor: factor)
  }

  /// Returns the set without some records.
  package func removing(records isRemoved: (Int) -> Bool) -> PointSet {
    var kept = Column<UInt32>(in: scratch)
    for point in positions.indices where !isRemoved(record(of: point)) {
      kept.append(UInt32(truncatingIfNeeded: point))
    }
    return keeping(kept)
  }

  /// Returns some points in the order of a list, with the properties that any of them has.
  ///
  /// - Parameters:
  ///   - points: the rows of the points; points of one record follow each other.
  ///   - sortsColumns: whether the properties are sorted by name, whose order else is the reader's.
  package func selecting(_ points: Column<UInt32>, sortsColumns: Bool) -> PointSet {
    var set = keeping(points)
    set.records.removeMissingColumns(sorts: sortsColumns)
    return set
  }

  private func keeping(_ kept: Column<UInt32>) -> PointSet {
    var set = PointSet(in: scratch)
    set.longitudes.append(contentsOf: kept.lazy.map { longitudes[Int($0)] })
    set.latitudes.append(contentsOf: kept.lazy.map { latitudes[Int($0)] })
    set.positions.append(contentsOf: kept.lazy.map { positions[Int($0)] })
    set.records = records.keeping(rows: kept.lazy.map { Int($0) })
    set.owners.append(kept.lazy.map { record(of: Int($0)) })
    return set
  }
}
