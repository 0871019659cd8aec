/// Texts that are classes in an order: ranges of numbers, such as `55–59`, `< 18` and `75+`, or the
/// steps of a scale, such as `low`, `medium` and `high`.
struct OrderedClasses: Hashable {
  /// The classes from the least to the most.
  let texts: [String]

  /// The most classes that colours can tell apart.
  static let limit = 12

  /// - Parameter areRepeated: whether the texts occur several times, without which words such as `A` and
  ///   `B` are names.
  /// - Returns: `nil` for texts that are in no order.
  init?(_ texts: [String], areRepeated: Bool) {
    guard (3...Self.limit).contains(texts.count) else { return nil }
    guard let order = Self.ranges(texts) ?? (areRepeated ? Self.scale(texts) : nil) else {
      return nil
    }
    self.texts = zip(texts, order).sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  // MARK: Ranges

  /// Returns the place of each text by its numbers; `nil` where one has none, or most no sign of a range.
  private static func ranges(_ texts: [String]) -> [Double]? {
    var places: [Double] = []
    var signs = 0
    for text in texts {
      let text = text.lowercased()
      let numbers = numbers(in: text)
      guard let first = numbers.first, numbers.count <= 2 else { return nil }
      let isBelow = below.contains { text.hasPrefix($0) }
      let isAbove = above.contains { text.hasPrefix($0) || text.hasSuffix($0) }
      let isRange = numbers.count == 2 && numbers[0] < numbers[1]
      guard numbers.count == 1 || isRange else { return nil }
      if isBelow || isAbove || isRange { signs += 1 }
      places.append(isBelow && !isRange ? first - 0.5 : isAbove ? first + 0.5 : first)
    }
    guard signs * 5 >= texts.count * 4, Set(places).count == texts.count else { return nil }
    return places
  }

  private static let below = [
    "<", "≤", "under", "below", "less", "up to", "unter", "bis", "weniger", "moins", "jusqu",
    "menos",
    "hasta", "até", "meno", "fino", "minder", "tot", "do ", "under ", "до", "менее", "不足", "以下",
  ]

  private static let above = [
    ">", "≥", "+", "over", "above", "more", "and more", "or more", "and over", "from", "über",
    "ueber",
    "ab ", "mehr", "und mehr", "u.m.", "plus", "et plus", "ou plus", "más", "mas de", "y más",
    "mais",
    "ou mais", "più", "oltre", "e più", "meer", "of meer", "vanaf", "powyżej", "от", "более",
    "и более",
    "以上",
  ]

  /// Returns the whole and decimal numbers of a text; groups of digits count as one number.
  private static func numbers(in text: String) -> [Double] {
    var numbers: [Double] = []
    var digits = ""
    let scalars = Array(text)
    for (place, character) in scalars.enumerated() {
      let isDigit = character.isASCII && character.isNumber
      let next = place + 1 < scalars.count ? scalars[place + 1] : " "
      let isMark = [",", ".", "'"].contains(character) && next.isNumber && !digits.isEmpty
      if isDigit {
        digits.append(character)
      } else if isMark {
        // Three digits after a mark are a group.
        let rest = scalars[(place + 1)...].prefix { $0.isNumber }.count
        if rest != 3 { digits.append(".") }
      } else if !digits.isEmpty {
        numbers.append(Double(digits) ?? 0)
        digits = ""
      }
    }
    if !digits.isEmpty { numbers.append(Double(digits) ?? 0) }
    return numbers
  }

  // MARK: Scales

  /// Returns the place of each text on a scale that all of them belong to.
  private static func scale(_ texts: [String]) -> [Double]? {
    for scale in scales {
      let places = texts.map { text in
        scale.firstIndex { $0.contains(text.lowercased().trimmed) }.map(Double.init)
      }
      let known = places.compactMap(\.self)
      if known.count == texts.count, Set(known).count == texts.count { return known }
    }
    return nil
  }

  /// The steps of each scale from the least to the most; words between bars are the same step.
  private static let scales: [[[String]]] = [
    """
    none|no|no risk;very low|very small|minimal;low|small|minor|slight|green;medium|moderate|mid|fair|yellow|orange;high|large|major|serious|red;very high|very large|severe|critical|purple;extreme|catastrophic|fatal
    """,
    """
    keine|kein;sehr gering|sehr niedrig|sehr klein;gering|niedrig|klein|leicht;mittel|mäßig|mässig;hoch|groß|gross|erhöht|schwer;sehr hoch|sehr groß|sehr schwer;extrem
    """,
    "nul|nulle|aucun;très faible|tres faible;faible;moyen|moyenne|modéré|modere;fort|forte|élevé|eleve;très fort|très élevé|tres fort",
    "nulo|ninguno;muy bajo|muy baja;bajo|baja|leve;medio|media|moderado|moderada;alto|alta|grave;muy alto|muy alta;extremo",
    "nullo|nulla;molto basso|molto bassa;basso|bassa;medio|media|moderato;alto|alta|elevato|elevata;molto alto|molto elevato|molto elevata",
    "muito baixo|muito baixa;baixo|baixa;médio|média|medio|moderado;alto|alta;muito alto|muito alta",
    "zeer laag;laag|licht;gemiddeld|matig;hoog|ernstig;zeer hoog",
    "очень низкий|очень низкая;низкий|низкая;средний|средняя;высокий|высокая;очень высокий|очень высокая",
    "very poor|failing;poor|bad;fair|average|acceptable;good;very good;excellent|outstanding",
    "sehr schlecht|ungenügend;schlecht|mangelhaft;ausreichend;befriedigend;gut;sehr gut",
    "极低;低;中|中等;高;极高", "a+++;a++;a+;a;b;c;d;e;f;g",
  ].map { $0.split(separator: ";").map { $0.split(separator: "|").map { String($0).trimmed } } }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
