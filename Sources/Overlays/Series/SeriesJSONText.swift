import JSON

/// JSON text of single values, deterministic across runs.
enum SeriesJSONText {
  /// Returns a string in quotes, with exactly the escapes that RFC 8259, section 7, demands.
  static func string(_ text: String) -> String { JSONWriter.text(text, escapes: []) }

  /// Returns the shortest digits that read back as the same number, whole ones without a decimal
  /// point; 0 for NaN and infinities.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    return Int64(exactly: value).map { String($0) } ?? value.description
  }

  static func time(_ time: FrameTime) -> String { "\"\(time)\"" }

  /// Returns an object of members that are already JSON texts, on one line.
  static func object(_ members: [(String, String?)]) -> String {
    let texts = members.compactMap { name, value in value.map { "\(string(name)): \($0)" } }
    return "{\(texts.joined(separator: ", "))}"
  }

  static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

  /// Returns a list with one element per line, for readability and for `diff`.
  static func lines(_ elements: [String]) -> String {
    if elements.isEmpty { return "[]" }
    return "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
  }
}
