/// The rules for comparing texts: whether case and diacritics count, and the language.
///
/// The rules are built in, so that tiles are the same on every machine: letters compare by their
/// base letter first, then by diacritic, then by case, lower before upper. White space,
/// punctuation, symbols and digits come before letters. Scripts without case or diacritics compare
/// by code point. German umlauts match "ae", "oe", "ue", and the Nordic languages have their last
/// letters last.
package struct Collator: Hashable, Sendable {
  package var isCaseSensitive: Bool
  package var isDiacriticSensitive: Bool
  /// A BCP 47 language tag.
  package var locale: String?

  /// The language whose rules apply: the requested one, or `en` where it is not a valid tag.
  package var resolvedLocale: String {
    guard let locale, let tag = LanguageTag(locale) else { return "en" }
    return tag.canonical
  }

  /// Returns a negative number, 0 or a positive one as `lhs` comes before, with or after `rhs`.
  ///
  /// - Complexity: O(length).
  package func compare(_ lhs: String, _ rhs: String) -> Int {
    let (left, right) = (weights(lhs), weights(rhs))
    for (a, b) in zip(left, right) where a.base != b.base {
      return a.base.precedes(b.base) ? -1 : 1
    }
    if left.count != right.count { return left.count < right.count ? -1 : 1 }
    if isDiacriticSensitive {
      for (a, b) in zip(left, right) where a.diacritic != b.diacritic {
        return a.diacritic < b.diacritic ? -1 : 1
      }
    }
    if isCaseSensitive {
      for (a, b) in zip(left, right) where a.isUpper != b.isUpper {
        return b.isUpper ? -1 : 1
      }
    }
    return 0
  }

  private func weights(_ text: String) -> [CollationWeight] {
    let language = locale.flatMap { LanguageTag($0)?.language } ?? "en"
    return text.flatMap { CollationWeight.weights(of: $0, language: language) }
  }
}

/// The weight of a letter at each level of comparison.
struct CollationWeight {
  /// A letter without its diacritic and in lower case, and its kind of character.
  struct Base: Equatable {
    var kind: Int
    var letter: String

    func precedes(_ other: Base) -> Bool {
      kind == other.kind ? CodeUnits.precedes(letter, other.letter) : kind < other.kind
    }
  }

  var base: Base
  /// The number of the diacritic, 0 for none.
  var diacritic: Int
  var isUpper: Bool

  static func weights(of character: Character, language: String) -> [CollationWeight] {
    let isUpper = character.isUppercase
    let lower = character.lowercased()
    if let tailored = CollationTailoring.letters(for: lower, language) {
      return tailored.base.map {
        CollationWeight(
          base: Base(kind: 4, letter: $0), diacritic: tailored.rank, isUpper: isUpper)
      }
    }
    if let entry = lower.first.flatMap({ Diacritics.table[$0] }) {
      return entry.base.map {
        let base = Base(kind: 4, letter: String($0))
        return CollationWeight(base: base, diacritic: entry.rank, isUpper: isUpper)
      }
    }
    let base = Base(
      kind: kind(of: character), letter: CollationTailoring.punctuation[character] ?? lower)
    return [CollationWeight(base: base, diacritic: 0, isUpper: isUpper)]
  }

  private static func kind(of character: Character) -> Int {
    if character.isWhitespace { return 0 }
    if character.isPunctuation { return 1 }
    if character.isNumber { return 3 }
    return character.isLetter ? 4 : 2
  }
}

/// The collation rules of languages, after the root and the locales of the CLDR.
enum CollationTailoring {
  /// Returns the base letters of a lower-case letter and a number for its form, `nil` where no rule
  /// applies.
  static func letters(
    for letter: String, _ language: String
  ) -> (base: [String], rank: Int)? {
    switch language {
    case "de": german[letter]
    case "es": letter == "ñ" ? (["n~"], 0) : nil
    case "sv", "fi": swedish[letter]
    case "da", "nb", "no", "nn": danish[letter]
    default: nil
    }
  }

  private static let german = ["ä": (["a", "e"], 1), "ö": (["o", "e"], 1), "ü": (["u", "e"], 1)]

  // "{" and its successors come after "z" in the order of code units, "n~" between "n" and "o".
  private static let swedish = [
    "å": (["{"], 0), "ä": (["|"], 0), "æ": (["|"], 1), "ö": (["}"], 0), "ø": (["}"], 1),
    "ü": (["y"], 9),
  ]

  private static let danish = [
    "æ": (["{"], 0), "ä": (["{"], 1), "ø": (["|"], 0), "ö": (["|"], 1), "å": (["}"], 0),
    "ü": (["y"], 9),
  ]

  /// ASCII punctuation and symbols in their order, which sort before all letters.
  static let punctuation: [Character: String] = {
    let order = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    var table: [Character: String] = [:]
    for (index, character) in order.enumerated() {
      table[character] = UnicodeScalar(UInt8(index + 1)).description
    }
    return table
  }()
}
