import Raster

/// A scan for the colours of a picture, up to 256, and the palette index of each pixel.
///
/// Premultiplied colours are compared, so that only distinct ones are divided by their alpha; two
/// of them never become the same straight colour, since ``PremultipliedColor`` is restored exactly.
struct PaletteScan: ~Copyable {
  static let capacity = 256
  private static let slotBits = 10

  /// The premultiplied colours by first appearance.
  private let found = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: capacity)

  /// The hash table with open addressing: the index into `found` plus one, 0 for an empty slot.
  private let slots = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 1 << slotBits)

  /// The palette index of each colour by first appearance.
  private let ranks = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)

  /// The straight colours in the order of the palette.
  private let ordered = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: capacity)

  private var count = 0

  init() {
    found.initialize(repeating: 0)
    slots.initialize(repeating: 0)
    ranks.initialize(repeating: 0)
    ordered.initialize(repeating: 0)
  }

  deinit {
    found.deallocate()
    slots.deallocate()
    ranks.deallocate()
    ordered.deallocate()
  }

  /// The straight colours found, most transparent first, then by first appearance.
  var colors: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(rebasing: ordered[0..<count])
  }

  /// Writes the index in ``colors`` of each pixel to `indices`.
  ///
  /// - Returns: `false` as soon as a 257th colour is met; the content of `indices` is then
  ///   undefined.
  /// - Complexity: O(pixels), eight at a time where they repeat the colour before them.
  mutating func scan(
    _ pixels: UnsafeBufferPointer<UInt32>, indices: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    slots.update(repeating: 0)
    count = 0
    guard let source = pixels.baseAddress else { return true }
    var last: UInt32 = 0
    var index: UInt8 = 0
    var position = 0
    while position < pixels.count {
      if count > 0 {
        position += repeated(last, index, source, indices, from: position, to: pixels.count)
        if position == pixels.count { break }
      }
      last = source[position]
      guard let place = place(of: last) else { return false }
      index = place
      indices[position] = index
      position += 1
    }
    // Most pictures begin with their most transparent colour and need no second pass.
    if order() { return true }
    for position in 0..<pixels.count { indices[position] = ranks[Int(indices[position])] }
    return true
  }

  /// Fills `indices` while the pixels from `start` on equal `color`; returns their number.
  @inline(__always)
  private func repeated(
    _ color: UInt32, _ index: UInt8, _ source: UnsafePointer<UInt32>,
    _ indices: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int
  ) -> Int {
    var position = start
    while position + 8 <= end {
      let next = UnsafeRawPointer(source + position).loadUnaligned(as: SIMD8<UInt32>.self)
      if next != SIMD8(repeating: color) { break }
      UnsafeMutableRawPointer(indices + position).storeBytes(
        of: SIMD8(repeating: index), as: SIMD8<UInt8>.self)
      position += 8
    }
    while position < end, source[position] == color {
      indices[position] = index
      position += 1
    }
    return position - start
  }

  /// Returns the index of a colour by first appearance, or `nil` if it would be the 257th.
  @inline(__always)
  private mutating func place(of color: UInt32) -> UInt8? {
    // Fibonacci hashing (Knuth, TAOCP 6.4); at most a quarter of the slots are used.
    var slot = Int((color &* 2_654_435_769) >> (32 - UInt32(Self.slotBits)))
    while slots[slot] != 0 {
      let candidate = Int(slots[slot]) - 1
      if found[candidate] == color { return UInt8(candidate) }
      slot = (slot + 1) & (1 << Self.slotBits - 1)
    }
    if count == Self.capacity { return nil }
    found[count] = color
    count += 1
    slots[slot] = UInt16(count)
    return UInt8(count - 1)
  }

  /// Sorts the colours by alpha with a stable counting sort, so that the tRNS chunk is as short as
  /// possible.
  ///
  /// - Returns: whether the order by first appearance was already right.
  private func order() -> Bool {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { starts in
      starts.initialize(repeating: 0)
      for index in 0..<count {
        let next = Int(found[index] >> 24) + 1
        starts[next] = starts[next] + 1
      }
      for alpha in 1...256 { starts[alpha] = starts[alpha] + starts[alpha - 1] }
      var isOrdered = true
      for index in 0..<count {
        let alpha = Int(found[index] >> 24)
        isOrdered = isOrdered && starts[alpha] == index
        ranks[index] = UInt8(starts[alpha])
        ordered[starts[alpha]] = PremultipliedColor(bits: found[index]).straightBits
        starts[alpha] = starts[alpha] + 1
      }
      return isOrdered
    }
  }
}
