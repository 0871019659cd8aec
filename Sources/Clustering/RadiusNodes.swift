import Columns
import Platform
import SpatialIndex
import Tiling

/// The values of a cluster other than its centre and its number of points.
struct ClusterDetail: BitwiseCopyable, Sendable {
  /// The tight box of the points.
  var box: WorldBox

  /// The `cluster_id` of supercluster.
  var id: UInt64

  /// The lowest input index of the points.
  var first: UInt32

  /// The zoom at which the cluster splits: one more than the zoom at which it was made.
  var expansionZoom: UInt8
}

/// A point or a cluster while clusters by radius are made. 24 bytes, so that a neighbour costs one
/// cache miss rather than four.
struct RadiusNode: BitwiseCopyable, Sendable {
  /// A cluster's centre as two doubles; a point's as two floats, and its position.
  private let words: (UInt64, UInt64)

  /// The number of points that the node represents.
  let count: UInt32

  /// The index of a cluster's details; for a lone point its input index.
  let source: UInt32

  /// Creates a cluster with the weighted mean of centres of points.
  init(center: SIMD2<Double>, count: UInt32, detail: Int) {
    words = (center.x.bitPattern, center.y.bitPattern)
    self.count = count
    source = UInt32(truncatingIfNeeded: detail)
  }

  /// Creates a lone point.
  init(center: SIMD2<Float>, position: WorldPoint, index: Int) {
    words = (
      UInt64(center.x.bitPattern) | UInt64(center.y.bitPattern) << 32,
      UInt64(position.x) | UInt64(position.y) << 32
    )
    count = 1
    source = UInt32(truncatingIfNeeded: index)
  }

  var isCluster: Bool { count > 1 }

  /// The centre in fractions of the world; a point's centre has single precision.
  var center: SIMD2<Double> {
    if isCluster { return SIMD2(Double(bitPattern: words.0), Double(bitPattern: words.1)) }
    let (x, y) = Self.halves(words.0)
    return SIMD2(Double(Float(bitPattern: x)), Double(Float(bitPattern: y)))
  }

  /// The position of a lone point.
  var position: WorldPoint {
    let (x, y) = Self.halves(words.1)
    return WorldPoint(x: x, y: y)
  }

  private static func halves(_ word: UInt64) -> (UInt32, UInt32) {
    (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
  }
}

/// The points and clusters of one zoom while clusters by radius are made.
struct RadiusNodes {
  private var nodes: ContiguousArray<RadiusNode>

  /// The details of all clusters of this zoom and of the deeper ones: a cluster that is not joined
  /// at this zoom keeps its details.
  private var details: Column<ClusterDetail> = []

  /// The accumulated values of clusters, a column per aggregate of the input, parallel to
  /// ``details``.
  private var aggregates: [ContiguousArray<AggregateValue>]

  private(set) var aggregations: [Aggregation]

  /// The points of each cluster; empty unless an aggregate takes all values at once.
  private var chains = MemberChains()

  let input: ClusterInput

  var count: Int { nodes.count }

  /// Creates a node for each point, in the order of the input.
  init(_ input: ClusterInput, threads: Int) {
    self.input = input
    aggregates = Array(repeating: [], count: input.aggregates.count)
    aggregations = input.aggregates.map(Aggregation.init)
    if input.aggregates.contains(where: { if case .gathered = $0.rule { true } else { false } }) {
      chains = MemberChains(count: input.count, in: input.scratch)
    }
    nodes = ContiguousArray(uninitializedCount: input.count)
    nodes.withUnsafeMutableBufferPointer { nodes in
      ChunkedWork(count: input.count, threads: threads).forEach { _, range in
        for index in range {
          let center = SIMD2(
            Float(UnitMercator.x(longitude: input.longitudes[index])),
            Float(UnitMercator.y(latitude: input.latitudes[index])))
          nodes[index] = RadiusNode(
            center: center, position: input.positions[index], index: index)
        }
      }
    }
  }

  func withNodes<Result>(_ body: (UnsafeBufferPointer<RadiusNode>) -> Result) -> Result {
    nodes.withUnsafeBufferPointer(body)
  }

  /// Replaces the nodes by the nodes of the zoom above.
  ///
  /// - Complexity: O(n)
  mutating func join(_ groups: NodeGroups, zoom: Int, threads: Int) {
    let work = ChunkedWork(count: groups.count, threads: threads)
    var clusters = [Int](repeating: 0, count: work.chunks.count)
    clusters.withUnsafeMutableBufferPointer { clusters in
      work.forEach { chunk, range in
        clusters[chunk] = range.count { groups.members(of: $0).count > 1 }
      }
    }
    let starts = ChunkedWork.offsets(clusters).map { $0 + details.count }
    let none = ClusterDetail(
      box: WorldBox(WorldPoint(x: 0, y: 0)), id: 0, first: 0, expansionZoom: 0)
    details.append(repeating: none, count: starts[starts.count - 1] - details.count)
    joinValues(groups)
    var next = ContiguousArray<RadiusNode>(uninitializedCount: groups.count)
    next.withUnsafeMutableBufferPointer { next in
      details.withUnsafeMutableBufferPointer { details in
        nodes.withUnsafeBufferPointer { nodes in
          let joint = GroupJoint(nodes: nodes, details: details, input: input, zoom: zoom)
          work.forEach { chunk, range in
            var detail = starts[chunk]
            for group in range {
              let members = groups.members(of: group)
              if members.count == 1 {
                next[group] = nodes[Int(members[0])]
              } else {
                next[group] = joint.cluster(members, detail: detail)
                detail += 1
              }
            }
          }
        }
      }
    }
    nodes = next
  }

