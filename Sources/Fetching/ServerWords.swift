/// Words of a server for quoting in messages.
enum ServerWords {
  /// Returns the text on one line, without secrets and without anything that a terminal would
  /// interpret.
  ///
  /// - Parameter limit: the number of characters that are kept.
  static func shown(_ text: String, without secrets: SecretValues, limit: Int) -> String {
    // Redacted before and after: the characters removed in between could have split a secret.
    let words = secrets.redact(text).split { $0.isWhitespace }.joined(separator: " ")
    let plain = String(
      String.UnicodeScalarView(
        words.unicodeScalars.filter { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            false
          default: true
          }
        }))
    return String(secrets.redact(plain).prefix(limit))
  }
}
