import Testing

@testable import TextAnalysis

@Suite("Numbers in the format of a language")
struct NumberStyleTests {
  @Test(
    "have the digits, separators and signs of the language",
    arguments: [
      (1234.5, "de-AT", .decimal, 0...3, "1\u{A0}234,5"),
      (1234.5, "ar-EG", .decimal, 0...3, "١٬٢٣٤٫٥"), (1234.5, "xx", .decimal, 0...3, "1,234.5"),
      (1234.5, "not a tag", .decimal, 0...3, "1,234.5"), (1234.5, nil, .decimal, 0...3, "1,234.5"),
      (0.125, nil, .decimal, 2...2, "0.13"), (-0.125, nil, .decimal, 0...2, "-0.13"),
      (2.5, nil, .decimal, 0...0, "3"), (-.infinity, nil, .decimal, 0...3, "-∞"),
      (.nan, nil, .decimal, 0...3, "NaN"), (-.nan, nil, .decimal, 0...3, "NaN"),
      (-0.0, nil, .decimal, 0...3, "-0"),
      (1234.5, "pl", .currency("PLN"), 2...2, "1234,50\u{A0}zł"),
      (5, "en-CA", .currency("CAD"), 2...2, "$5.00"), (5, nil, .currency("CAD"), 2...2, "CA$5.00"),
      (50, nil, .unit("percent"), 0...3, "50%"), (20, nil, .unit("celsius"), 0...3, "20°C"),
      (80, "de", .unit("kilometer-per-hour"), 0...3, "80 km/h"),
    ] as [(Double, String?, NumberStyle.Kind, ClosedRange<Int>, String)])
  func texts(
    _ number: Double, _ locale: String?, _ kind: NumberStyle.Kind, _ places: ClosedRange<Int>,
    _ expected: String
  ) throws {
    let style = NumberStyle(kind, locale: locale, places: places)
    #expect(try style.text(of: number) == expected)
  }

  @Test("units are those of ECMA-402 and ratios of two of them; ICU has a format for each")
  func units() throws {
    for unit in ["kilometer", "liter-per-minute", "percent", "microsecond"] {
      #expect(NumberStyle.isUnit(unit))
      let style = NumberStyle(.unit(unit), locale: nil, places: 0...3)
      #expect(try style.text(of: 2).hasPrefix("2"))
    }
    for unit in ["furlong", "", "meter-per-", "-per-second", "meter-per-second-per-second"] {
      #expect(!NumberStyle.isUnit(unit), "\(unit)")
    }
  }

  @Test("currencies have their own number of decimal places")
  func currencies() {
    #expect(
      ["EUR", "JPY", "KWD", "QQQ"].map { NumberStyle.places(ofCurrency: $0) } == [2, 0, 3, 2])
  }

  @Test("the largest number with all places fits")
  func longest() throws {
    let style = NumberStyle(.unit("fluid-ounce"), locale: "ar-EG", places: 100...100)
    #expect(try style.text(of: -.greatestFiniteMagnitude).count > 500)
  }

  @Test("more languages than are kept open format as ever")
  func many() throws {
    for _ in 0..<2 {
      for places in 0..<100 {
        let style = NumberStyle(.decimal, locale: "de", places: places...100)
        #expect(try style.text(of: 1).dropFirst(2).count == places)
      }
    }
  }
}

@Suite("Texts compared in a language")
struct CollatorTests {
  @Test(
    "are equal to those that a search in the language finds",
    arguments: [
      ("a", "A", nil, false, false, 0), ("a", "á", nil, false, false, 0),
      ("a", "á", nil, true, false, 0), ("a", "A", nil, true, false, -1),
      ("a", "á", nil, false, true, -1), ("a", "A", nil, false, true, 0),
      ("é", "e\u{301}", nil, true, true, 0), ("ä", "ae", "de", false, false, 0),
      ("ä", "ae", "en", false, false, -1), ("z", "ö", "sv", false, false, -1),
      ("z", "ö", "de", false, false, 1), ("", "a", nil, true, true, -1),
      ("", "", nil, true, true, 0),
      ("a\0b", "a\0c", nil, true, true, -1), ("日", "本", "ja", true, true, -1),
    ] as [(String, String, String?, Bool, Bool, Int)])
  func order(
    _ lhs: String, _ rhs: String, _ locale: String?, isCaseSensitive: Bool,
    isDiacriticSensitive: Bool, _ expected: Int
  ) throws {
    let collator = Collator(
      isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive, locale: locale)
    #expect(try collator.compare(lhs, rhs) == expected)
    #expect(try collator.compare(rhs, lhs) == -expected)
  }

  @Test(
    "the language is the one that applies",
    arguments: [
      ("DE-at", "de-AT"), ("zh-hant-tw", "zh-Hant-TW"), ("de-u-co-phonebk", "de"), (nil, "en"),
      ("de_AT", "en"), ("", "en"), ("-", "en"), ("x-private", "en"),
      (String(repeating: "a", count: 5000), "en"),
    ] as [(String?, String)])
  func locales(_ locale: String?, _ resolved: String) {
    let collator = Collator(isCaseSensitive: false, isDiacriticSensitive: false, locale: locale)
    #expect(collator.resolvedLocale == resolved)
  }
}
