package import Tiling

/// The used points of a source: columns, append-only while ingesting, then frozen.
///
/// Element i of every array belongs to point i. A record of several positions (MultiPoint) is
/// several points in a row, each with the record's properties.
package struct PointSet: Sendable {
  /// Longitudes in degrees, −180 ..< 180: as given, with whole turns removed.
  package private(set) var longitudes = ContiguousArray<Double>()

  /// Latitudes in degrees, within ±85.0511.
  package private(set) var latitudes = ContiguousArray<Double>()

  /// The same positions in the Web Mercator square.
  package private(set) var positions = ContiguousArray<WorldPoint>()

  /// Properties, ids and lines of the points.
  package private(set) var records = RecordColumns()

  /// The record of each point; `nil` while every record is one point.
  package private(set) var owners: ContiguousArray<UInt32>?

  /// The number of records that the points come from.
  package private(set) var recordCount = 0

  /// Maximum number of points of a set: clusters number them in 32 bits.
  package static let limit = Int(Int32.max)

  package init() {}

  /// Restores points from saved columns; `nil` if these are inconsistent.
  ///
  /// - Complexity: O(points) if some records have several points.
  package init?(
    longitudes: ContiguousArray<Double>, latitudes: ContiguousArray<Double>,
    positions: ContiguousArray<WorldPoint>, records: RecordColumns,
    owners: ContiguousArray<UInt32>?, recordCount: Int
  ) {
    let count = positions.count
    guard longitudes.count == count, latitudes.count == count, records.count == count,
      count <= Self.limit, (0...count).contains(recordCount)
    else { return nil }
    if let owners {
      guard owners.count == count, owners.allSatisfy({ $0 < recordCount }) else { return nil }
    } else {
      guard recordCount == count else { return nil }
    }
    self.longitudes = longitudes
    self.latitudes = latitudes
    self.positions = positions
    self.records = records
    self.owners = owners
    self.recordCount = recordCount
  }

  /// The number of points.
  package var count: Int { positions.count }

  /// The properties, see ``RecordColumns/columns``.
  package var columns: [PropertyColumn] { records.columns }

  /// The line of the file on which each point's record begins.
  package var lines: ContiguousArray<UInt32> { records.lines }

  /// The position in ``columns`` of the feature's id property.
  package var idColumn: Int? {
    get { records.idColumn }
    set { records.idColumn = newValue }
  }

  /// Returns the number of the record that a point belongs to, from 0, ascending with the points.
  package func record(of point: Int) -> Int {
    owners.map { Int($0[point]) } ?? point
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
    let isWhole = rows.count == batch.count && Self.countDistinct(rows) == rows.count
    if isWhole {
      records.append(contentsOf: batch)
    } else {
      records.append(batch, rows: rows)
    }
    appendOwners(rows)
  }

  /// Reserves a multiple of the present number of points: doubling would repeatedly copy and clear
  /// the memory of a large source.
  package mutating func reserveCapacity(factor: Double) {
    longitudes.reserveCapacity(factor: factor)
    latitudes.reserveCapacity(factor: factor)
    positions.reserveCapacity(factor: factor)
    records.reserveCapacity(factor: factor)
    owners?.reserveCapacity(factor: factor)
  }

  /// Returns the set without some records.
  package func removing(records isRemoved: (Int) -> Bool) -> PointSet {
    let kept = positions.indices.filter { !isRemoved(record(of: $0)) }
    var set = PointSet()
    set.longitudes = ContiguousArray(kept.map { longitudes[$0] })
    set.latitudes = ContiguousArray(kept.map { latitudes[$0] })
    set.positions = ContiguousArray(kept.map { positions[$0] })
    set.records = records.keeping(rows: kept)
    set.appendOwners(ContiguousArray(kept.map { record(of: $0) }))
    return set
  }

  private mutating func appendOwners(_ rows: ContiguousArray<Int>) {
    let distinct = Self.countDistinct(rows)
    if distinct < rows.count, owners == nil {
      owners = ContiguousArray(0..<UInt32(recordCount))
    }
    if owners != nil {
      var record = recordCount - 1
      for index in rows.indices {
        if index == 0 || rows[index] != rows[index - 1] { record += 1 }
        owners?.append(UInt32(record))
      }
    }
    recordCount += distinct
  }

  /// Returns the number of distinct values in an ascending sequence.
  private static func countDistinct(_ rows: ContiguousArray<Int>) -> Int {
    rows.indices.reduce(0) { $0 + ($1 == 0 || rows[$1] != rows[$1 - 1] ? 1 : 0) }
  }
}
