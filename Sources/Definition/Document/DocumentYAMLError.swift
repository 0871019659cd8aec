import Features
import Runs
import Yams

extension DocumentYAML {
  /// Returns libyaml's error as one sentence with its place.
  func failure(_ error: YamlError?) -> PipelineError {
    switch error {
    case .scanner(let context, let problem, let mark, _)?,
      .parser(let context, let problem, let mark, _)?,
      .composer(let context, let problem, let mark, _)?:
      if problem.hasPrefix("Maximum nesting level") { return limits.tooDeep(at: place(mark)) }
      if let comment = commentedColor(upTo: mark) {
        return Self.commentedColor(at: comment)
      }
      return place(mark).fault(sentence(problem, context: context, at: mark))
    case .reader(let problem, let offset, let value, _)?:
      let code = String(UInt32(bitPattern: value), radix: 16, uppercase: true)
      return place(offset: offset).fault("this is not text: \(problem) (U+\(code)).")
    default:
      return PipelineError(
        .definition, "this is not YAML.", at: DocumentPlace(file: file),
        cause: error.map { "\($0)" })
    }
  }

  /// Words a problem that libyaml names as a sentence that says how to fix it.
  private func sentence(_ problem: String, context: YamlError.Context?, at mark: Mark) -> String {
    if problem == "found character that cannot start any token" {
      return scalar(at: mark) == "\t"
        ? "a tab stands where YAML wants spaces. Indent with spaces."
        : "a value cannot begin with '\(scalar(at: mark).map(String.init) ?? "")'. Put it in quotes."
    }
    if problem.contains("escape") || problem.contains("hexdecimal") { return escape(at: mark) }
    if problem == "did not find expected key" || problem == "could not find expected ':'",
      let quote = endedQuote(before: mark)
    {
      return "the text in quotes ends before this. Within \(quote) a quote is written "
        + (quote == "'" ? "twice, '', or" : "as \\\", or") + " put the text in the other quotes."
    }
    switch problem {
    case "mapping values are not allowed in this context":
      return "a second ': ' on this line, or an indentation that fits no line above. "
        + "Put a text with ': ' in quotes."
    case "could not find expected ':'":
      return "a key without ':'. Write 'key: value'."
    case "did not find expected key":
      return "a key was expected here. Check the indentation and the commas."
    case "did not find expected ',' or '}'":
      return "',' or '}' is missing\(opened(context))."
    case "did not find expected ',' or ']'":
      return "',' or ']' is missing\(opened(context))."
    case "did not find expected node content":
      return "a value was expected here."
    case "found unexpected end of stream":
      return "the file ends inside a quoted text\(opened(context))."
    case "but found another document":
      return "a second document ('---') begins here. A pipeline file holds one."
    default:
      return "this is not YAML: \(problem)."
    }
  }

  /// Words the error of an escape that YAML does not have: mostly a path of Windows.
  private func escape(at mark: Mark) -> String {
    let line = self.line(at: mark)
    let before = line.prefix(max(0, mark.column - 1))
    let start = before.lastIndex(of: "\"").map { before.index(after: $0) } ?? before.endIndex
    let content = String(line[start...].prefix { $0 != "\"" })
    let path = content.contains("\\") && !content.contains("'") ? content : "C:\\data"
    return
      "a backslash in double quotes begins an escape, and this is none. Write the text in single "
      + "quotes, '\(path.quotable)', or a path with '/'."
  }

  /// Returns the quote that ends right before a mark, after which more follows on the line.
  private func endedQuote(before mark: Mark) -> Character? {
    let line = self.line(at: mark)
    guard mark.column > 1, let first = line.dropFirst(mark.column - 1).first,
      first.isLetter || first.isNumber || first == "'" || first == "\"",
      let last = line.prefix(mark.column - 1).last(where: { $0 != " " })
    else { return nil }
    return last == "'" || last == "\"" ? last : nil
  }

  /// Returns the line of a mark.
  private func line(at mark: Mark) -> Substring {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
  }

  /// Returns the place of a colour, at or before a mark, that YAML takes for a comment, such as in
  /// `{circle-color: #ff0000}`.
  private func commentedColor(upTo mark: Mark) -> DocumentPlace? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.prefix(mark.line).enumerated() {
      guard let found = line.firstMatch(of: /[:,\[]\s+(#[0-9A-Fa-f]{3,8})\b/),
        line[..<found.range.lowerBound].contains(where: { $0 == "{" || $0 == "[" })
          || line[found.range.lowerBound] == "["
      else { continue }
      let column = line[..<found.1.startIndex].unicodeScalars.count + 1
      return DocumentPlace(file: file, line: index + 1, column: column)
    }
    return nil
  }

  /// Returns the error for a colour without quotes, which YAML takes for a comment.
  static func commentedColor(at place: DocumentPlace) -> PipelineError {
    place.fault("'#' begins a comment here. Put the colour in quotes.")
  }

  /// Returns the place of a colour after a key or a dash without another value, such as in
  /// `circle-color: #ff0000`.
  ///
  /// - Complexity: O(lines + values).
  func commentedValue(in root: DocumentNode) -> DocumentPlace? {
    var places: [Int: DocumentPlace] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.contains("#"), let found = line.firstMatch(of: /[:-][ \t]+(#[0-9A-Fa-f]{3,8})\s*$/)
      else { continue }
      let column = line[..<found.1.startIndex].unicodeScalars.count + 1
      places[index + 1] = DocumentPlace(file: file, line: index + 1, column: column)
    }
    return places.isEmpty ? nil : root.firstEmptyPlace(among: places)
  }

  /// Returns ` to what was opened at line:column`.
  private func opened(_ context: YamlError.Context?) -> String {
    context.map { "; it was opened at \($0.mark.line):\($0.mark.column)" } ?? ""
  }

  /// Returns the character at a mark.
  private func scalar(at mark: Mark) -> Unicode.Scalar? {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line - 1) else { return nil }
    return lines[mark.line - 1].dropFirst(mark.column - 1).first
  }

  /// Returns the place of a character counted from the start of the text.
  private func place(offset: Int?) -> DocumentPlace {
    var place = DocumentPlace(file: file, line: 1, column: 1)
    for character in text.prefix(offset ?? 0) {
      place.column = character.isNewline ? 1 : place.column + character.unicodeScalars.count
      if character.isNewline { place.line += 1 }
    }
    return place
  }
}

extension DocumentNode {
  /// Returns the first of some places, by line, on whose line a member or an item has no value.
  fileprivate func firstEmptyPlace(among places: [Int: DocumentPlace]) -> DocumentPlace? {
    if let members {
      return members.lazy.compactMap { member in
        if case .null = member.node.value { return places[member.keyPlace.line] }
        return member.node.firstEmptyPlace(among: places)
      }.first
    }
    return items?.lazy.compactMap { item in
      if case .null = item.value { return places[item.place.line] }
      return item.firstEmptyPlace(among: places)
    }.first
  }
}
