package import Columns
import SpatialIndex
package import Tiling

/// A compact form of a pyramid, for a file: most items of most levels are single points, whose
/// values follow from the input.
package struct StoredPyramid: Sendable {
  /// A level. The columns from ``positions`` on have an entry for each cluster only.
  package struct Level: Sendable {
    package var zoom: Int

    /// See ``ClusterLevel/isAreal``.
    package var isAreal = false

    /// The index, for each item, of its first member in ``StoredPyramid/order``: neighbours on the
    /// map are neighbours in this order, so the columns of the points are read in sequence.
    package var members: Column<UInt32>

    /// The items that are clusters, ascending.
    package var clusters: Column<UInt32>

    package var positions: Column<WorldPoint>
    package var longitudes: Column<Double>
    package var latitudes: Column<Double>
    package var counts: Column<UInt32>
    package var boxes: Column<WorldBox>
    package var expansionZooms: Column<UInt8>
    package var ids: Column<UInt64>
    package var aggregates: [Column<AggregateValue>]

    package init(
      zoom: Int, members: Column<UInt32>, clusters: Column<UInt32>,
      positions: Column<WorldPoint>, longitudes: Column<Double>,
      latitudes: Column<Double>, counts: Column<UInt32>,
      boxes: Column<WorldBox>, expansionZooms: Column<UInt8>,
      ids: Column<UInt64>, aggregates: [Column<AggregateValue>]
    ) {
      self.zoom = zoom
      self.members = members
      self.clusters = clusters
      self.positions = positions
      self.longitudes = longitudes
      self.latitudes = latitudes
      self.counts = counts
      self.boxes = boxes
      self.expansionZooms = expansionZooms
      self.ids = ids
      self.aggregates = aggregates
    }
  }

  package var zooms: ClosedRange<Int>
  package var clusterMaxZoom: Int

  /// The input index of each point in Z-order.
  package var order: Column<UInt32>

  /// The levels up to `clusterMaxZoom`, shallowest first.
  package var clustered: [Level]

  /// The level of all deeper zooms; `nil` if there are none.
  package var points: Level?

  /// The texts and lists of each aggregate.
  package var tables: [AggregateTable]

  package init(
    zooms: ClosedRange<Int>, clusterMaxZoom: Int, order: Column<UInt32>,
    clustered: [Level], points: Level?, tables: [AggregateTable] = []
  ) {
    self.zooms = zooms
    self.clusterMaxZoom = clusterMaxZoom
    self.order = order
    self.clustered = clustered
    self.points = points
    self.tables = tables
  }

  /// Creates the stored form from the values that cannot be derived from the points.
  ///
  /// - Parameter input: the input from which the pyramid was made.
  /// - Complexity: O(n) for the order, O(items) per level.
  package init(_ pyramid: ClusterPyramid, of input: ClusterInput, threads: Int = 1) {
    let order = MortonOrder(input.positions, threads: threads).indices
    let places = order.inverse()
    self.init(
      zooms: pyramid.zooms, clusterMaxZoom: pyramid.clusterMaxZoom, order: order,
      clustered: pyramid.clustered.map { Level($0, places: places) },
      points: pyramid.points.map { Level($0, places: places) }, tables: pyramid.tables)
  }

  /// Returns the whole pyramid, equal to the one that was stored; `nil` where the columns are
  /// inconsistent or do not belong to this input.
  ///
  /// - Parameters:
  ///   - input: the points; its own aggregates are ignored.
  ///   - aggregates: the value of each point for each aggregate.
  /// - Complexity: O(n + items of all levels).
  package func pyramid(
    of input: ClusterInput, aggregates: [Column<AggregateValue>], threads: Int = 1
  ) -> ClusterPyramid? {
    let wanted = zooms.prefix { $0 <= clusterMaxZoom }
    guard order.count == input.count, order.allSatisfy({ $0 < input.count }),
      aggregates.allSatisfy({ $0.count == input.count }), tables.count == aggregates.count,
      hold(aggregates),
      clustered.map(\.zoom) == Array(wanted),
      points.map(\.zoom) == (zooms.upperBound > clusterMaxZoom ? zooms.upperBound : nil)
    else { return nil }
    let ordered = StoredPoints(input, aggregates, order: order)
    let levels = clustered.compactMap { $0.level(of: ordered, threads: threads) }
    let deepest = points.flatMap { $0.level(of: ordered, threads: threads) }
    guard levels.count == clustered.count, (deepest == nil) == (points == nil) else { return nil }
    return ClusterPyramid(
      zooms: zooms, clusterMaxZoom: clusterMaxZoom, clustered: levels, points: deepest,
      tables: tables)
  }

  /// Whether the tables have every text and list that a value refers to.
  private func hold(_ aggregates: [Column<AggregateValue>]) -> Bool {
    tables.indices.allSatisfy { index in
      let table = tables[index]
      let stored = (clustered + [points].compactMap(\.self)).map(\.aggregates)
      return table.isWhole && aggregates[index].allSatisfy(table.holds)
        && stored.allSatisfy { index < $0.count && $0[index].allSatisfy(table.holds) }
    }
  }
}

