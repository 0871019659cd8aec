/// Well-formed UTF-8 sequences, by table 3-7 of the Unicode standard: no overlong forms, no
/// surrogates, nothing over U+10FFFF.
package enum UTF8Sequence {
  /// Returns the length of the sequence of two to four bytes that begins at `start`; 0 if it is
  /// malformed, −1 if `available` bytes are too few to decide.
  package static func length(_ start: UnsafePointer<UInt8>, available: Int) -> Int {
    let lead = start[0]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    guard available > 1 else { return -1 }
    guard second.contains(start[1]) else { return 0 }
    for index in 2..<max(length, 2) {
      guard available > index else { return -1 }
      guard start[index] & 0xC0 == 0x80 else { return 0 }
    }
    return length
  }
}
