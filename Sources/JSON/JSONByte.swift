/// The bytes that have a meaning in JSON.
///
/// All of it can be inlined: readers in other targets compare bytes with it.
@usableFromInline
package enum JSONByte {
  @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
  @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
  @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
  @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
  @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
  @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
  @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
  @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
  @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
  @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
  @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
  @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
  @inlinable package static var nine: UInt8 { UInt8(ascii: "9") }
  @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  /// The byte that RFC 8142 puts before every text of a sequence.
  @inlinable package static var recordSeparator: UInt8 { 0x1E }

  /// Whether the byte is whitespace between tokens.
  @inlinable @inline(__always)
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == 0x0D || byte == 0x09
  }

  /// Whether the byte may be part of a number.
  static func mayStandInNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case zero...nine, minus, plus, point, UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: false
    }
  }

  /// Returns the byte for a message: `'x'`, or its number if it cannot be shown.
  static func described(_ byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...: "the byte 0x\(hex(byte))"
    default: "the character U+00\(hex(byte))"
    }
  }

  /// Returns the byte as two hexadecimal digits.
  static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
