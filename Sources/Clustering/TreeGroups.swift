/// The items of a ``RadiusTree`` in their order, in groups of eight that are compared at once.
///
/// A group holds eight x, eight y (single precision) and eight of the caller's numbers, 96 bytes: a
/// leaf is contiguous in memory, and a hit's number is near its coordinates. The `x` of a removed
/// item is infinite, which is in no box.
struct TreeGroups {
  private static let lanes = 8
  private static let stride = 96

  /// The bit of an item's number that marks its coordinates as rounded.
  static let rounded: UInt32 = 1 << 31

  private let base: UnsafeMutableRawPointer

  init(capacity: Int) {
    base = .allocate(byteCount: (capacity / Self.lanes + 1) * Self.stride, alignment: 64)
  }

  func deallocate() { base.deallocate() }

  /// Copies a range of the sorted items. Lanes beyond the last item are never read as items.
  func fill(_ range: Range<Int>, from items: TreeItems) {
    for place in range {
      let item = items.base[place]
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

  /// Returns the caller's number of one item, below 2³¹.
  @inline(__always)
  func index(_ place: Int) -> UInt32 {
    address(place).load(fromByteOffset: 64, as: UInt32.self) & ~Self.rounded
  }

  /// Whether the coordinates of one item are rounded: those of clusters are; points have single
  /// precision from the start.
  @inline(__always)
  func isRounded(_ place: Int) -> Bool {
    address(place).load(fromByteOffset: 64, as: UInt32.self) & Self.rounded != 0
  }

  /// Removes one item.
  @inline(__always)
  func remove(_ place: Int) { address(place).storeBytes(of: .infinity, as: Float.self) }

  /// Calls the body for each group of eight with an item in the box, with the part of the range
  /// that lies in the group.
  @inline(__always)
  func forEach(
    in range: ClosedRange<Int>, near low: SIMD2<Float>, _ high: SIMD2<Float>,
    _ body: (_ places: Range<Int>) -> Void
  ) {
    var start = range.lowerBound & ~(Self.lanes - 1)
    while start <= range.upperBound {
      let group = base + start / Self.lanes * Self.stride
      let (x, y) = (EightFloats(group), EightFloats(group + 32))
      let isOutside =
        x.minus(low.x).signs | x.subtracted(from: high.x).signs
        | y.minus(low.y).signs | y.subtracted(from: high.y).signs
      if !isOutside.areAllMinus {
        body(max(start, range.lowerBound)..<min(start &+ Self.lanes, range.upperBound &+ 1))
      }
      start &+= Self.lanes
    }
  }

  @inline(__always)
  private func address(_ place: Int) -> UnsafeMutableRawPointer {
    base + (place / Self.lanes * Self.stride + place % Self.lanes * 4)
  }
}

/// Eight numbers in two registers of the baseline instruction set; the compiler takes wider
/// vectors apart lane by lane.
struct EightFloats {
  private let low: SIMD4<Float>
  private let high: SIMD4<Float>

  /// Loads eight numbers from an address that is a multiple of 16.
  @inline(__always)
  init(_ address: UnsafeRawPointer) {
    low = address.load(as: SIMD4<Float>.self)
    high = address.load(fromByteOffset: 16, as: SIMD4<Float>.self)
  }

  @inline(__always)
  private init(_ low: SIMD4<Float>, _ high: SIMD4<Float>) {
    self.low = low
    self.high = high
  }

  /// Returns the differences of the numbers and another.
  @inline(__always)
  func minus(_ number: Float) -> EightFloats {
    let number = SIMD4(repeating: number)
    return EightFloats(low - number, high - number)
  }

  /// Returns the differences of a number and these.
  @inline(__always)
  func subtracted(from number: Float) -> EightFloats {
    let number = SIMD4(repeating: number)
    return EightFloats(number - low, number - high)
  }

  /// Returns the sums of the squares of these numbers and others.
  @inline(__always)
  func squares(with other: EightFloats) -> EightFloats {
    EightFloats(low * low + other.low * other.low, high * high + other.high * other.high)
  }

  @inline(__always)
  var signs: EightSigns {
    EightSigns(
      low: unsafeBitCast(low, to: SIMD4<Int32>.self),
      high: unsafeBitCast(high, to: SIMD4<Int32>.self))
  }
}

/// The signs of eight numbers, for comparisons with zero: the comparisons of the standard library
/// often become a loop over the lanes.
struct EightSigns {
  /// The highest bit of each lane is set where the number is negative.
  fileprivate let low: SIMD4<Int32>
  fileprivate let high: SIMD4<Int32>

  /// Returns minus for each lane that is negative in either.
  @inline(__always)
  static func | (left: EightSigns, right: EightSigns) -> EightSigns {
    EightSigns(low: left.low | right.low, high: left.high | right.high)
  }

  @inline(__always)
  var areAllMinus: Bool {
    let words = unsafeBitCast(low & high, to: SIMD2<UInt64>.self)
    let signs: UInt64 = 0x8000_0000_8000_0000
    return words.x & words.y & signs == signs
  }

  /// A bit for each lane that is not negative, the lowest for the first.
  @inline(__always)
  var plusBits: UInt32 {
    let bits = ~(low &>> 31) & SIMD4(1, 2, 4, 8) | ~(high &>> 31) & SIMD4(16, 32, 64, 128)
    let words = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
    let word = words.x | words.y
    return UInt32(truncatingIfNeeded: word | word &>> 32)
  }
}
