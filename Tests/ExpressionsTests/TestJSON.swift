import Features
import JSON
import OrderedCollections

/// Reads the JSON of the tests, where `'` may stand for `"`.
struct TestJSON {
  private var rest: Substring

  static func parse(_ text: String) -> PropertyValue {
    var parser = TestJSON(rest: text[...])
    let value = parser.value()
    parser.skipSpaces()
    precondition(parser.rest.isEmpty, "unread: \(parser.rest) in \(text)")
    return value
  }

  private mutating func skipSpaces() {
    rest = rest.drop { $0.isWhitespace }
  }

  private mutating func take(_ word: String) -> Bool {
    skipSpaces()
    guard rest.hasPrefix(word) else { return false }
    rest = rest.dropFirst(word.count)
    return true
  }

  private mutating func value() -> PropertyValue {
    skipSpaces()
    if take("null") { return .null }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    if take("[") {
      var items: [PropertyValue] = []
      while !take("]") {
        items.append(value())
        _ = take(",")
      }
      return .array(items)
    }
    if take("{") {
      var members: OrderedDictionary<String, PropertyValue> = [:]
      while !take("}") {
        guard case .string(let key) = value(), take(":") else { preconditionFailure("\(rest)") }
        members[key] = value()
        _ = take(",")
      }
      return .object(members)
    }
    if let quote = rest.first, quote == "\"" || quote == "'" {
      let inner = rest.dropFirst()
      guard let end = inner.firstIndex(of: quote) else { preconditionFailure("\(rest)") }
      rest = inner[inner.index(after: end)...]
      return .string(String(inner[..<end]))
    }
    let digits = rest.prefix { "+-.eE0123456789".contains($0) }
    rest = rest.dropFirst(digits.count)
    guard let number = Double(digits) else { preconditionFailure("\(rest)") }
    return .number(number)
  }
}

extension PropertyValue {
  /// The value as JSON without white space.
  var json: String { JSONWriter.text(self) }
}