extension StoredPyramid.Level {
  /// - Parameter places: the index of each point in Z-order.
  fileprivate init(_ level: ClusterLevel, places: Column<UInt32>) {
    let scratch = level.positions.scratch
    var clusters = Column<UInt32>(in: scratch)
    for item in 0..<level.count where level.isCluster(item) {
      clusters.append(UInt32(truncatingIfNeeded: item))
    }
    func ofClusters<Value>(_ column: Column<Value>) -> Column<Value> {
      Column(clusters.lazy.map { column[Int($0)] }, in: scratch)
    }
    self.init(
      zoom: level.zoom,
      members: Column(level.firstMembers.lazy.map { places[Int($0)] }, in: scratch),
      clusters: clusters, positions: ofClusters(level.positions),
      longitudes: ofClusters(level.longitudes), latitudes: ofClusters(level.latitudes),
      counts: ofClusters(level.counts), boxes: ofClusters(level.boxes),
      expansionZooms: ofClusters(level.expansionZooms), ids: ofClusters(level.ids),
      aggregates: level.aggregates.map(ofClusters))
    isAreal = level.isAreal
  }

  /// Whether all columns have an entry for each cluster, and every index is within its column.
  private func fits(_ points: StoredPoints) -> Bool {
    let count = clusters.count
    return [
      positions.count, longitudes.count, latitudes.count, counts.count, boxes.count,
      expansionZooms.count, ids.count,
    ].allSatisfy { $0 == count } && aggregates.count == points.aggregates.count
      && aggregates.allSatisfy { $0.count == count }
      && members.allSatisfy { $0 < points.count } && clusters.allSatisfy { $0 < members.count }
  }

  /// Returns the level with a row for each item.
  fileprivate func level(of points: StoredPoints, threads: Int) -> ClusterLevel? {
    guard fits(points) else { return nil }
    var level = ClusterLevel(
      zoom: zoom, count: members.count, in: points.positions.scratch
    ) { columns in
      ChunkedWork(count: members.count, threads: threads).forEach { _, items in
        for item in items {
          let place = Int(members[item])
          columns.setPoint(
            index: points.indices[place], position: points.positions[place],
            longitude: points.longitudes[place], latitude: points.latitudes[place], at: item)
        }
      }
      for (row, item) in clusters.enumerated() { set(row, at: Int(item), in: columns) }
    }
    level.isAreal = isAreal
    level.aggregates = zip(aggregates, points.aggregates).map { own, values in
      var column = Column(
        members.lazy.map { values[Int(points.indices[Int($0)])] }, in: points.positions.scratch)
      for (row, item) in clusters.enumerated() { column[Int(item)] = own[row] }
      return column
    }
    return level
  }

  /// Writes the item of a cluster, whose first member is already set.
  private func set(_ row: Int, at item: Int, in columns: LevelColumns) {
    columns.positions[item] = positions[row]
    columns.longitudes[item] = longitudes[row]
    columns.latitudes[item] = latitudes[row]
    columns.counts[item] = counts[row]
    columns.boxes[item] = boxes[row]
    columns.expansionZooms[item] = expansionZooms[row]
    columns.ids[item] = ids[row]
  }
}

/// Copies of the points of an input in Z-order; aggregates stay in the order of the input.
private struct StoredPoints {
  let indices: Column<UInt32>
  let positions: Column<WorldPoint>
  let longitudes: Column<Double>
  let latitudes: Column<Double>
  let aggregates: [Column<AggregateValue>]

  init(
    _ input: ClusterInput, _ aggregates: [Column<AggregateValue>],
    order: Column<UInt32>
  ) {
    indices = order
    positions = Self.gathered(input.positions, order)
    longitudes = Self.gathered(input.longitudes, order)
    latitudes = Self.gathered(input.latitudes, order)
    self.aggregates = aggregates
  }

  private static func gathered<Value>(
    _ column: Column<Value>, _ places: Column<UInt32>
  ) -> Column<Value> {
    column.gathered(at: places) { count, body in body(0..<count) }
  }

  var count: Int { indices.count }
}
