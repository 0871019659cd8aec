package import JSON
import OrderedCollections

// Values as JSON text without any space, as JavaScript's `JSON.stringify` writes them.
extension JSONWriter {
  /// Returns the text of a value.
  package static func text(_ value: PropertyValue) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a value; members keep their order.
  ///
  /// - Complexity: O(size of the text); recursion as deep as the value.
  package static func append(_ value: PropertyValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let value): append(value, to: &bytes)
    case .whole(let value): bytes.append(contentsOf: value.text.utf8)
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
}
