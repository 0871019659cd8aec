import SpatialIndex

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

  var isInner: Bool { right - left > Int32(TreeOrder.leafSpan) }
  var middle: Int32 { left + (right - left) / 2 }

  var leftHalf: TreeBranch {
    TreeBranch(left: left, right: middle - 1, node: 2 * node, axis: 1 - axis)
  }

  var rightHalf: TreeBranch {
    TreeBranch(left: middle + 1, right: right, node: 2 * node + 1, axis: 1 - axis)
  }
}
