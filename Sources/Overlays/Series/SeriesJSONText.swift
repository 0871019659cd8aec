import JSON

/// JSON text of single values, the same on every run.
enum SeriesJSONText {
  /// A string in quotes, with the escapes that RFC 8259, section 7, demands and no others.
  static func string(_ text: String) -> String { JSONWriter.text(text, escapes: []) }

  /// The shortest digits that read back as the same number, whole ones without a point; 0 for what
  /// is no number.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    return Int64(exactly: value).map { String($0) } ?? value.description
  }

  static func time(_ time: FrameTime) -> String { "\"\(time)\"" }

  /// An object of members that are JSON texts already, on one line.
  static func object(_ members: [(String, String?)]) -> String {
    let texts = members.compactMap { name, value in value.map { "\(string(name)): \($0)" } }
    return "{\(texts.joined(separator: ", "))}"
  }

  static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

  /// A list with an element a line, for people and for `diff`.
  static func lines(_ elements: [String]) -> String {
    if elements.isEmpty { return "[]" }
    return "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
  }
}
