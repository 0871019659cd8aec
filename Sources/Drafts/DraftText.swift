import Features
import Ingest
import OrderedCollections

/// A key of a pipeline that is written, with its comment.
struct DraftEntry {
  /// A comment above the key; empty for none. Each line is one of the file.
  var comment: String

  let key: String
  let content: Content

  enum Content {
    /// A value in flow style, on one line if it fits.
    case value(PropertyValue)
    /// Keys on lines of their own.
    case keys([DraftEntry])
    /// A list of objects whose keys stand on lines of their own.
    case list([[DraftEntry]])
  }

  init(_ key: String, _ value: PropertyValue, comment: String = "") {
    self.init(key, .value(value), comment: comment)
  }

  init(_ key: String, _ content: Content, comment: String = "") {
    self.comment = comment
    self.key = key
    self.content = content
  }
}

extension DraftEntry.Content {
  /// The value that the written text stands for.
  var value: PropertyValue {
    switch self {
    case .value(let value): value
    case .keys(let entries): entries.value
    case .list(let items): .array(items.map(\.value))
    }
  }
}

extension [DraftEntry] {
  /// The object that the entries stand for.
  var value: PropertyValue {
    .object(OrderedDictionary(uniqueKeysWithValues: map { ($0.key, $0.content.value) }))
  }
}

/// A writer of pipeline files as YAML for people: short objects on one line, comments above keys.
///
/// The text follows from the entries alone.
enum DraftText {
  /// The characters that a line should have at most.
  private static let width = 100

  /// Returns the text of a file; top-level keys with comments get a blank line before them.
  static func text(_ entries: [DraftEntry], head: [String] = []) -> String {
    var lines = head.map { $0.isEmpty ? "#" : "# \(plain($0))" }
    for (index, entry) in entries.enumerated() {
      if index > 0, !entry.isPlain || !entries[index - 1].isPlain { lines.append("") }
      append(entry, indent: 0, to: &lines)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a line of a comment without characters that YAML forbids or takes for the end of a line.
  private static func plain(_ line: some StringProtocol) -> String {
    let scalars = String(line).withoutControls.unicodeScalars.map { scalar in
      [0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF].contains(scalar.value)
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return scalars.joined()
  }

  private static func append(
    _ entry: DraftEntry, indent: Int, first: String? = nil, to lines: inout [String]
  ) {
    let margin = String(repeating: " ", count: indent)
    if !entry.comment.isEmpty, first == nil {
      lines += entry.comment.split(separator: "\n").map { "\(margin)# \(plain($0))" }
    }
    let key = (first ?? margin) + FlowYAML.key(entry.key) + ":"
    switch entry.content {
    case .value(let value):
      let text = FlowYAML.text(
        value, column: key.count + 1, indent: indent + 2, width: width)
      lines += "\(key) \(text)".split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    case .keys(let entries):
      guard !entries.isEmpty else { return lines.append("\(key) {}") }
      lines.append(key)
      for entry in entries { append(entry, indent: indent + 2, to: &lines) }
    case .list(let items):
      guard !items.isEmpty else { return lines.append("\(key) []") }
      lines.append(key)
      for item in items { append(item, indent: indent + 2, to: &lines) }
    }
  }

  /// Appends an item of a list; a comment on its first key stands above the item.
  private static func append(_ item: [DraftEntry], indent: Int, to lines: inout [String]) {
    let margin = String(repeating: " ", count: indent)
    for (index, entry) in item.enumerated() {
      guard index == 0 else {
        append(entry, indent: indent + 2, to: &lines)
        continue
      }
      if !entry.comment.isEmpty {
        lines += entry.comment.split(separator: "\n").map { "\(margin)# \(plain($0))" }
      }
      append(entry, indent: indent + 2, first: "\(margin)- ", to: &lines)
    }
  }
}

extension DraftEntry {
  /// Whether the entry takes one line.
  fileprivate var isPlain: Bool {
    if case .value = content { comment.isEmpty } else { false }
  }
}
