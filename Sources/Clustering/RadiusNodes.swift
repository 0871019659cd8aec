import SpatialIndex
import Tiling

/// What is known of a cluster beyond its centre and its number of points.
struct ClusterDetail: BitwiseCopyable, Sendable {
  /// The tight box of the points.
  var box: WorldBox

  /// `cluster_id` of supercluster.
  let id: UInt64

  /// One more than the zoom at which the cluster was made: there it falls apart.
  let expansionZoom: UInt8
}

/// The points and clusters of one zoom while clusters by radius are made, as columns.
struct RadiusNodes {
  /// The centres in fractions of the world: of a point rounded to single precision, of a cluster
  /// the weighted mean of those.
  private(set) var centers: ContiguousArray<SIMD2<Double>> = []

  /// How many points each node stands for.
  private(set) var counts: ContiguousArray<UInt32> = []

  /// The lowest input index of each node's points.
  private(set) var firsts: ContiguousArray<UInt32> = []

  /// Where the details of a node are if it is a cluster; `.max` of a lone point.
  private var detailPlaces: ContiguousArray<UInt32> = []
  private var details: ContiguousArray<ClusterDetail> = []

  /// What clusters accumulate, a column per aggregate of the input, beside ``details``.
  private var aggregates: [ContiguousArray<AggregateValue>]

  let input: ClusterInput

  var count: Int { centers.count }

  /// No nodes yet, but room for so many.
  init(of input: ClusterInput, capacity: Int) {
    self.input = input
    aggregates = Array(repeating: [], count: input.aggregates.count)
    centers.reserveCapacity(capacity)
    counts.reserveCapacity(capacity)
    firsts.reserveCapacity(capacity)
    detailPlaces.reserveCapacity(capacity)
  }

  /// All points by themselves, in the order of the input.
  init(_ input: ClusterInput, threads: Int) {
    self.input = input
    aggregates = Array(repeating: [], count: input.aggregates.count)
    centers = ContiguousArray(uninitializedCount: input.count)
    centers.withUnsafeMutableBufferPointer { centers in
      ChunkedWork(count: input.count, threads: threads).forEach { _, range in
        for index in range {
          centers[index] = SIMD2(
            Double(Float(UnitMercator.x(longitude: input.longitudes[index]))),
            Double(Float(UnitMercator.y(latitude: input.latitudes[index]))))
        }
      }
    }
    counts = ContiguousArray(repeating: 1, count: input.count)
    firsts = ContiguousArray(0..<UInt32(input.count))
    detailPlaces = ContiguousArray(repeating: .max, count: input.count)
  }

  /// The details of a cluster, `nil` of a lone point.
  func detail(_ node: Int) -> ClusterDetail? {
    let place = detailPlaces[node]
    return place == .max ? nil : details[Int(place)]
  }

  /// The tight box of a node's points.
  func box(_ node: Int) -> WorldBox {
    detail(node)?.box ?? WorldBox(input.positions[Int(firsts[node])])
  }

  /// What a node's points accumulate for one of the aggregates.
  func value(_ column: Int, of node: Int) -> AggregateValue {
    let place = detailPlaces[node]
    return place == .max
      ? input.aggregates[column].values[Int(firsts[node])] : aggregates[column][Int(place)]
  }

  /// Takes a node of the zoom below over as it is.
  mutating func append(_ node: Int, of other: RadiusNodes) {
    centers.append(other.centers[node])
    counts.append(other.counts[node])
    firsts.append(other.firsts[node])
    guard let detail = other.detail(node) else { return detailPlaces.append(.max) }
    detailPlaces.append(UInt32(truncatingIfNeeded: details.count))
    details.append(detail)
    for column in aggregates.indices {
      aggregates[column].append(other.value(column, of: node))
    }
  }

  /// Joins a node of the zoom below and its neighbours into a cluster.
  ///
  /// The centre is the mean weighted by points, summed in the order given: rounding is part of
  /// supercluster's result. Aggregates are reduced in the same order.
  mutating func appendCluster(
    of origin: Int, and neighbors: UnsafeBufferPointer<UInt32>, in other: RadiusNodes, id: UInt64,
    zoom: Int
  ) {
    var count = other.counts[origin]
    var sum = other.centers[origin] * Double(count)
    var first = other.firsts[origin]
    var box = other.box(origin)
    for neighbor in neighbors {
      let neighbor = Int(neighbor)
      let weight = other.counts[neighbor]
      sum += other.centers[neighbor] * Double(weight)
      count &+= weight
      first = min(first, other.firsts[neighbor])
      box.formUnion(other.box(neighbor))
    }
    centers.append(sum / Double(count))
    counts.append(count)
    firsts.append(first)
    detailPlaces.append(UInt32(truncatingIfNeeded: details.count))
    details.append(
      ClusterDetail(box: box, id: id, expansionZoom: UInt8(truncatingIfNeeded: zoom + 1)))
    for (column, aggregate) in input.aggregates.enumerated() {
      var joined = other.value(column, of: origin)
      for neighbor in neighbors {
        joined = aggregate.operation(joined, other.value(column, of: Int(neighbor)))
      }
      aggregates[column].append(joined)
    }
  }
}

extension RadiusNodes {
  /// The level that these nodes are, in their order.
  ///
  /// - Complexity: O(n)
  func level(zoom: Int, threads: Int) -> ClusterLevel {
    var level = ClusterLevel(zoom: zoom, count: count) { columns in
      ChunkedWork(count: count, threads: threads).forEach { _, range in
        for node in range { write(node, to: columns) }
      }
    }
    level.aggregates = aggregates.indices.map { column in
      ContiguousArray((0..<count).lazy.map { value(column, of: $0) })
    }
    return level
  }

  private func write(_ node: Int, to columns: LevelColumns) {
    let first = firsts[node]
    guard let detail = detail(node) else {
      return columns.setPoint(
        index: first, position: input.positions[Int(first)],
        longitude: input.longitudes[Int(first)], latitude: input.latitudes[Int(first)], at: node)
    }
    let center = centers[node]
    columns.positions[node] = UnitMercator.position(x: center.x, y: center.y)
    columns.longitudes[node] = UnitMercator.longitude(x: center.x)
    columns.latitudes[node] = UnitMercator.latitude(y: center.y)
    columns.counts[node] = counts[node]
    columns.boxes[node] = detail.box
    columns.firstMembers[node] = first
    columns.expansionZooms[node] = detail.expansionZoom
    columns.ids[node] = detail.id
  }
}
