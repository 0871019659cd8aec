/// A writer of numbers in as few bytes as they need.
///
/// Seven bits per byte, the lowest first, the highest bit set in all but the last (LEB128). Signed
/// numbers alternate: 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 ….
package struct TapByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  package mutating func append(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func append(signed value: Int) {
    append((value << 1) ^ (value >> (Int.bitWidth - 1)))
  }

  package mutating func append(fixed value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  package mutating func append(counted other: [UInt8]) {
    append(other.count)
    bytes.append(contentsOf: other)
  }
}
