/// The k-d tree of kdbush over the points or clusters of one zoom, rebuilt in place for the next.
///
/// The order in which it reports neighbours is part of supercluster's result: sums of coordinates
/// are rounded in that order. It is the order of kdbush: an inner node's own item, the items of its
/// right half, those of its left half; in leaves, as they lie. Coordinates are single precision.
struct RadiusTree: ~Copyable {
  private let order: TreeOrder
  private let capacity: Int
  private var count = 0

  init(capacity: Int) {
    precondition(capacity < 1 << 31, "items are numbered with 31 bits")
    self.capacity = capacity
    order = TreeOrder(
      items: TreeItems(base: .allocate(capacity: max(1, capacity))),
      splits: .allocate(capacity: TreeOrder.nodeCapacity(items: capacity)))
  }

  deinit {
    order.items.base.deallocate()
    order.splits.deallocate()
  }

  /// Indexes items anew.
  ///
  /// - Parameter item: the coordinates and the weight of each item.
  /// - Complexity: O(n log n)
  mutating func build(
    count: Int, threads: Int, item: (Int) -> (center: SIMD2<Double>, weight: UInt32)
  ) {
    precondition(count <= capacity)
    self.count = count
    for index in 0..<count {
      let (center, weight) = item(index)
      order.items.base[index] = SIMD4(
        Float(center.x).bitPattern, Float(center.y).bitPattern,
        UInt32(truncatingIfNeeded: index), weight)
    }
    order.sort(left: 0, right: count - 1, node: 1, axis: 0, threads: threads)
  }

  /// The index of a found item.
  func index(of item: UInt32) -> Int { Int(order.items.base[Int(item)].z) }

  /// The weight of a found item.
  func weight(of item: UInt32) -> UInt32 { order.items.base[Int(item)].w }

  /// Writes the items within a distance of a place to a buffer and returns how many there are.
  ///
  /// - Parameter found: takes up to `capacity` items.
  /// - Complexity: O(log n + answer) expected
  func items(
    within radius: Double, of center: SIMD2<Double>, into found: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard count > 0 else { return 0 }
    var disc = TreeDisc(items: order.items, center: center, radius: radius, found: found)
    // One half waits per level, and there are at most 32.
    withUnsafeTemporaryAllocation(of: TreeBranch.self, capacity: 32) { waiting in
      var depth = 1
      waiting[0] = TreeBranch(left: 0, right: Int32(count - 1), node: 1, axis: 0)
      while depth > 0 {
        depth -= 1
        var branch = waiting[depth]
        while branch.isInner {
          let middle = branch.middle
          let split = Double(order.splits[Int(branch.node)])
          let (reachesLeft, reachesRight) = disc.reach(split: split, axis: branch.axis)
          if disc.mayHold(split: split, axis: branch.axis) { disc.take(middle) }
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
        for item in branch.left...branch.right { disc.take(item) }
      }
    }
    return disc.count
  }
}

/// A circle as ``RadiusTree`` looks for it. Comparisons are those of kdbush, rounding included.
private struct TreeDisc {
  let items: TreeItems
  let center: SIMD2<Double>
  let radius: Double
  private let squaredRadius: Double
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>
  private let margin: Double
  private let found: UnsafeMutablePointer<UInt32>
  private(set) var count = 0

  init(
    items: TreeItems, center: SIMD2<Double>, radius: Double, found: UnsafeMutablePointer<UInt32>
  ) {
    self.items = items
    self.center = center
    self.radius = radius
    squaredRadius = radius * radius
    low = center - radius
    high = center + radius
    margin = radius * 1.000_001
    self.found = found
  }

  /// Whether the halves left and right of a split have to be searched; one of them always has to.
  @inline(__always)
  func reach(split: Double, axis: UInt32) -> (left: Bool, right: Bool) {
    axis == 0 ? (low.x <= split, high.x >= split) : (low.y <= split, high.y >= split)
  }

  /// Whether the item on a split may lie in the circle: spares reading most of them. The margin is
  /// wider than any rounding of ``take(_:)``.
  @inline(__always)
  func mayHold(split: Double, axis: UInt32) -> Bool {
    abs((axis == 0 ? center.x : center.y) - split) <= margin
  }

  /// Notes an item if it lies in the circle.
  @inline(__always)
  mutating func take(_ item: Int32) {
    let index = Int(item)
    let dx = Double(items.coordinate(index, 0)) - center.x
    let dy = Double(items.coordinate(index, 1)) - center.y
    found[count] = UInt32(truncatingIfNeeded: index)
    count &+= dx * dx + dy * dy <= squaredRadius ? 1 : 0
  }
}
