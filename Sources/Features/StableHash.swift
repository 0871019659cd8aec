/// A 128-bit content hash that is the same in every process, unlike `Hasher`.
///
/// Two lanes of multiply and xor-shift rounds (the finalizer of SplitMix64) over 64-bit words.
/// The hash is not cryptographic: it distinguishes scenes of one tileset and does not resist an
/// adversary.
///
/// It is inlinable because a build mixes in some words for every symbol of every tile.
package struct StableHash: Codable, Hashable, Sendable, BitwiseCopyable {
  package var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  package var low: UInt64 = 0xD6E8_FEB8_6659_FD93

  @inlinable
  package init() {}

  /// Mixes a word into the hash.
  @inlinable @inline(__always)
  package mutating func combine(_ word: UInt64) {
    var a = (high ^ word) &* 0xBF58_476D_1CE4_E5B9
    a ^= a >> 29
    high = a &* 0x94D0_49BB_1331_11EB &+ low
    var b = (low &+ word) &* 0xFF51_AFD7_ED55_8CCD
    b ^= b >> 32
    low = b &* 0xC4CE_B9FE_1A85_EC53 ^ (high >> 17)
  }

  @inlinable @inline(__always)
  package mutating func combine(_ value: Int) {
    combine(UInt64(bitPattern: Int64(value)))
  }

  /// Mixes a number into the hash; −0 counts as 0.
  @inlinable
  package mutating func combine(_ value: Double) {
    combine((value == 0 ? 0 : value).bitPattern)
  }

  /// Mixes a text, with its length in UTF-8, into the hash.
  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  /// Mixes bytes, with their number, into the hash: words of eight, the last filled with zeros.
  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(bytes.count)
    let whole = bytes.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }
    if whole < bytes.count {
      combine(bytes[whole...].reversed().reduce(0) { $0 << 8 | UInt64($1) } as UInt64)
    }
  }

  /// Mixes another hash into this one.
  @inlinable @inline(__always)
  package mutating func combine(_ other: StableHash) {
    combine(other.high)
    combine(other.low)
  }
}
