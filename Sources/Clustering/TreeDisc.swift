/// The items of a ``RadiusTree`` in their order, in groups of eight that are compared at once.
///
/// A group holds eight x, eight y (single precision) and eight of the caller's numbers, 96 bytes: a
/// leaf is contiguous in memory, and a hit's number is near its coordinates. The `x` of a removed
/// item is NaN, for which every comparison fails.
struct TreeGroups {
  private static let lanes = 8
  private static let stride = 96

  private let base: UnsafeMutableRawPointer

  init(capacity: Int) {
    base = .allocate(byteCount: (capacity / Self.lanes + 1) * Self.stride, alignment: 64)
  }

  func deallocate() { base.deallocate() }

  /// Copies sorted items. The last group may be partly empty; its empty lanes are never read.
  func fill(from items: TreeItems, count: Int) {
    let last = (count / Self.lanes + 1) * Self.lanes
    for place in 0..<last {
      let item = place < count ? items.base[place] : SIMD4(repeating: Float.nan.bitPattern)
      let lane = address(place)
      lane.storeBytes(of: item.x, as: UInt32.self)
      lane.storeBytes(of: item.y, toByteOffset: 32, as: UInt32.self)
      lane.storeBytes(of: item.z, toByteOffset: 64, as: UInt32.self)
    }
  }

  /// Returns the coordinates of one item.
  @inline(__always)
  func center(_ place: Int) -> SIMD2<Float> {
    let lane = address(place)
    return SIMD2(lane.load(as: Float.self), lane.load(fromByteOffset: 32, as: Float.self))
  }

  /// Returns the caller's number of one item.
  @inline(__always)
  func index(_ place: Int) -> UInt32 { address(place).load(fromByteOffset: 64, as: UInt32.self) }

  /// Removes one item.
  @inline(__always)
  func remove(_ place: Int) { address(place).storeBytes(of: .nan, as: Float.self) }

  /// Calls the body with the indices of a range that are in groups with any item in a box.
  @inline(__always)
  func forEach(
    in range: ClosedRange<Int>, near low: SIMD2<Float>, _ high: SIMD2<Float>,
    _ body: (_ place: Int) -> Void
  ) {
    var start = range.lowerBound & ~(Self.lanes - 1)
    while start <= range.upperBound {
      let group = base + start / Self.lanes * Self.stride
      let x = group.load(as: SIMD8<Float>.self)
      let y = group.load(fromByteOffset: 32, as: SIMD8<Float>.self)
      if any((x .>= low.x) .& (x .<= high.x) .& (y .>= low.y) .& (y .<= high.y)) {
        let end = min(start &+ Self.lanes, range.upperBound &+ 1)
        for place in max(start, range.lowerBound)..<end { body(place) }
      }
      start &+= Self.lanes
    }
  }

  @inline(__always)
  private func address(_ place: Int) -> UnsafeMutableRawPointer {
    base + (place / Self.lanes * Self.stride + place % Self.lanes * 4)
  }
}

/// A circle for a search in a ``RadiusTree``. Comparisons are those of kdbush, rounding included.
struct TreeDisc {
  private let groups: TreeGroups
  private let center: SIMD2<Double>
  private let squaredRadius: Double
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>

  /// The radius plus more than any rounding of ``take(_:)``.
  private let margin: Double

  /// The corners of a box around the circle, in single precision and rounded outward.
  private let outerLow: SIMD2<Float>
  private let outerHigh: SIMD2<Float>
  private let takesOut: Bool
  private let found: UnsafeMutableBufferPointer<UInt32>

  /// The number of items found.
  private(set) var count = 0

  /// Whether more items were found than there is room for.
  private(set) var isFull = false

  init(
    groups: TreeGroups, center: SIMD2<Double>, radius: Double, takesOut: Bool,
    found: UnsafeMutableBufferPointer<UInt32>
  ) {
    self.groups = groups
    self.center = center
    squaredRadius = radius * radius
    low = center - radius
    high = center + radius
    margin = radius * 1.000_001
    outerLow = SIMD2(Float(center.x - margin).nextDown, Float(center.y - margin).nextDown)
    outerHigh = SIMD2(Float(center.x + margin).nextUp, Float(center.y + margin).nextUp)
    self.takesOut = takesOut
    self.found = found
  }

  /// Returns whether the left and right halves of a split have to be searched; at least one always
  /// has to.
  @inline(__always)
  func reach(split: Double, axis: UInt32) -> (left: Bool, right: Bool) {
    axis == 0 ? (low.x <= split, high.x >= split) : (low.y <= split, high.y >= split)
  }

  /// Whether the item on a split may be in the circle: avoids reading most of them.
  @inline(__always)
  func mayHold(split: Double, axis: UInt32) -> Bool {
    abs((axis == 0 ? center.x : center.y) - split) <= margin
  }

  /// Adds an item if it is in the circle. A removed item never is.
  @inline(__always)
  mutating func take(_ place: Int) {
    let offset = SIMD2<Double>(groups.center(place)) - center
    let squares = offset * offset
    guard squares.x + squares.y <= squaredRadius else { return }
    guard count < found.count, let base = found.baseAddress else {
      isFull = true
      return
    }
    base[count] = groups.index(place)
    count &+= 1
    if takesOut { groups.remove(place) }
  }

  /// Adds the items of a leaf that are in the circle, in their order.
  @inline(__always)
  mutating func takeAll(_ leaf: ClosedRange<Int>) {
    groups.forEach(in: leaf, near: outerLow, outerHigh) { take($0) }
  }
}
