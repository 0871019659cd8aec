/// The bytes with a meaning in JSON.
package enum JSONByte {
  package static let quote = UInt8(ascii: "\"")
  package static let backslash = UInt8(ascii: "\\")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")
  package static let openBracket = UInt8(ascii: "[")
  package static let closeBracket = UInt8(ascii: "]")
  package static let comma = UInt8(ascii: ",")
  package static let colon = UInt8(ascii: ":")
  package static let space = UInt8(ascii: " ")
  package static let minus = UInt8(ascii: "-")
  package static let plus = UInt8(ascii: "+")
  package static let point = UInt8(ascii: ".")
  package static let zero = UInt8(ascii: "0")
  package static let nine = UInt8(ascii: "9")
  package static let lineFeed = UInt8(ascii: "\n")
  /// The byte that precedes every text of a sequence (RFC 8142).
  package static let recordSeparator: UInt8 = 0x1E

  /// Whether the byte is whitespace between tokens.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == 0x0D || byte == 0x09
  }

  /// Whether the byte may belong to a number.
  static func mayStandInNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case zero...nine, minus, plus, point, UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: false
    }
  }

  /// Returns the byte for a message: `'x'`, or its number where it cannot be shown.
  static func described(_ byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...: "the byte 0x\(hex(byte))"
    default: "the character U+00\(hex(byte))"
    }
  }

  /// Returns two hexadecimal digits.
  static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
