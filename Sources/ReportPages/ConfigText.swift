import Definition
import Runs

/// The text of a pipeline file in the form that a report may show: without the values of variables,
/// without the part after `?` in addresses, and truncated.
struct ConfigText {
  /// The maximum number of characters that are shown.
  private static let limit = 60_000

  let file: String
  let text: String

  /// Returns the texts of the files of a definition, the pipeline's own first; unreadable files are
  /// left out.
  static func all(of definition: PipelineDefinition) -> [ConfigText] {
    var files = [definition.file]
    for place in definition.sources.map(\.place) + definition.layers.map(\.place)
    where !place.file.isEmpty && !files.contains(place.file) {
      files.append(place.file)
    }
    return files.prefix(16).compactMap { ConfigText($0, redactions: definition.redactions) }
  }

  /// Reads a file; `nil` if it cannot be read, or is not a pipeline.
  private init?(_ file: String, redactions: RedactionList) {
    guard let bytes = try? DocumentFile.read(file, limit: DocumentLimits().bytes) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // Variables stay as they are written: their values are not needed here.
    guard
      let document = try? Document(bytes: bytes, file: file, environment: { _ in "0" })
    else { return nil }
    self.file = redactions.redact(file)
    self.text = Self.shown(text, of: document.root, redactions)
  }

  /// Returns the text without secrets.
  static func shown(_ text: String, of root: DocumentNode, _ redactions: RedactionList) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let masked = redactions.redact(withoutArguments(lines, of: root).joined(separator: "\n"))
    let shown = withoutQueries(masked)
    guard shown.count > limit else { return shown }
    return shown.prefix(limit) + "\n… (\(ReportNumber.count(shown.count - limit)) characters more)"
  }

  /// Returns the lines with every value under `args:` masked.
  private static func withoutArguments(_ lines: [String], of root: DocumentNode) -> [String] {
    guard let arguments = root["args"]?.members, !arguments.isEmpty else { return lines }
    let keys = (root.members ?? []).map(\.keyPlace.line) + arguments.map(\.keyPlace.line)
    var result = lines
    var hidden = Set<Int>()
    for argument in arguments {
      let first = argument.node.place.line
      guard lines.indices.contains(first - 1) else { continue }
      let line = lines[first - 1]
      let kept = String(line.prefix(max(argument.node.place.column - 1, 0)))
      if !hidden.contains(first) { result[first - 1] = kept + RedactionList.mask }
      hidden.insert(first)
      // A value may continue on several lines, up to the next key.
      let next = keys.filter { $0 > first }.min() ?? lines.count + 1
      for line in (first + 1)..<max(next, first + 1) {
        hidden.insert(line)
        if lines.indices.contains(line - 1), !lines[line - 1].allSatisfy(\.isWhitespace) {
          result[line - 1] = ""
        }
      }
    }
    return result
  }

  /// Returns the text with user names and the values of queries in addresses masked; a placeholder
  /// such as `{west}` stays.
  private static func withoutQueries(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "://") {
      result += rest[..<start.upperBound]
      rest = rest[start.upperBound...]
      let end = rest.firstIndex { $0.isWhitespace || "\"'<>".contains($0) } ?? rest.endIndex
      result += address(rest[..<end])
      rest = rest[end...]
    }
    return result + rest
  }

  /// Masks an address, given without its scheme and `://`.
  private static func address(_ text: Substring) -> String {
    var text = text
    if let at = text.firstIndex(of: "@"), !text[..<at].contains("/") {
      text = text[text.index(after: at)...]
    }
    guard let question = text.firstIndex(of: "?") else { return String(text) }
    let members = text[text.index(after: question)...].split(
      separator: "&", omittingEmptySubsequences: false)
    let masked = members.map { member -> String in
      guard !member.contains("{"), let equals = member.firstIndex(of: "=") else {
        return String(member)
      }
      return member[...equals] + RedactionList.mask
    }
    return text[...question] + masked.joined(separator: "&")
  }
}
