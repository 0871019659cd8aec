/// A set of hashes, one bit for each remainder by 2²²: a hash that was not inserted may be found,
/// too, one in a thousand if some 4,000 were inserted.
package struct HashFilter {
  private static let bitCount = 1 << 22
  private var words = [UInt64](repeating: 0, count: HashFilter.bitCount / 64)

  package init() {}

  package mutating func insert(_ hash: UInt64) {
    let bit = Int(truncatingIfNeeded: hash) & (Self.bitCount - 1)
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    let bit = Int(truncatingIfNeeded: hash) & (Self.bitCount - 1)
    return words[bit >> 6] >> UInt64(bit & 63) & 1 != 0
  }
}
