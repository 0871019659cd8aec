package import Features
import OrderedCollections

/// A writer of values as JSON text without any space, like JavaScript's `JSON.stringify`.
package enum JSONWriter {
  /// Returns the text of a value.
  package static func text(_ value: PropertyValue) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a value; members keep their order.
  ///
  /// - Complexity: O(size of the text); recurses as deep as the value.
  package static func append(_ value: PropertyValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: append("null", to: &bytes)
    case .bool(let value): append(value ? "true" : "false", to: &bytes)
    case .number(let value): append(value, to: &bytes)
    case .string(let value): append(string: value, to: &bytes)
    case .array(let elements):
      bytes.append(JSONByte.openBracket)
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(JSONByte.comma) }
        isFirst = false
        append(element, to: &bytes)
      }
      bytes.append(JSONByte.closeBracket)
    case .object(let members):
      bytes.append(JSONByte.openBrace)
      var isFirst = true
      for (name, member) in members {
        if !isFirst { bytes.append(JSONByte.comma) }
        isFirst = false
        append(string: name, to: &bytes)
        bytes.append(JSONByte.colon)
        append(member, to: &bytes)
      }
      bytes.append(JSONByte.closeBrace)
    }
  }

  /// Appends a string in quotes, with escapes only where JSON demands them.
  package static func append(string: String, to bytes: inout [UInt8]) {
    var string = string
    string.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes) }
  }

  /// Appends UTF-8 as a string in quotes.
  package static func append(utf8: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(JSONByte.quote)
    var start = 0
    for index in 0..<utf8.count {
      let byte = utf8[index]
      guard byte < 0x20 || byte == JSONByte.quote || byte == JSONByte.backslash else { continue }
      bytes.append(contentsOf: utf8[start..<index])
      appendEscape(byte, to: &bytes)
      start = index + 1
    }
    bytes.append(contentsOf: utf8[start...])
    bytes.append(JSONByte.quote)
  }

  /// Appends a number in JavaScript's shortest form that reads back as the same Double; `null` for
  /// NaN and infinities.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    JSONNumberText(number).append(to: &bytes)
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(JSONByte.backslash)
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      append("u00", to: &bytes)
      append(byte < 0x10 ? "0" : "1", to: &bytes)
      let low = byte & 0xF
      bytes.append(low < 10 ? JSONByte.zero + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }

  private static func append(_ word: StaticString, to bytes: inout [UInt8]) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
