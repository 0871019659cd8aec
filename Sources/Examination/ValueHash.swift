import Ingest

/// A 64-bit hash that stands for a value during an examination: fast, and well mixed in every bit.
///
/// Words are folded in by the high and low halves of a 128-bit product, as in wyhash (Wang Yi,
/// 2019). It is stable only within one version of the program, so it is never stored.
enum ValueHash {
  private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let second: UInt64 = 0xD1B5_4A32_D192_ED03

  /// Returns the hash of bytes; never 0, which marks an empty slot in tables.
  ///
  /// - Complexity: O(n), eight bytes per step.
  @inline(__always)
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ first
    var offset = 0
    while offset &+ 8 <= count {
      hash = fold(hash ^ word(bytes, offset), second)
      offset &+= 8
    }
    var rest = UInt64(truncatingIfNeeded: count) << 56
    var shift: UInt64 = 0
    while offset < count {
      rest ^= UInt64(bytes[offset]) << shift
      shift &+= 8
      offset &+= 1
    }
    return finish(hash ^ rest)
  }

  /// Returns the hash of two words, such as a position; never 0.
  @inline(__always)
  static func hash(_ high: UInt64, _ low: UInt64) -> UInt64 {
    finish(fold(high ^ first, second) ^ low)
  }

  /// Mixes every bit into every other: the last steps of SplitMix64 (Vigna, 2015). One folded
  /// product did not mix short texts well, and their count was estimated a fifth too high.
  @inline(__always)
  static func finish(_ value: UInt64) -> UInt64 {
    var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return max(mixed ^ (mixed >> 31), 1)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low ^ a
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
