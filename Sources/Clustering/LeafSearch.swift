/// The distances that decide whether an item is a neighbour without repeating the arithmetic of
/// kdbush.
///
/// Close to the radius kdbush's answer depends on the rounding of each of its steps, so these
/// distances decide nothing there.
struct NeighborReach {
  /// The squared distance up to which an item is a neighbour; negative for none.
  let inner: Double

  /// The squared distance beyond which an item is not a neighbour.
  let outer: Double

  /// The distance on an axis beyond which an item is not a neighbour.
  let margin: Double

  /// The squared distance, computed in single precision, beyond which an item is not a neighbour.
  let rough: Float

  init(radius: Double) {
    // Coordinates are 0 … 1. Differences in double precision are off by at most 2⁻⁵³, kdbush's
    // bounds by at most 2⁻⁵³ · (radius + 1).
    let slack = (1 + radius) * 0x1p-48
    let least = radius - slack
    let most = radius + slack
    inner = least > 0 ? least * least : -1
    outer = most * most
    margin = most * 1.000_001
    // A centre in single precision is off by 2⁻²⁵ on each axis; each operation rounds by 2⁻²⁴.
    let rough = most * (1 + 0x1p-20) + 0x1p-23
    self.rough = min(
      Float(rough * rough * (1 + 0x1p-18)).nextUp, .greatestFiniteMagnitude)
  }
}

/// The items of a ``RadiusTree`` in a box, in the order of kdbush.
struct LeafCandidates: TreeRegion {
  /// The number of items for which there is room.
  static let room = 1024

  private let groups: TreeGroups
  private let low: SIMD2<Float>
  private let high: SIMD2<Float>

  /// The coordinates and the numbers of the items.
  let x: UnsafeMutablePointer<Float>
  let y: UnsafeMutablePointer<Float>
  let indices: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private(set) var isFull = false

  init(
    groups: TreeGroups, low: SIMD2<Double>, high: SIMD2<Double>, x: UnsafeMutablePointer<Float>,
    y: UnsafeMutablePointer<Float>, indices: UnsafeMutablePointer<UInt32>
  ) {
    self.groups = groups
    self.low = SIMD2(Float(low.x).nextDown, Float(low.y).nextDown)
    self.high = SIMD2(Float(high.x).nextUp, Float(high.y).nextUp)
    self.x = x
    self.y = y
    self.indices = indices
  }

  @inline(__always)
  func reach(split: Float, axis: UInt32) -> (left: Bool, right: Bool) {
    axis == 0 ? (low.x <= split, high.x >= split) : (low.y <= split, high.y >= split)
  }

  @inline(__always)
  func mayHold(split: Float, axis: UInt32) -> Bool {
    axis == 0 ? low.x <= split && split <= high.x : low.y <= split && split <= high.y
  }

  @inline(__always)
  mutating func take(_ place: Int) { takeAll(of: place..<place &+ 1) }

  @inline(__always)
  mutating func takeAll(_ leaf: ClosedRange<Int>) {
    groups.forEach(in: leaf, near: low, high) { takeAll(of: $0) }
  }

  /// Takes those of at most eight items that lie in the box, without a branch that depends on the
  /// item.
  @inline(__always)
  private mutating func takeAll(of places: Range<Int>) {
    guard count &+ 8 <= Self.room else {
      isFull = true
      return
    }
    for place in places {
      let center = groups.center(place)
      x[count] = center.x
      y[count] = center.y
      indices[count] = groups.index(place)
      let isInside =
        (center.x >= low.x ? 1 : 0) & (center.x <= high.x ? 1 : 0)
        & (center.y >= low.y ? 1 : 0) & (center.y <= high.y ? 1 : 0)
      count &+= isInside
    }
  }

  /// Fills up the last group of eight with items that no comparison finds.
  ///
  /// - Returns: the number of items including these.
  func padded() -> Int {
    let end = (count + 7) & ~7
    for place in count..<end { x[place] = .infinity }
    return end
  }
}

