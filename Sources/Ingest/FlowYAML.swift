package import Features
import JSON

/// A writer of values as YAML in flow style, in the form that pipeline files are read in.
package enum FlowYAML {
  /// Returns a value on one line.
  ///
  /// `${` in a text becomes `$${`: a pipeline file would replace a variable there.
  ///
  /// - Complexity: O(size of the text); recursion as deep as the value.
  package static func text(_ value: PropertyValue) -> String {
    switch value {
    case .string(let text): scalar(text.replacing("${", with: "$${"))
    case .array(let items): "[\(items.map(text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(key($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
    case .null, .bool, .number, .whole: JSONWriter.text(value)
    }
  }

  /// Returns a key; variables are not replaced in keys.
  package static func key(_ name: String) -> String { scalar(name) }

  /// Returns a value over several lines where one line would be too long.
  ///
  /// - Parameters:
  ///   - column: the characters on the line before the value.
  ///   - indent: the spaces before further lines.
  ///   - width: the characters that a line should have at most; a scalar is never divided.
  package static func text(
    _ value: PropertyValue, column: Int, indent: Int, width: Int = 100
  ) -> String {
    let line = text(value)
    guard column + line.count > width else { return line }
    switch value {
    case .array(let items):
      let parts = items.map { Part(prefix: "", value: $0) }
      return "[" + filled(parts, column: column + 1, indent: indent, width: width) + "]"
    case .object(let members):
      let parts = members.map { Part(prefix: "\(key($0.key)): ", value: $0.value) }
      return "{" + filled(parts, column: column + 1, indent: indent, width: width) + "}"
    case .null, .bool, .number, .whole, .string: return line
    }
  }

  private struct Part {
    /// The key of a member with its colon; empty for an item of a list.
    let prefix: String
    let value: PropertyValue
  }

  /// Returns the parts with commas between, as many on each line as it has room for.
  private static func filled(_ parts: [Part], column: Int, indent: Int, width: Int) -> String {
    var result = ""
    var column = column
    for (index, part) in parts.enumerated() {
      let end = index < parts.count - 1 ? "," : ""
      let line = part.prefix + text(part.value) + end
      if index > 0 {
        if column + 1 + line.count > width {
          result += "\n" + String(repeating: " ", count: indent)
          column = indent
        } else {
          result += " "
          column += 1
        }
      }
      let piece =
        part.prefix
        + text(part.value, column: column + part.prefix.count, indent: indent + 2, width: width)
        + end
      result += piece
      column =
        piece.lastIndex(of: "\n").map { piece.distance(from: $0, to: piece.endIndex) - 1 }
        ?? column + piece.count
    }
    return result
  }

  private static func scalar(_ text: String) -> String {
    isPlain(text) ? text : escaped(JSONWriter.text(.string(text)))
  }

  /// Returns a JSON string with escapes for what YAML does not allow unescaped, or reads as the end
  /// of a line.
  private static func escaped(_ json: String) -> String {
    guard !json.utf8.allSatisfy({ $0 < 0x7F }) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether YAML reads the text unquoted as the same string, so not as one of its keywords.
  private static func isPlain(_ text: String) -> Bool {
    let own = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"]
    guard let first = text.utf8.first, isLetter(first), !own.contains(text.lowercased()) else {
      return false
    }
    return text.utf8.allSatisfy {
      isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || "_-.".utf8.contains($0)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
