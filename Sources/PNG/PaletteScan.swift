import Raster

/// A scan for the colours of a picture, up to 256, and the palette index of each pixel.
///
/// Premultiplied colours are compared, so that only distinct ones are divided by their alpha; no
/// two of them have the same straight colour, since ``PremultipliedColor`` is restored from it
/// exactly.
struct PaletteScan: ~Copyable {
  static let capacity = 256
  private static let slotBits = 11

  /// The premultiplied colours by first appearance.
  private let found = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: capacity)

  /// The hash table with open addressing: a colour in the upper half and its index into `found` plus
  /// one in the lower half, 0 for an empty slot.
  private let slots = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1 << slotBits)

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
    guard let source = pixels.baseAddress, pixels.count > 0 else { return true }
    var last = source[0]
    guard var index = place(of: last) else { return false }
    var position = 0
    while position < pixels.count {
      let end = min(position &+ 8, pixels.count)
      if end &- position == 8, Self.areEight(source + position, equalTo: last) {
        UnsafeMutableRawPointer(indices + position).storeBytes(
          of: UInt64(index) &* 0x0101_0101_0101_0101, as: UInt64.self)
      } else {
        for offset in position..<end {
          last = source[offset]
          guard let place = place(of: last) else { return false }
          index = place
          indices[offset] = index
        }
      }
      position = end
    }
    // Most pictures begin with their most transparent colour and need no second pass.
    if order() { return true }
    for position in 0..<pixels.count { indices[position] = ranks[Int(indices[position])] }
    return true
  }

  /// Whether eight pixels have a colour; as words, because the comparison of whole vectors is
  /// compiled lane by lane.
  @inline(__always)
  private static func areEight(
    _ pixels: UnsafePointer<UInt32>, equalTo color: UInt32
  ) -> Bool {
    let words = UnsafeRawPointer(pixels)
    let wanted = UInt64(color) << 32 | UInt64(color)
    func difference(_ offset: Int) -> UInt64 {
      words.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ wanted
    }
    return difference(0) | difference(8) | difference(16) | difference(24) == 0
  }

  /// Returns the index of a colour by first appearance, or `nil` if it would be the 257th.
  @inline(__always)
  private mutating func place(of color: UInt32) -> UInt8? {
    // Fibonacci hashing (Knuth, TAOCP 6.4); at most an eighth of the slots are used.
    let slot = Int((color &* 2_654_435_769) >> (32 - UInt32(Self.slotBits)))
    // The index, if the slot holds the colour; otherwise larger than any.
    let index = slots[slot] &- (UInt64(color) << 32 | 1)
    return index < UInt64(Self.capacity) ? UInt8(index) : search(color, from: slot)
  }

  /// Returns the index of a colour that may be in any slot from `first` on, and adds it if it is
  /// not; `nil` if it would be the 257th.
  @inline(never)
  private mutating func search(_ color: UInt32, from first: Int) -> UInt8? {
    var slot = first
    while slots[slot] != 0 {
      if slots[slot] >> 32 == color { return UInt8((slots[slot] &- 1) & 0xFF) }
      slot = (slot + 1) & (1 << Self.slotBits - 1)
    }
    if count == Self.capacity { return nil }
    found[count] = color
    count += 1
    slots[slot] = UInt64(color) << 32 | UInt64(count)
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
