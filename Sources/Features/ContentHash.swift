/// A 128-bit hash of a sequence of bytes: MurmurHash3, x64 variant, seed 0.
///
/// It is the same on every machine and in every run, so it may be part of feature keys. It resists
/// accidents, not attackers.
///
/// Source: A. Appleby, MurmurHash3_x64_128 (public domain).
package struct ContentHash: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// Creates the hash of bytes.
  ///
  /// - Complexity: O(n), 16 bytes per step.
  package init(_ bytes: UnsafeRawBufferPointer) {
    var h1: UInt64 = 0
    var h2: UInt64 = 0
    let whole = bytes.count & ~15
    for offset in stride(from: 0, to: whole, by: 16) {
      h1 ^= Self.scramble1(Self.word(bytes, offset, count: 8))
      h1 = (Self.rotate(h1, 27) &+ h2) &* 5 &+ 0x52DC_E729
      h2 ^= Self.scramble2(Self.word(bytes, offset + 8, count: 8))
      h2 = (Self.rotate(h2, 31) &+ h1) &* 5 &+ 0x3849_5AB5
    }
    let tail = bytes.count - whole
    if tail > 8 { h2 ^= Self.scramble2(Self.word(bytes, whole + 8, count: tail - 8)) }
    if tail > 0 { h1 ^= Self.scramble1(Self.word(bytes, whole, count: min(tail, 8))) }
    h1 ^= UInt64(bytes.count)
    h2 ^= UInt64(bytes.count)
    h1 &+= h2
    h2 &+= h1
    h1 = Self.finish(h1)
    h2 = Self.finish(h2)
    h1 &+= h2
    h2 &+= h1
    (high, low) = (h1, h2)
  }

  /// The hash as 32 hexadecimal digits.
  package var text: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns up to eight bytes as a little-endian number.
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int, count: Int) -> UInt64 {
    if count == 8 {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  private static func scramble1(_ value: UInt64) -> UInt64 {
    rotate(value &* 0x87C3_7B91_1142_53D5, 31) &* 0x4CF5_AD43_2745_937F
  }

  private static func scramble2(_ value: UInt64) -> UInt64 {
    rotate(value &* 0x4CF5_AD43_2745_937F, 33) &* 0x87C3_7B91_1142_53D5
  }

  private static func finish(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }
}