/// A search for the neighbours of all items of a leaf at once, so that their candidates are read
/// only once.
struct LeafSearch: ~Copyable {
  /// The number of neighbours of an item for which there is room.
  static let room = 64

  private let nodes: UnsafeBufferPointer<RadiusNode>
  private let reach: NeighborReach
  private let x: UnsafeMutablePointer<Float>
  private let y: UnsafeMutablePointer<Float>
  private let indices: UnsafeMutablePointer<UInt32>

  /// The centres of the leaf's items.
  private let centers: UnsafeMutablePointer<SIMD2<Double>>

  /// The neighbours of the item that was searched last, in the order of kdbush.
  let found: UnsafeMutablePointer<UInt32>

  init(of nodes: UnsafeBufferPointer<RadiusNode>, radius: Double) {
    self.nodes = nodes
    reach = NeighborReach(radius: radius)
    let floats = UnsafeMutableRawPointer.allocate(
      byteCount: 8 * LeafCandidates.room, alignment: 64
    ).bindMemory(to: Float.self, capacity: 2 * LeafCandidates.room)
    x = floats
    y = floats + LeafCandidates.room
    indices = .allocate(capacity: LeafCandidates.room)
    centers = .allocate(capacity: TreeOrder.leafSpan + 1)
    found = .allocate(capacity: Self.room)
  }

  deinit {
    x.deallocate()
    indices.deallocate()
    centers.deallocate()
    found.deallocate()
  }

  /// Searches around each item of a leaf.
  ///
  /// - Parameter body: takes the number of an item and the count of its neighbours in ``found``;
  ///   the count is `nil` if there are too many, or if one is so close to the radius that only a
  ///   search in kdbush's arithmetic can decide.
  @inline(__always)
  func neighbors(
    of leaf: TreeBranch, in tree: borrowing RadiusTree, _ body: (_ item: Int, _ count: Int?) -> Void
  ) {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = -low
    for (row, place) in leaf.places.enumerated() {
      // Most nodes are points, whose centres the tree stores exactly.
      let center =
        tree.groups.isRounded(place)
        ? nodes[Int(tree.groups.index(place))].center
        : SIMD2<Double>(tree.groups.center(place))
      centers[row] = center
      low.replace(with: center, where: center .< low)
      high.replace(with: center, where: center .> high)
    }
    var candidates = LeafCandidates(
      groups: tree.groups, low: low - reach.margin, high: high + reach.margin, x: x, y: y,
      indices: indices)
    tree.visit(&candidates)
    let end = candidates.padded()
    for (row, place) in leaf.places.enumerated() {
      let item = tree.groups.index(place)
      body(
        Int(item),
        candidates.isFull ? nil : neighbors(of: item, at: centers[row], among: end))
    }
  }

  /// Searches the first `end` candidates for neighbours of an item; `end` is a multiple of eight.
  ///
  /// - Returns: the count of neighbours; `nil` as in ``neighbors(of:in:_:)``.
  @inline(__always)
  private func neighbors(of item: UInt32, at center: SIMD2<Double>, among end: Int) -> Int? {
    let (roughX, roughY) = (Float(center.x), Float(center.y))
    let (rawX, rawY) = (UnsafeRawPointer(x), UnsafeRawPointer(y))
    var count = 0
    var start = 0
    while start < end {
      let dx = EightFloats(rawX + start &* 4).minus(roughX)
      let dy = EightFloats(rawY + start &* 4).minus(roughY)
      let isFar = dx.squares(with: dy).subtracted(from: reach.rough).signs
      if !isFar.areAllMinus {
        var bits = isFar.plusBits
        while bits != 0 {
          let place = start &+ bits.trailingZeroBitCount
          bits &= bits &- 1
          let offset = SIMD2(Double(x[place]), Double(y[place])) - center
          let squares = offset * offset
          let distance = squares.x + squares.y
          if distance > reach.outer || indices[place] == item { continue }
          guard distance <= reach.inner, count < Self.room else { return nil }
          found[count] = indices[place]
          count &+= 1
        }
      }
      start &+= 8
    }
    return count
  }
}
