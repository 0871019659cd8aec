import Files

/// The values that no message, file name or cache file may show, in every spelling that a server or
/// an address could give them.
package struct SecretValues: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The replacement of a value; the same as in the messages of a pipeline.
  package static let mask = "***"

  /// The minimum length of a secret: hiding every `a` would hide the message.
  package static let minimumLength = 4

  /// The values as they were given, sorted.
  let values: [String]

  /// Every spelling, longest first so that one within another leaves no rest.
  private let spellings: [String]

  package init(_ values: some Sequence<String> = EmptyCollection<String>()) {
    let kept = Set(values.filter { $0.count >= Self.minimumLength })
    self.values = kept.sorted()
    spellings = Set(self.values.flatMap(Self.spellings(of:)))
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Returns the text with the values redacted.
  ///
  /// - Complexity: O(spellings × length).
  package func redact(_ text: String) -> String {
    spellings.reduce(text) { $0.replacing($1, with: Self.mask) }
  }

  /// Whether a text contains one of the values in any spelling.
  package func occur(in text: String) -> Bool {
    spellings.contains { text.contains($0) }
  }

  /// The length of the longest spelling in UTF-8 bytes: a truncated text may end in a part of that
  /// length.
  var longest: Int { spellings.first?.utf8.count ?? 0 }

  /// The number of values, never the values.
  package var description: String { "\(values.count) hidden" }

  package var customMirror: Mirror { Mirror(self, children: ["count": values.count]) }

  /// Returns a value as it is, percent-encoded for a path, a query and a form, with upper- and
  /// lower-case digits, and escaped for HTML and JSON.
  private static func spellings(of value: String) -> [String] {
    let all = PercentEncoding.encoded(value, keeping: PercentEncoding.isUnreserved)
    let legal = PercentEncoding.encoded(value, keeping: PercentEncoding.isLegal)
    let escaped = PercentEncoding.legalized(value)
    let form = all.replacing("%20", with: "+")
    let html = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    let json = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let spellings = [
      value, all, legal, escaped, form, html, json, json.replacing("/", with: "\\/"),
    ]
    return spellings + spellings.map(PercentEncoding.withSmallDigits)
  }
}
