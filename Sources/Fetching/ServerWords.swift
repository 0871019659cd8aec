/// Words of a server as a message may quote them.
enum ServerWords {
  /// The text on one line, without secrets and without anything that a terminal would obey.
  ///
  /// - Parameter limit: characters that are kept.
  static func shown(_ text: String, without secrets: SecretValues, limit: Int) -> String {
    // Hidden before and after: what is left out in between could have parted a secret.
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
