import Columns
import Platform
import SpatialIndex
import Tiling

/// The values of a cluster other than its centre and its number of points.
struct ClusterDetail: BitwiseCopyable, Sendable {
  /// The tight box of the points.
  var box: WorldBox

  /// The `cluster_id` of supercluster.
  let id: UInt64

  /// One more than the zoom at which the cluster was made: there it splits.
  let expansionZoom: UInt8
}

/// A point or a cluster while clusters by radius are made. 32 bytes, so that a neighbour costs one
/// cache miss rather than four.
struct RadiusNode: BitwiseCopyable, Sendable {
  /// The centre in fractions of the world: for a point rounded to single precision, for a cluster
  /// the weighted mean of those.
  let center: SIMD2<Double>

  /// The number of points that the node represents.
  let count: UInt32

  /// The lowest input index of the node's points.
  let first: UInt32

  /// The index of a cluster's details; `.max` for a lone point.
  var detail: UInt32
}

/// The points and clusters of one zoom while clusters by radius are made.
struct RadiusNodes {
  private var nodes: ContiguousArray<RadiusNode> = []
  private var details: ContiguousArray<ClusterDetail> = []

  /// The accumulated values of clusters, a column per aggregate of the input, parallel to
  /// ``details``.
  private var aggregates: [ContiguousArray<AggregateValue>]

  let input: ClusterInput

  var count: Int { nodes.count }

  /// Creates an empty list with capacity for a number of nodes.
  init(of input: ClusterInput, capacity: Int) {
    self.input = input
    aggregates = Array(repeating: [], count: input.aggregates.count)
    nodes.reserveCapacity(capacity)
  }

  /// Creates a node for each point, in the order of the input.
  init(_ input: ClusterInput, threads: Int) {
    self.input = input
    aggregates = Array(repeating: [], count: input.aggregates.count)
    nodes = ContiguousArray(uninitializedCount: input.count)
    nodes.withUnsafeMutableBufferPointer { nodes in
      ChunkedWork(count: input.count, threads: threads).forEach { _, range in
        for index in range {
          let center = SIMD2(
            Float(UnitMercator.x(longitude: input.longitudes[index])),
            Float(UnitMercator.y(latitude: input.latitudes[index])))
          nodes[index] = RadiusNode(
            center: SIMD2<Double>(center), count: 1, first: UInt32(truncatingIfNeeded: index),
            detail: .max)
        }
      }
    }
  }

  /// Returns the centre of a node in fractions of the world.
  func center(_ node: Int) -> SIMD2<Double> { nodes[node].center }

  /// Returns the number of points that a node represents.
  func points(_ node: Int) -> UInt32 { nodes[node].count }

  /// Returns the details of a cluster; `nil` for a lone point.
  private func detail(_ node: RadiusNode) -> ClusterDetail? {
    node.detail == .max ? nil : details[Int(node.detail)]
  }

  /// Returns the tight box of a node's points.
  private func box(_ node: RadiusNode) -> WorldBox {
    detail(node)?.box ?? WorldBox(input.positions[Int(node.first)])
  }

  /// Returns the accumulated value of a node's points for one of the aggregates.
  private func value(_ column: Int, of node: RadiusNode) -> AggregateValue {
    node.detail == .max
      ? input.aggregates[column].values[Int(node.first)] : aggregates[column][Int(node.detail)]
  }

  /// Appends a node of the zoom below unchanged.
  mutating func append(_ index: Int, of other: RadiusNodes) {
    var node = other.nodes[index]
    if let detail = other.detail(node) {
      for column in aggregates.indices {
        aggregates[column].append(other.value(column, of: node))
      }
      node.detail = UInt32(truncatingIfNeeded: details.count)
      details.append(detail)
    }
    nodes.append(node)
  }

