extension String {
  /// The text with control characters as escapes such as `\u{1B}`, so that data in a message cannot
  /// control the terminal.
  ///
  /// - Complexity: O(*n*).
  package var withoutControls: String {
    // Controls are the bytes below 0x20, 0x7F, and in UTF-8 0xC2 with one of 0x80 … 0x9F; those of
    // the direction of writing and the separators begin with 0xE2.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else {
      return self
    }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  /// The beginning of the text, as a message can quote it: at most 60 scalars, without controls.
  ///
  /// - Complexity: O(1).
  package var quotable: String {
    // A character may be of any number of scalars.
    let start = String(UnicodeScalarView(unicodeScalars.prefix(60)))
    return (start.utf8.count < utf8.count ? start + "…" : start).withoutControls
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character, separates lines, or changes the order in which others
  /// are shown.
  fileprivate var isControl: Bool {
    switch value {
    case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: properties.generalCategory == .control
    }
  }
}
