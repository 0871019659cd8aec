extension String {
  /// The text with control characters as escapes such as `\u{1B}`, so that data in a message cannot
  /// control the terminal.
  ///
  /// - Complexity: O(*n*).
  package var withoutControls: String {
    // Controls are the bytes below 0x20, 0x7F, and in UTF-8 0xC2 with one of 0x80 … 0x9F.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
    return unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}
