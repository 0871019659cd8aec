import Features

/// Text with `{name}` tokens from before expressions.
enum LegacyTokens {
  /// Returns the expression for a text with tokens, `nil` for a text without any.
  static func expression(for text: String) -> PropertyValue? {
    var parts: [PropertyValue] = []
    var rest = text[...]
    var literal = ""
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      let inner = rest[rest.index(after: open)...]
      guard let end = inner.firstIndex(where: { $0 == "{" || $0 == "}" }) else {
        rest = rest[open...]
        break
      }
      if inner[end] == "}", end > inner.startIndex {
        if !literal.isEmpty { parts.append(.string(literal)) }
        literal = ""
        parts.append(.array([.string("get"), .string(String(inner[..<end]))]))
        rest = inner[inner.index(after: end)...]
      } else {
        // The brace does not begin a token; the search continues after it.
        literal += "{"
        rest = inner
      }
    }
    guard !parts.isEmpty else { return nil }
    literal += rest
    if !literal.isEmpty { parts.append(.string(literal)) }
    return .array([.string(parts.count == 1 ? "to-string" : "concat")] + parts)
  }
}
