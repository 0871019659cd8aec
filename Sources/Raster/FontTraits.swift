/// The traits in a font's name: its family, weight, slant and width.
///
/// MapLibre's `text-font` names combine them in one string ("Noto Sans SemiBold Italic").
struct FontTraits: Hashable, Sendable {
  /// The words other than those of style, in lower case, joined by single spaces.
  var family: String

  /// The weight: 100 (thin) … 400 (regular) … 900 (black).
  var weight = 400

  var isSlanted = false
  var isCondensed = false

  /// Whether the family is DejaVu, one of the two default fonts, or one of its variants.
  var isDejaVu: Bool {
    ["deja vu sans", "deja vu sans mono", "deja vu serif"].contains(family)
  }

  private static let weights: [String: Int] = [
    "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "book": 400,
    "regular": 400, "normal": 400, "roman": 400, "medium": 500, "semibold": 600, "demibold": 600,
    "demi": 600, "bold": 700, "extrabold": 800, "ultrabold": 800, "black": 900, "heavy": 900,
  ]

  /// Parses the words of a name, whether joined ("DejaVuSans-Bold") or separate.
  init(name: String) {
    var words: [String] = []
    for word in FontTraits.words(of: name) {
      // "Semi Bold" is one weight in two words.
      if let last = words.last, ["semi", "demi", "extra", "ultra"].contains(last),
        FontTraits.weights[last + word] != nil
      {
        words[words.count - 1] = last + word
      } else {
        words.append(word)
      }
    }
    var family: [String] = []
    for word in words {
      if let known = FontTraits.weights[word] {
        weight = known
      } else if word == "italic" || word == "oblique" {
        isSlanted = true
      } else if word == "condensed" || word == "narrow" {
        isCondensed = true
      } else {
        family.append(word)
      }
    }
    self.family = family.joined(separator: " ")
  }

  /// Returns how far a face with these traits is from the wanted ones; 0 is a perfect match.
  ///
  /// A wrong slant or width is worse than any wrong weight. As in CSS, of two weights equally far
  /// away the lighter one is nearer if the wanted weight is at most 500, otherwise the bolder one.
  func distance(to wanted: FontTraits) -> Int {
    var distance = 2 * abs(weight - wanted.weight)
    if (weight > wanted.weight) == (wanted.weight <= 500) && weight != wanted.weight {
      distance += 1
    }
    if isSlanted != wanted.isSlanted { distance += 4000 }
    if isCondensed != wanted.isCondensed { distance += 2000 }
    return distance
  }

  /// Returns the lower-case words, split at spaces, at hyphens and between a small letter and a
  /// capital.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in name.prefix(200) {
      let isSeparator = character == "-" || character == "_" || character.isWhitespace
      if isSeparator || (wasSmall && character.isUppercase) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if !isSeparator { word.append(character) }
      wasSmall = character.isLowercase
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
