/// The foldings of text by `CASEI` and `ACCENTI`, the same in every locale.
enum TextFolding: Sendable {
  case letterCase
  case accents

  /// - Complexity: O(length); no table lookup for ASCII.
  func fold(_ text: String) -> String {
    switch self {
    case .letterCase: Self.foldCase(text)
    case .accents: text.utf8.allSatisfy { $0 < 0x80 } ? text : Self.foldAccents(text)
    }
  }

  /// Returns the lower case of the upper case, which equates `ß` with `ss` and `ς` with `σ`, as
  /// full case folding does (Unicode 16, 3.13.3, default caseless matching).
  private static func foldCase(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.uppercased().lowercased()
  }

  /// Returns the text without the diacritics in ``Diacritics``; letter case is kept.
  private static func foldAccents(_ text: String) -> String {
    var folded = ""
    for character in text {
      if character.isASCII {
        folded.append(character)
      } else if let base = Diacritics.table[character] {
        folded += base
      } else if let base = Diacritics.table[Character(lowering: character)] {
        folded += base.uppercased()
      } else {
        folded.unicodeScalars.append(contentsOf: character.unicodeScalars.filter { !$0.isAccent })
      }
    }
    return folded
  }
}

extension Character {
  /// Creates the lower case of a character, or the character itself if its lower case is longer
  /// than one.
  fileprivate init(lowering character: Character) {
    let lowered = character.lowercased()
    self = lowered.count == 1 ? lowered.first ?? character : character
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is in a block of combining diacritical marks; the marks of Japanese or
  /// Indic scripts are parts of letters and stay.
  fileprivate var isAccent: Bool {
    switch self {
    case "\u{300}"..."\u{36F}", "\u{1AB0}"..."\u{1AFF}", "\u{1DC0}"..."\u{1DFF}",
      "\u{20D0}"..."\u{20FF}", "\u{FE20}"..."\u{FE2F}":
      true
    default: false
    }
  }
}
