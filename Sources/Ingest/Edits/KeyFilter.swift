/// A quick look at a key that tells most keys of no interest from those of a small set: one bit of
/// a table for each key of the set.
///
/// It may say yes to others (3 of 100), never no to one of the set.
struct KeyFilter: Sendable {
  /// 32 bits a key, so that a thousand keys stay in the first-level cache.
  private static let bitsPerKey = 32

  private var words: ContiguousArray<UInt64>
  /// How far a hash is shifted to give a place in the table.
  private let shift: UInt64

  /// An empty filter for so many keys.
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

  /// Lends the table for many questions.
  func withTable<R>(_ body: (Table) throws -> R) rethrows -> R {
    try words.withUnsafeBufferPointer { try body(Table(words: $0, shift: shift)) }
  }

  /// The filter while it is lent.
  struct Table {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate let shift: UInt64

    /// Whether a key may be one of the set.
    @inline(__always)
    func mayContain(_ key: UnsafeRawBufferPointer) -> Bool {
      let bit = Int(KeyFilter.hash(key) >> shift)
      return words[bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }
  }

  /// Mixes the length, the first and the last eight bytes; those between do not count.
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
