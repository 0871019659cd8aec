import Platform

/// The colours of text on a terminal; none where a stream is something else, where `NO_COLOR` is set
/// (https://no-color.org) or the terminal is dumb.
struct TerminalColors {
  private let isOn: Bool

  static let none = TerminalColors(isOn: false)

  init(isOn: Bool) {
    self.isOn = isOn
  }

  /// - Parameter stream: the number of the stream that the text goes to.
  init(_ stream: Int32) {
    func text(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let terminal = text("TERM")
    isOn =
      isatty(stream) == 1 && text("NO_COLOR").isEmpty && !terminal.isEmpty && terminal != "dumb"
  }

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "33"
  }

  private func styled(_ text: some StringProtocol, _ style: Style) -> String {
    isOn ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : String(text)
  }

  /// Returns the word before a message.
  func label(_ level: Terminal.Level) -> String {
    styled("\(level.rawValue):", level == .error ? .red : .yellow)
  }

  /// Returns a note.
  func note(_ text: String) -> String { styled(text, .yellow) }

  /// Returns a result with the heads of its tables in bold.
  ///
  /// - Complexity: O(*n*).
  func heads(_ text: String) -> String {
    guard isOn else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.map { index in
      let isHead =
        index > 0 && lines[index - 1].isEmpty && index + 1 < lines.count
        && Self.isHead(lines[index]) && lines[index + 1].hasPrefix("  ")
      return isHead ? styled(lines[index], .bold) : String(lines[index])
    }.joined(separator: "\n")
  }

  /// Whether a line consists of the names of columns: indented words of letters with two spaces or
  /// more between.
  static func isHead(_ line: Substring) -> Bool {
    guard line.hasPrefix("  "), line.dropFirst(2).contains("  ") else { return false }
    return line.allSatisfy { $0 == " " || ("a"..."z").contains($0) }
  }
}
