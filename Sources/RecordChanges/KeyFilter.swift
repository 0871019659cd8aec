/// A fast pre-test that excludes most keys that are not in a small set: one bit of a table for each
/// key of the set.
///
/// False positives occur (3 in 100), false negatives never.
struct KeyFilter: Sendable {
  /// Bits per key; 32, so that a thousand keys stay in the first-level cache.
  private static let bitsPerKey = 32

  private var words: ContiguousArray<UInt64>
  /// The number of bits by which a hash is shifted right to give a bit's index.
  private let shift: UInt64

  /// Creates an empty filter for a number of keys.
  init(capacity: Int) {
    var logarithm = 12
    while 1 << logarithm < capacity * Self.bitsPerKey, logarithm < 36 { logarithm += 1 }
    words = ContiguousArray(repeating: 0, count: 1 << (logarithm - 6))
    shift = UInt64(64 - logarithm)
  }

  /// Adds a key.
  mutating func insert(_ key: UnsafeRawBufferPointer) {
    let bit = Int(Self.hash(key) >> shift)
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  /// Calls `body` with the table, for many tests in a row.
  func withTable<R>(_ body: (Table) throws -> R) rethrows -> R {
    try words.withUnsafeBufferPointer { try body(Table(words: $0, shift: shift)) }
  }

  /// The filter's table, valid while it is lent.
  struct Table {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate let shift: UInt64

    /// Whether a key may be in the set.
    @inline(__always)
    func mayContain(_ key: UnsafeRawBufferPointer) -> Bool {
      let bit = Int(KeyFilter.hash(key) >> shift)
      return words[bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }
  }

  /// Returns a hash of the length and the first and last eight bytes; those between do not count.
  @inline(__always)
  private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    let count = key.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    if count >= 8 {
      first = key.loadUnaligned(as: UInt64.self)
      last = key.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      first = UInt64(key.loadUnaligned(as: UInt32.self))
      last = UInt64(key.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    } else if count > 0 {
      first = UInt64(key[0]) | UInt64(key[count / 2]) << 8
      last = UInt64(key[count - 1])
    }
    // Odd constants with bits all over; the product's upper half depends on all bits below.
    let left = (first ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    let right = (last ^ (left >> 32)) &* 0xC2B2_AE3D_27D4_EB4F
    return (right ^ (right >> 29)) &* 0x9E37_79B9_7F4A_7C15
  }
}