  /// Accumulates the values of the new clusters one by one, since an operation may not be called
  /// from several threads.
  private mutating func joinValues(_ groups: NodeGroups) {
    guard !aggregations.isEmpty else { return }
    var parts: [AggregateValue] = []
    for group in 0..<groups.count {
      let members = groups.members(of: group)
      guard members.count > 1 else { continue }
      let points = chains.join(members.lazy.map { [nodes] in nodes[Int($0)] })
      for column in aggregations.indices {
        parts.removeAll(keepingCapacity: true)
        for member in members { parts.append(value(column, of: nodes[Int(member)])) }
        let joined = aggregations[column].value(of: parts, members: points)
        aggregates[column].append(joined)
      }
    }
  }

  /// Returns the accumulated value of a node's points for one of the aggregates.
  private func value(_ column: Int, of node: RadiusNode) -> AggregateValue {
    node.isCluster
      ? aggregates[column][Int(node.source)]
      : input.aggregates[column].values[Int(node.source)]
  }
}

/// The points of clusters as chains: a cluster's chain consists of the chains of its nodes.
struct MemberChains {
  /// The next point of each point's chain.
  private var next = Column<UInt32>()

  /// The first and the last point of each cluster, by the index of its details.
  private var firsts = Column<UInt32>()
  private var lasts = Column<UInt32>()

  init() {}

  init(count: Int, in scratch: Scratch?) {
    next = Column(repeating: 0, count: count, in: scratch)
    firsts = Column(in: scratch)
    lasts = Column(in: scratch)
  }

  /// Joins nodes into the next cluster, and returns its points; none without chains.
  mutating func join(_ nodes: some Sequence<RadiusNode>) -> Points {
    guard !next.isEmpty else { return Points(links: next, current: 0, last: 0, isAtEnd: true) }
    var (first, last): (UInt32?, UInt32) = (nil, 0)
    for node in nodes {
      let source = Int(node.source)
      let start = node.isCluster ? firsts[source] : node.source
      if first == nil { first = start } else { next[Int(last)] = start }
      last = node.isCluster ? lasts[source] : node.source
    }
    firsts.append(first ?? 0)
    lasts.append(last)
    return Points(links: next, current: first ?? 0, last: last, isAtEnd: first == nil)
  }

  /// The points of a chain.
  struct Points: Sequence, IteratorProtocol {
    fileprivate let links: Column<UInt32>
    fileprivate var current: UInt32
    fileprivate let last: UInt32
    fileprivate var isAtEnd: Bool

    mutating func next() -> UInt32? {
      guard !isAtEnd else { return nil }
      defer { (isAtEnd, current) = (current == last, links[Int(current)]) }
      return current
    }
  }
}

/// The summation of groups of nodes into clusters.
private struct GroupJoint {
  let nodes: UnsafeBufferPointer<RadiusNode>
  let details: UnsafeMutableBufferPointer<ClusterDetail>
  let input: ClusterInput
  let zoom: Int

  /// Writes the details of a cluster and returns its node.
  ///
  /// The centre is the mean weighted by points, summed in the given order: rounding is part of
  /// supercluster's result.
  func cluster(_ members: UnsafeBufferPointer<UInt32>, detail: Int) -> RadiusNode {
    let origin = nodes[Int(members[0])]
    var count = origin.count
    var sum = origin.center * Double(count)
    var (box, first) = boxAndFirst(of: origin)
    for member in members.dropFirst() {
      let node = nodes[Int(member)]
      sum += node.center * Double(node.count)
      count &+= node.count
      let (ownBox, ownFirst) = boxAndFirst(of: node)
      first = min(first, ownFirst)
      box.formUnion(ownBox)
    }
    // The origin's index and the zoom, beyond the numbers of the features (supercluster).
    let id = UInt64(members[0]) << 5 &+ UInt64(zoom + 1 + input.featureCount)
    details[detail] = ClusterDetail(
      box: box, id: id, first: first, expansionZoom: UInt8(truncatingIfNeeded: zoom + 1))
    return RadiusNode(center: sum / Double(count), count: count, detail: detail)
  }

  /// Returns the tight box of a node's points, and the lowest input index.
  private func boxAndFirst(of node: RadiusNode) -> (box: WorldBox, first: UInt32) {
    guard node.isCluster else { return (WorldBox(node.position), node.source) }
    let detail = details[Int(node.source)]
    return (detail.box, detail.first)
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
    let source = Int(node.source)
    guard node.isCluster else {
      return columns.setPoint(
        index: node.source, position: node.position, longitude: input.longitudes[source],
        latitude: input.latitudes[source], at: place)
    }
    let detail = details[source]
    columns.positions[place] = UnitMercator.position(x: node.center.x, y: node.center.y)
    columns.longitudes[place] = UnitMercator.longitude(x: node.center.x)
    columns.latitudes[place] = UnitMercator.latitude(y: node.center.y)
    columns.counts[place] = node.count
    columns.boxes[place] = detail.box
    columns.firstMembers[place] = detail.first
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
