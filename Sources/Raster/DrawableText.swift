import TextAnalysis

/// The characters of a text in sections that are drawn, break lines, or join or order others.
///
/// Line ends are "\n", other white space is a space; control characters are left out.
struct DrawableText {
  private(set) var scalars: [Unicode.Scalar] = []

  /// The section of each scalar.
  private(set) var sections: [Int] = []

  /// - Complexity: O(scalars), at most ``TextShaper/maxLength``.
  init(_ sections: [TextSection]) {
    var read = 0
    var wasReturn = false
    for (number, section) in sections.enumerated() {
      for scalar in section.text.unicodeScalars {
        read += 1
        guard read <= TextShaper.maxLength else { return }
        if let drawn = Self.drawn(scalar, after: wasReturn) {
          scalars.append(drawn)
          self.sections.append(number)
        }
        wasReturn = scalar == "\r"
      }
    }
  }

  /// Returns the scalar that replaces another; `nil` if it is dropped.
  static func drawn(_ scalar: Unicode.Scalar, after isReturn: Bool) -> Unicode.Scalar? {
    switch scalar {
    case "\u{20}"..."\u{7E}": return scalar
    case "\n" where isReturn: return nil
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": return "\n"
    case "\t", "\u{0B}", "\u{0C}": return " "
    // Beyond U+009F there are no control characters.
    default: return scalar.value < 0xA0 ? nil : scalar
    }
  }

  /// Returns the clusters of characters that are drawn from one face, such as a letter with its
  /// marks; none reaches over a section's end or a newline.
  ///
  /// - Complexity: O(scalars).
  var clusters: [Range<Int>] {
    // No two scalars below U+0300 make a cluster.
    guard scalars.contains(where: { $0.value >= 0x300 }) else {
      return scalars.indices.map { $0..<$0 + 1 }
    }
    var clusters: [Range<Int>] = []
    clusters.reserveCapacity(scalars.count)
    var start = 0
    while start < scalars.count {
      let section = sections[start]
      let end = sections[start...].firstIndex { $0 != section } ?? scalars.count
      let text = String(String.UnicodeScalarView(scalars[start..<end]))
      for character in text {
        let count = character.unicodeScalars.count
        clusters.append(start..<start + count)
        start += count
      }
    }
    return clusters
  }
}

extension TextShaper {
  /// Whether a scalar of a label needs a glyph: others only affect line breaking, the joining of
  /// letters, their form or direction.
  package static func needsGlyph(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{AC}", "\u{AE}"..."\u{2FF}": true
    case "\u{2028}", "\u{2029}": false
    case "\t", "\u{0B}", "\u{0C}": true
    default: scalar.value >= 0xA0 && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a text has characters that stand upright in vertical lines. A label without any is
  /// horizontal, whatever `text-writing-mode` says.
  package static func allowsVertical(_ sections: [TextSection]) -> Bool {
    sections.contains { section in
      section.text.utf8.contains { $0 >= 0xE1 }
        && section.text.unicodeScalars.contains { TextAnalyzer.isEastAsianUpright($0) }
    }
  }
}
