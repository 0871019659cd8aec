/// Validation of UTF-8 as Unicode defines it (table 3-7): shortest forms only, no surrogates,
/// nothing above U+10FFFF.
package enum UTF8Validation {
  /// Returns the index of the first byte of the first malformed sequence, or `nil`.
  ///
  /// - Complexity: O(n), eight bytes per step where they are ASCII.
  package static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index = skipASCII(bytes, from: index)
        continue
      }
      let length = sequenceLength(bytes, at: index)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  /// Returns the length of the well-formed sequence of two to four bytes at an index, or 0.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let left = bytes.count - index
    func follows(_ offset: Int) -> Bool { bytes[index + offset] & 0xC0 == 0x80 }
    switch bytes[index] {
    case 0xC2...0xDF:
      return left >= 2 && follows(1) ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3, follows(1), follows(2) else { return 0 }
      let second = bytes[index + 1]
      let isOverlong = bytes[index] == 0xE0 && second < 0xA0
      let isSurrogate = bytes[index] == 0xED && second >= 0xA0
      return isOverlong || isSurrogate ? 0 : 3
    case 0xF0...0xF4:
      guard left >= 4, follows(1), follows(2), follows(3) else { return 0 }
      let second = bytes[index + 1]
      let isOverlong = bytes[index] == 0xF0 && second < 0x90
      let isTooLarge = bytes[index] == 0xF4 && second >= 0x90
      return isOverlong || isTooLarge ? 0 : 4
    default:
      return 0
    }
  }
}
