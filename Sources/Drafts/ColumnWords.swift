import Ingest

/// The meaning of a column's name, in the languages of open data.
struct ColumnWords {
  /// The words of the name in lower case.
  let words: [String]

  private let name: String

  /// The words without what divides them: `hausnr` for `Haus-Nr.`
  private let joined: String

  init(_ name: String) {
    self.name = name.lowercased()
    words = CoordinateName.words(of: name)
    joined = words.joined()
  }

  /// The quantity that a column measures, which decides how it is drawn.
  enum Measure: Hashable {
    /// Amounts that add up, such as people or money: twice as much has twice the area.
    case amount
    /// Magnitudes of earthquakes, on a logarithmic scale.
    case magnitude
    case temperature
    case rain
    case height
    /// Differences, of which some are below 0.
    case change
    /// Anything else that has an order: prices, rates, scores, speeds.
    case level
  }

  /// A meaning that a name can have.
  enum Meaning: CaseIterable {
    case change, share, turnover, money, magnitude, temperature, rain, depth, speed, height, level,
      count
    case id, code, date, year, month, hour, houseNumber, size, footnote, ranks
    case contact, kind, flag, title, place, otherName, journey, vehicle, order
    case origin, destination
  }

  /// Whether the name has a meaning.
  ///
  /// A short word has to stand by itself; one of five letters may begin a longer one, and one of six, or
  /// of another script, be a part of it, as in `Einwohnerzahl`; a single character of another script may
  /// end it, as in `世帯数`.
  func mean(_ meaning: Meaning) -> Bool {
    guard let terms = Self.terms[meaning] else { return false }
    if meaning == .share, words.dropFirst().contains(where: Self.ratios.contains) { return true }
    return !terms.whole.isDisjoint(with: words + [joined]) || !terms.plain.isDisjoint(with: words)
      || terms.parts.contains { name.contains($0) || joined.contains($0) }
      || terms.beginnings.contains { start in words.contains { $0.hasPrefix(start) } }
      || terms.endings.contains { end in words.contains { $0.hasSuffix(end) } }
  }

  /// Words between the two quantities of a ratio.
  private static let ratios: Set = ["per", "je", "pro", "par", "por", "na", "на"]

  /// The words of a meaning by the way in which they have to occur.
  private struct Terms {
    private(set) var whole: Set<String> = []
    /// The same without accents, as many programs write names.
    private(set) var plain: Set<String> = []
    private(set) var beginnings: [String] = []
    private(set) var endings: [String] = []
    private(set) var parts: [String] = []

    init(_ list: String) {
      for word in list.split(whereSeparator: \.isWhitespace).map(String.init) {
        let isLatin = word.unicodeScalars.allSatisfy { $0.value < 0x370 }
        if word.hasSuffix("*") {
          parts.append(String(word.dropLast()))
        } else if word.hasSuffix("-") {
          beginnings.append(String(word.dropLast()))
        } else if word.hasPrefix("-") {
          endings.append(String(word.dropFirst()))
        } else if !isLatin && word.count == 1 {
          endings.append(word)
        } else if !isLatin || word.count >= 6 {
          parts.append(word)
          let plain = CoordinateName.folded(word)
          if isLatin, plain != word { parts.append(plain) }
        } else {
          whole.insert(word)
          let plain = CoordinateName.folded(word)
          if plain != word, word.count > 3 { self.plain.insert(plain) }
          if word.count == 5 { beginnings.append(word) }
        }
      }
    }
  }

  private static let terms = ColumnVocabulary.lists.mapValues(Terms.init)

  // MARK: Numbers

  /// The quantity that the numbers measure, and the interest of people in it, 1 to 20; `nil` for
  /// a name that says nothing.
  var measure: (kind: Measure, interest: Int)? {
    Self.measures.first { mean($0.meaning) }.map { ($0.kind, $0.interest) }
  }

  /// The first that fits counts.
  private static let measures: [(meaning: Meaning, kind: Measure, interest: Int)] = [
    (.magnitude, .magnitude, 20), (.change, .change, 18), (.share, .level, 18),
    (.temperature, .temperature, 18), (.rain, .rain, 17), (.turnover, .amount, 17),
    (.money, .level, 18), (.count, .amount, 16), (.depth, .level, 15), (.level, .level, 14),
    (.speed, .level, 11),
    (.height, .height, 8),
  ]

  /// Whether the name says that the values identify records.
  var areIDs: Bool {
    mean(.id)
      || words.last?.hasSuffix("id") == true && words.count == 1
        && !["grid", "solid", "paid", "covid", "bid", "aid"].contains(words[0])
  }

  /// Whether the name ends in a word for codes, whatever the words before it measure.
  var endsInCode: Bool {
    guard let last = words.last else { return false }
    return [
      "code", "kode", "kod", "nummer", "nr", "id", "no", "codigo", "codice", "号", "番号", "コード", "编号",
    ]
    .contains(last) || last.hasSuffix("nummer") || last.hasSuffix("コード")
  }

  /// Whether the numbers name or place something.
  var areCodes: Bool {
    mean(.code) || mean(.year) || mean(.month) || mean(.hour) || mean(.houseNumber)
      || words.contains { $0.hasPrefix("fips") || $0.hasSuffix("fips") || $0.hasSuffix("fp") }
  }

  // MARK: Texts

  /// The fitness of a text of this name as the label of a record, 0 to 10; 1 where the name says
  /// nothing.
  var nameScore: Int {
    if name == "name" { return 10 }
    if words.contains("name") || name.hasSuffix("name") { return mean(.otherName) ? 2 : 8 }
    if mean(.title) { return mean(.otherName) ? 2 : 7 }
    return mean(.place) ? 5 : 1
  }
}
