/// A part of the plane for a visit to a ``RadiusTree``, which takes the items that are in it.
protocol TreeRegion {
  /// Returns whether the left and right halves of a split have to be searched; at least one always
  /// has to.
  func reach(split: Float, axis: UInt32) -> (left: Bool, right: Bool)

  /// Whether the item on a split may lie in the region; the answer avoids reading most of these
  /// items.
  func mayHold(split: Float, axis: UInt32) -> Bool

  /// Takes an item if it is in the region.
  mutating func take(_ place: Int)

  /// Takes the items of a leaf that are in the region, in their order.
  mutating func takeAll(_ leaf: ClosedRange<Int>)

  /// Whether no more items are wanted.
  var isFull: Bool { get }
}

/// A circle for a search in a ``RadiusTree`` that finds the unused items in it and removes them.
/// Comparisons are those of kdbush, rounding included.
struct TreeDisc: TreeRegion {
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

  /// The state of each item, by its number, see ``NeighborLists/taken``.
  private let states: UnsafePointer<UInt8>
  private let found: UnsafeMutablePointer<UInt32>

  /// The number of items found.
  private(set) var count = 0

  var isFull: Bool { false }

  /// - Parameter found: has room for all unused items.
  init(
    groups: TreeGroups, center: SIMD2<Double>, radius: Double, states: UnsafePointer<UInt8>,
    found: UnsafeMutablePointer<UInt32>
  ) {
    self.groups = groups
    self.center = center
    squaredRadius = radius * radius
    low = center - radius
    high = center + radius
    margin = radius * 1.000_001
    outerLow = SIMD2(Float(center.x - margin).nextDown, Float(center.y - margin).nextDown)
    outerHigh = SIMD2(Float(center.x + margin).nextUp, Float(center.y + margin).nextUp)
    self.states = states
    self.found = found
  }

  @inline(__always)
  func reach(split: Float, axis: UInt32) -> (left: Bool, right: Bool) {
    let split = Double(split)
    return axis == 0
      ? (low.x <= split, high.x >= split) : (low.y <= split, high.y >= split)
  }

  @inline(__always)
  func mayHold(split: Float, axis: UInt32) -> Bool {
    abs((axis == 0 ? center.x : center.y) - Double(split)) <= margin
  }

  @inline(__always)
  mutating func take(_ place: Int) {
    let offset = SIMD2<Double>(groups.center(place)) - center
    let squares = offset * offset
    guard squares.x + squares.y <= squaredRadius else { return }
    let index = groups.index(place)
    groups.remove(place)
    guard states[Int(index)] != NeighborLists.taken else { return }
    found[count] = index
    count &+= 1
  }

  @inline(__always)
  mutating func takeAll(_ leaf: ClosedRange<Int>) {
    groups.forEach(in: leaf, near: outerLow, outerHigh) { places in
      for place in places { take(place) }
    }
  }
}
