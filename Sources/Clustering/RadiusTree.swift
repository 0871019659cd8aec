import SpatialIndex

/// The k-d tree of kdbush over the points or clusters of one zoom, rebuilt in place for the next.
///
/// The order in which it reports neighbours is part of supercluster's result: sums of coordinates
/// are rounded in that order. It is the order of kdbush: an inner node's own item, the items of its
/// right half, those of its left half; in leaves, storage order. Coordinates are single precision.
struct RadiusTree: ~Copyable {
  let order: TreeOrder
  let groups: TreeGroups
  private let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    precondition(capacity < 1 << 31, "items are numbered with 31 bits")
    self.capacity = capacity
    order = TreeOrder(
      items: TreeItems(base: .allocate(capacity: max(1, capacity))),
      splits: .allocate(capacity: TreeOrder.nodeCapacity(items: capacity)))
    groups = TreeGroups(capacity: capacity)
  }

  deinit {
    order.items.base.deallocate()
    order.splits.deallocate()
    groups.deallocate()
  }

  /// Builds the tree for the nodes of a zoom.
  ///
  /// - Complexity: O(n log n)
  mutating func build(_ nodes: UnsafeBufferPointer<RadiusNode>, threads: Int) {
    precondition(nodes.count <= capacity)
    count = nodes.count
    let items = order.items
    let work = ChunkedWork(count: count, threads: threads)
    work.forEach { _, range in
      for index in range {
        let node = nodes[index]
        let center = node.center
        let number = UInt32(truncatingIfNeeded: index)
        items.base[index] = SIMD4(
          Float(center.x).bitPattern, Float(center.y).bitPattern,
          node.isCluster ? number | TreeGroups.rounded : number, 0)
      }
    }
    order.sort(left: 0, right: count - 1, node: 1, axis: 0, threads: threads)
    let groups = groups
    work.forEach { _, range in groups.fill(range, from: items) }
  }

  /// The whole tree; `nil` without items.
  var root: TreeBranch? {
    count == 0 ? nil : TreeBranch(left: 0, right: Int32(count - 1), node: 1, axis: 0)
  }

  /// Passes the items of a region to it, in the order of kdbush.
  ///
  /// Several threads may visit at a time if none of them removes items.
  ///
  /// - Complexity: O(log n + items of the reached leaves) expected
  @inline(__always)
  func visit(_ region: inout some TreeRegion) {
    guard let root else { return }
    // One half waits per level, and there are at most 32 levels.
    withUnsafeTemporaryAllocation(of: TreeBranch.self, capacity: 32) { waiting in
      var depth = 1
      waiting[0] = root
      while depth > 0, !region.isFull {
        depth -= 1
        var branch = waiting[depth]
        while branch.isInner {
          let split = order.splits[Int(branch.node)]
          let (reachesLeft, reachesRight) = region.reach(split: split, axis: branch.axis)
          if region.mayHold(split: split, axis: branch.axis) { region.take(Int(branch.middle)) }
          if reachesRight {
            if reachesLeft {
              waiting[depth] = branch.leftHalf
              depth += 1
            }
            branch = branch.rightHalf
          } else {
            branch = branch.leftHalf
          }
        }
        region.takeAll(branch.places)
      }
    }
  }
}

/// The layout of a k-d tree: a range's middle item splits it, on x and y in turn, into halves.
///
/// The tree is implicit in the items' indices; `splits[k]` repeats the splitting coordinate of
/// inner node k, whose halves are nodes 2k and 2k + 1, because the upper levels then stay in cache.
struct TreeOrder {
  /// The largest distance between the ends of a leaf's range, as in supercluster.
  static let leafSpan = 64

  /// The length above which ranges are sorted by several threads.
  private static let sharedSpan = 1 << 14

  let items: TreeItems
  let splits: UnsafeMutablePointer<Float>

  /// Returns the maximum number of splits of a tree with a number of items, including the unused
  /// node 0.
  static func nodeCapacity(items: Int) -> Int {
    var nodes = 2
    var longest = items
    while longest > leafSpan {
      nodes *= 2
      longest /= 2
    }
    return nodes
  }

  /// Partitions `left ... right` around its middle on an axis, and each half on the other.
  ///
  /// - Complexity: O(n log n)
  func sort(left: Int, right: Int, node: Int, axis: Int, threads: Int) {
    guard right - left > Self.leafSpan else { return }
    let middle = (left + right) >> 1
    items.select(middle, left: left, right: right, axis: axis)
    splits[node] = items.coordinate(middle, axis)
    guard threads > 1, right - left > Self.sharedSpan else {
      sort(left: left, right: middle - 1, node: 2 * node, axis: 1 - axis, threads: 1)
      sort(left: middle + 1, right: right, node: 2 * node + 1, axis: 1 - axis, threads: 1)
      return
    }
    ChunkedWork(count: 2, threads: 2, minimum: 1).forEach { half, _ in
      sort(
        left: half == 0 ? left : middle + 1, right: half == 0 ? middle - 1 : right,
        node: 2 * node + half, axis: 1 - axis, threads: threads / 2)
    }
  }
}

/// A node of the tree during a search.
struct TreeBranch {
  let left: Int32
  let right: Int32
  let node: UInt32

  /// The axis: 0 if the node splits on x, 1 if on y.
  let axis: UInt32

  /// The indices of its items.
  var places: ClosedRange<Int> { Int(left)...Int(right) }

  var isInner: Bool { right - left > Int32(TreeOrder.leafSpan) }
  var middle: Int32 { left + (right - left) / 2 }

  /// The item of an inner node, as a leaf of its own.
  var middleItem: TreeBranch { TreeBranch(left: middle, right: middle, node: 0, axis: 0) }

  var leftHalf: TreeBranch {
    TreeBranch(left: left, right: middle - 1, node: 2 * node, axis: 1 - axis)
  }

  var rightHalf: TreeBranch {
    TreeBranch(left: middle + 1, right: right, node: 2 * node + 1, axis: 1 - axis)
  }
}
