import Hashing

/// The MD5 of an image, which is its name in the archive.
///
/// MD5 is what readers and validators of MBTiles expect; nothing here relies on it to resist
/// forgery.
package struct MD5Digest: Hashable, Sendable, BitwiseCopyable {
  /// The first eight bytes, big-endian.
  package let high: UInt64

  /// The last eight bytes, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the digest of bytes.
  ///
  /// - Complexity: O(`bytes.count`), 1.5 ns per byte.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hasher = MD5()
    hasher.update(bufferPointer: bytes)
    self.init(hasher.finalize())
  }

  init(_ halves: MD5.Halves) { self.init(high: halves.high, low: halves.low) }

  /// Reads 32 upper-case hexadecimal digits; `nil` for anything else.
  package init?(hexadecimal text: UnsafeRawBufferPointer) {
    guard text.count == Self.hexadecimalCount else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for index in 0..<Self.hexadecimalCount {
      let byte = text[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      if index < 16 {
        halves.0 = halves.0 << 4 | UInt64(digit)
      } else {
        halves.1 = halves.1 << 4 | UInt64(digit)
      }
    }
    self.init(high: halves.0, low: halves.1)
  }

  /// The number of hexadecimal digits.
  package static let hexadecimalCount = 32

  /// Writes the 32 upper-case hexadecimal digits to the start of a buffer.
  func writeHexadecimal(to buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= Self.hexadecimalCount)
    let words = (high >> 32, high & 0xFFFF_FFFF, low >> 32, low & 0xFFFF_FFFF)
    buffer.storeBytes(of: Self.digits(words.0), toByteOffset: 0, as: UInt64.self)
    buffer.storeBytes(of: Self.digits(words.1), toByteOffset: 8, as: UInt64.self)
    buffer.storeBytes(of: Self.digits(words.2), toByteOffset: 16, as: UInt64.self)
    buffer.storeBytes(of: Self.digits(words.3), toByteOffset: 24, as: UInt64.self)
  }

  /// Returns the eight digits of a number below 2³² as the bytes of a word, first digit at the
  /// lowest address.
  ///
  /// Spreads the nibbles over bytes, then adds 7 more to those above 9: `A` is 7 after `9` + 1.
  private static func digits(_ number: UInt64) -> UInt64 {
    var nibbles = number
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let aboveNine = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (nibbles + 0x3030_3030_3030_3030 + aboveNine * 7).bigEndian
  }
}

extension MD5Digest: CustomStringConvertible {
  /// The 32 upper-case hexadecimal digits.
  package var description: String {
    String(unsafeUninitializedCapacity: Self.hexadecimalCount) { buffer in
      writeHexadecimal(to: UnsafeMutableRawBufferPointer(buffer))
      return Self.hexadecimalCount
    }
  }
}

extension MD5Digest: Comparable {
  /// Compares in the order of the hexadecimal digits.
  package static func < (one: MD5Digest, other: MD5Digest) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}