  /// Joins a node of the zoom below and its neighbours into a cluster.
  ///
  /// The centre is the mean weighted by points, summed in the given order: rounding is part of
  /// supercluster's result. Aggregates are reduced in the same order.
  mutating func appendCluster(
    of origin: Int, and neighbors: UnsafeBufferPointer<UInt32>, in other: RadiusNodes, id: UInt64,
    zoom: Int
  ) {
    let node = other.nodes[origin]
    var count = node.count
    var sum = node.center * Double(count)
    var first = node.first
    var box = other.box(node)
    for neighbor in neighbors {
      let neighbor = other.nodes[Int(neighbor)]
      sum += neighbor.center * Double(neighbor.count)
      count &+= neighbor.count
      first = min(first, neighbor.first)
      box.formUnion(other.box(neighbor))
    }
    for (column, aggregate) in input.aggregates.enumerated() {
      var joined = other.value(column, of: node)
      for neighbor in neighbors {
        let value = other.value(column, of: other.nodes[Int(neighbor)])
        joined = aggregate.operation(joined, value)
      }
      aggregates[column].append(joined)
    }
    nodes.append(
      RadiusNode(
        center: sum / Double(count), count: count, first: first,
        detail: UInt32(truncatingIfNeeded: details.count)))
    details.append(
      ClusterDetail(box: box, id: id, expansionZoom: UInt8(truncatingIfNeeded: zoom + 1)))
  }
}

extension RadiusNodes {
  /// Returns these nodes as a level, in their order.
  ///
  /// - Complexity: O(n)
  func level(zoom: Int, threads: Int) -> ClusterLevel {
    var level = ClusterLevel(zoom: zoom, count: count, in: input.scratch) { columns in
      ChunkedWork(count: count, threads: threads).forEach { _, range in
        for place in range { write(nodes[place], to: columns, at: place) }
      }
    }
    level.aggregates = aggregates.indices.map { column in
      Column(nodes.lazy.map { value(column, of: $0) }, in: input.scratch)
    }
    return level
  }

  private func write(_ node: RadiusNode, to columns: LevelColumns, at place: Int) {
    guard let detail = detail(node) else {
      let first = Int(node.first)
      return columns.setPoint(
        index: node.first, position: input.positions[first], longitude: input.longitudes[first],
        latitude: input.latitudes[first], at: place)
    }
    columns.positions[place] = UnitMercator.position(x: node.center.x, y: node.center.y)
    columns.longitudes[place] = UnitMercator.longitude(x: node.center.x)
    columns.latitudes[place] = UnitMercator.latitude(y: node.center.y)
    columns.counts[place] = node.count
    columns.boxes[place] = detail.box
    columns.firstMembers[place] = node.first
    columns.expansionZooms[place] = detail.expansionZoom
    columns.ids[place] = detail.id
  }
}

/// Web Mercator as fractions of the world in double precision, computed in exactly the steps of
/// supercluster: clusters by radius equal its own only if every rounding does.
enum UnitMercator {
  /// Returns the fraction eastward from 180° W. Longitudes beyond ±180° are wrapped first; 180°
  /// itself stays in the east.
  static func x(longitude: Double) -> Double {
    let inside = abs(longitude) <= 180
    let wrapped = inside ? longitude : LngLat(longitude: longitude, latitude: 0).wrappedLongitude
    return wrapped / 360 + 0.5
  }

  /// Returns the fraction southward from 85.0511° N, clamped to the square.
  static func y(latitude: Double) -> Double {
    let sine = sin(latitude * Double.pi / 180)
    let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / Double.pi
    return y < 0 ? 0 : y > 1 ? 1 : y
  }

  static func longitude(x: Double) -> Double { (x - 0.5) * 360 }

  static func latitude(y: Double) -> Double {
    360 * atan(exp((180 - y * 360) * Double.pi / 180)) / Double.pi - 90
  }

  /// Returns the fixed-point position; the east edge is the west edge.
  static func position(x: Double, y: Double) -> WorldPoint {
    WorldPoint(x: x >= 1 ? 0 : WorldPoint.fixed(x), y: WorldPoint.fixed(y))
  }
}
