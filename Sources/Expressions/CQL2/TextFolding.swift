/// What `CASEI` and `ACCENTI` make of a text, the same in every locale.
enum TextFolding: Sendable {
  case letterCase
  case accents

  /// - Complexity: O(length); nothing is looked up for ASCII.
  func fold(_ text: String) -> String {
    switch self {
    case .letterCase: Self.foldCase(text)
    case .accents: text.utf8.allSatisfy { $0 < 0x80 } ? text : Self.foldAccents(text)
    }
  }

  /// Lower case of upper case: that takes `ß` for `ss` and `ς` for `σ`, as full case folding does
  /// (Unicode 16, 3.13.3, default caseless matching).
  private static func foldCase(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.uppercased().lowercased()
  }

  /// Letters without their diacritics by ``Diacritics``, in their own case.
  private static func foldAccents(_ text: String) -> String {
    var folded = ""
    for character in text {
      if character.isASCII {
        folded.append(character)
      } else if let base = Diacritics.table[character]?.base {
        folded += base
      } else if let base = Diacritics.table[Character(lowering: character)]?.base {
        folded += base.uppercased()
      } else {
        folded.unicodeScalars.append(contentsOf: character.unicodeScalars.filter { !$0.isAccent })
      }
    }
    return folded
  }
}

extension Character {
  /// The lower case of a letter, or the letter itself where that is more than one.
  fileprivate init(lowering character: Character) {
    let lowered = character.lowercased()
    self = lowered.count == 1 ? lowered.first ?? character : character
  }
}

extension Unicode.Scalar {
  /// The blocks of combining diacritical marks; the marks of Japanese or Indic scripts are letters'
  /// parts and stay.
  fileprivate var isAccent: Bool {
    switch self {
    case "\u{300}"..."\u{36F}", "\u{1AB0}"..."\u{1AFF}", "\u{1DC0}"..."\u{1DFF}",
      "\u{20D0}"..."\u{20FF}", "\u{FE20}"..."\u{FE2F}":
      true
    default: false
    }
  }
}
