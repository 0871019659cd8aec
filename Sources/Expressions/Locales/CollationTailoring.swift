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
