package import Tiling

/// An immutable region quad tree over world positions, built in bulk from Morton order.
///
/// Children stand in Z-order (NW, NE, SW, SE); empty children and chains of nodes with a single
/// child are left out, so there are fewer than 2n nodes however the points lie. A node holds the
/// points of one quadrant as a contiguous run; runs longer than the leaf capacity split, unless the
/// depth limit is reached, as it is by coincident points: such a leaf overflows.
///
/// Half-open: a quadrant owns its north and west edge. Ready to be shared between threads.
package struct QuadTree: Sendable {
  /// How many points a leaf holds before it splits, unless told otherwise. A leaf of 32 is half a
  /// kilobyte, which is scanned in the time of one more level of descent.
  package static let defaultLeafCapacity = 32

  /// 32 halvings leave a quadrant of one world unit.
  package static let maxDepth = 32

  /// The positions in Morton order.
  package let points: ContiguousArray<WorldPoint>

  /// The caller's index of each position of ``points``; ascending among equal positions.
  package let indices: ContiguousArray<UInt32>

  /// The nodes, level by level, the root first; siblings are adjacent. Empty if there is no point.
  let nodes: ContiguousArray<QuadNode>

  /// Indexes points by their place in the array.
  ///
  /// - Parameters:
  ///   - leafCapacity: points that a leaf holds before it splits, at least 1.
  ///   - depthLimit: halvings after which a leaf overflows instead, 0 … 32.
  ///   - threads: how many share the sort; the tree does not depend on it.
  /// - Complexity: O(n + nodes × log n); 12 bytes a point and 16 a node are kept.
  package init(
    _ points: ContiguousArray<WorldPoint>, leafCapacity: Int = defaultLeafCapacity,
    depthLimit: Int = maxDepth, threads: Int = 1
  ) {
    self.init(
      MortonOrder(points, threads: threads), leafCapacity: leafCapacity, depthLimit: depthLimit)
  }

  /// Indexes points whose Morton order is at hand.
  ///
  /// - Complexity: O(n + nodes × log n).
  package init(
    _ order: MortonOrder, leafCapacity: Int = defaultLeafCapacity, depthLimit: Int = maxDepth
  ) {
    precondition(leafCapacity >= 1, "a leaf holds at least one point")
    precondition((0...Self.maxDepth).contains(depthLimit), "a quad tree has 0 to 32 levels")
    points = ContiguousArray(order.codes.lazy.map { MortonCode(rawValue: $0).point })
    indices = order.indices
    nodes = Self.split(order.codes, leafCapacity: leafCapacity, depthLimit: depthLimit)
  }

  package var count: Int { points.count }

  /// How many nodes there are, leaves included.
  package var nodeCount: Int { nodes.count }

  /// The nodes of a tree over sorted codes, breadth first.
  private static func split(
    _ codes: ContiguousArray<UInt64>, leafCapacity: Int, depthLimit: Int
  ) -> ContiguousArray<QuadNode> {
    guard !codes.isEmpty else { return [] }
    var nodes: ContiguousArray = [QuadNode(0..<codes.count, codes: codes)]
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      if node.count > leafCapacity, node.depth < depthLimit {
        nodes[next].firstChild = UInt32(nodes.count)
        let shift = UInt64(62 - 2 * node.depth)
        var start = node.range.lowerBound
        for quadrant in 0..<UInt64(4) {
          let end = partitionPoint(codes, start..<node.range.upperBound) {
            $0 >> shift & 3 > quadrant
          }
          if end > start {
            nodes.append(QuadNode(start..<end, codes: codes))
            nodes[next].childCount += 1
          }
          start = end
        }
      }
      next += 1
    }
    return nodes
  }

  /// The first place of a sorted range where a condition holds that holds for all later ones.
  private static func partitionPoint(
    _ codes: ContiguousArray<UInt64>, _ range: Range<Int>, where holds: (UInt64) -> Bool
  ) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if holds(codes[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A quadrant and the run of points that it holds: the smallest quadrant that holds them all.
struct QuadNode: Sendable {
  /// Places in the tree's columns, as 32-bit numbers to keep a node at 16 bytes.
  private var start: UInt32
  private var end: UInt32

  /// The place of the first child among the nodes; meaningless while there are none.
  var firstChild: UInt32 = 0

  /// 0 for a leaf, else 2 … 4.
  var childCount: UInt8 = 0

  /// How often the world was halved on each axis to make this quadrant, 0 … 32.
  private var level: UInt8

  init(_ range: Range<Int>, codes: ContiguousArray<UInt64>) {
    start = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
    let differing = codes[range.lowerBound] ^ codes[range.upperBound - 1]
    level = UInt8(differing.leadingZeroBitCount / 2)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
  var count: Int { Int(end - start) }
  var depth: Int { Int(level) }

  /// The quadrant, given any of its points.
  func cell(around point: WorldPoint) -> WorldBox {
    let inside: UInt32 = depth == 32 ? 0 : .max >> UInt32(depth)
    return WorldBox(
      west: point.x & ~inside, north: point.y & ~inside, east: point.x | inside,
      south: point.y | inside)
  }
}
