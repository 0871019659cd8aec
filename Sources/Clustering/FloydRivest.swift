import Platform

/// The items of a ``RadiusTree`` while they are sorted: the bits of x and y in single precision,
/// index, weight. These four values are moved as one register.
struct TreeItems {
  let base: UnsafeMutablePointer<SIMD4<UInt32>>

  /// Returns the coordinate of an item on an axis: 0 is x, 1 is y. Arithmetic wraps, here and in
  /// ``partition``, because indices stay within a buffer in memory.
  @inline(__always)
  func coordinate(_ index: Int, _ axis: Int) -> Float {
    UnsafeRawPointer(base).load(fromByteOffset: index &* 16 &+ axis &* 4, as: Float.self)
  }

  @inline(__always)
  func swap(_ left: Int, _ right: Int) {
    let item = base[left]
    base[left] = base[right]
    base[right] = item
  }

  /// Reorders `left ... right` so that items before `place` are not greater on the axis than the
  /// item there, and items after it not smaller.
  ///
  /// This is SELECT of R. W. Floyd and R. L. Rivest (CACM 18, 1975, algorithm 489). The final
  /// positions of equal items determine the order in which supercluster joins neighbours, so the
  /// sample sizes and exchanges are those of kdbush 4.
  ///
  /// - Complexity: O(right − left) expected
  func select(_ place: Int, left: Int, right: Int, axis: Int) {
    var left = left
    var right = right
    while right > left {
      if right - left > 600 {
        let sample = Self.sample(around: place, left: left, right: right)
        select(place, left: sample.lowerBound, right: sample.upperBound, axis: axis)
      }
      let pivot = coordinate(place, axis)
      let middle = partition(left: left, right: right, place: place, pivot: pivot, axis: axis)
      if middle <= place { left = middle + 1 }
      if place <= middle { right = middle - 1 }
    }
  }

  /// Returns the part of a long range that very likely contains the wanted item.
  private static func sample(around place: Int, left: Int, right: Int) -> ClosedRange<Int> {
    let count = Double(right - left + 1)
    let rank = Double(place - left + 1)
    let logarithm = log(count)
    let size = 0.5 * exp(2 * logarithm / 3)
    let deviation =
      0.5 * (logarithm * size * (count - size) / count).squareRoot()
      * (rank - count / 2 < 0 ? -1 : 1)
    let low = (Double(place) - rank * size / count + deviation).rounded(.down)
    let high = (Double(place) + (count - rank) * size / count + deviation).rounded(.down)
    return max(left, Int(low))...min(right, Int(high))
  }

  /// Partitions a range of at least two items at a pivot, found at `place`, and returns the pivot's
  /// final index.
  private func partition(left: Int, right: Int, place: Int, pivot: Float, axis: Int) -> Int {
    swap(left, place)
    if coordinate(right, axis) > pivot { swap(left, right) }
    swap(left, right)
    var (low, high) = exchangedBlocks(left &+ 1, right &- 1, pivot: pivot, axis: axis)
    while coordinate(low, axis) < pivot { low &+= 1 }
    while coordinate(high, axis) > pivot { high &-= 1 }
    while low < high {
      swap(low, high)
      low &+= 1
      high &-= 1
      while coordinate(low, axis) < pivot { low &+= 1 }
      while coordinate(high, axis) > pivot { high &-= 1 }
    }
    if coordinate(left, axis) == pivot {
      swap(left, high)
    } else {
      high += 1
      swap(high, right)
    }
    return high
  }

  /// Makes most exchanges of a partition: the next item from the left that is not smaller than the
  /// pivot with the next one from the right that is not greater.
  ///
  /// Both are searched for among 64 items at a time, without a branch for each (S. Edelkamp and A.
  /// Weiß, BlockQuicksort, 2016): half of those branches would be mispredicted. The plain loop
  /// makes the same exchanges.
  ///
  /// - Returns: the items between which the plain loop has to continue.
  @inline(__always)
  private func exchangedBlocks(
    _ low: Int, _ high: Int, pivot: Float, axis: Int
  ) -> (low: Int, high: Int) {
    var (low, high) = (low, high)
    var (leftStart, rightStart) = (low, high)
    var (lefts, rights): (UInt64, UInt64) = (0, 0)
    while true {
      if lefts == 0 {
        let rest = high &- low &+ 1
        let count = min(64, rights == 0 ? rest / 2 : rest)
        if count <= 0 { break }
        leftStart = low
        lefts = bits(count, from: low, step: 1, axis: axis) { $0 >= pivot }
        low &+= count
      }
      if rights == 0 {
        let count = min(64, high &- low &+ 1)
        if count <= 0 { break }
        rightStart = high
        rights = bits(count, from: high, step: -1, axis: axis) { $0 <= pivot }
        high &-= count
      }
      while lefts != 0, rights != 0 {
        swap(
          leftStart &+ lefts.trailingZeroBitCount, rightStart &- rights.trailingZeroBitCount)
        lefts &= lefts &- 1
        rights &= rights &- 1
      }
    }
    return (
      lefts == 0 ? low : leftStart &+ lefts.trailingZeroBitCount,
      rights == 0 ? high : rightStart &- rights.trailingZeroBitCount
    )
  }

  /// Returns a bit for each of up to 64 items: whether its coordinate meets a condition.
  @inline(__always)
  private func bits(
    _ count: Int, from start: Int, step: Int, axis: Int, _ isMet: (Float) -> Bool
  ) -> UInt64 {
    var result: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= count {
      var eight: UInt64 = 0
      for lane in 0..<8 {
        let isSet = isMet(coordinate(start &+ (offset &+ lane) &* step, axis))
        eight |= (isSet ? 1 : 0) &<< UInt64(truncatingIfNeeded: lane)
      }
      result |= eight &<< UInt64(truncatingIfNeeded: offset)
      offset &+= 8
    }
    while offset < count {
      let isSet = isMet(coordinate(start &+ offset &* step, axis))
      result |= (isSet ? 1 : 0) &<< UInt64(truncatingIfNeeded: offset)
      offset &+= 1
    }
    return result
  }
}
