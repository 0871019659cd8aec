import JSON

/// The format of numbers and amounts of money in a language. Unicode CLDR, decimal and currency
/// formats.
struct NumberPattern {
  /// The position of the currency symbol.
  enum CurrencyPlace { case before, beforeSpaced, afterSpaced }

  var decimal: String
  var group: String
  /// The number of digits that the highest group needs before groups are separated at all: with 2,
  /// `1234` stays as it is.
  var minimumGrouping: Int
  /// Whether groups above the first have two digits, as in India.
  var hasLakhs: Bool
  var currencyPlace: CurrencyPlace

  init(
    decimal: String = ".", group: String = ",", place: CurrencyPlace = .before,
    minimumGrouping: Int = 1, hasLakhs: Bool = false
  ) {
    self.decimal = decimal
    self.group = group
    self.minimumGrouping = minimumGrouping
    self.hasLakhs = hasLakhs
    currencyPlace = place
  }

  /// Creates the pattern of a language tag; English where the language is not listed.
  init(_ locale: String?) {
    let tag = locale.flatMap { LanguageTag($0) }
    self = Self.pattern(tag?.language ?? "en", tag?.region)
  }

  private static func pattern(_ language: String, _ region: String?) -> NumberPattern {
    let (space, narrow) = ("\u{A0}", "\u{202F}")
    switch (language, region) {
    case ("en", "IN"), ("hi", _):
      return NumberPattern(hasLakhs: true)
    case ("de", "AT"):
      return NumberPattern(decimal: ",", group: space, place: .beforeSpaced)
    case ("de", "CH"), ("de", "LI"), ("it", "CH"):
      return NumberPattern(group: "’", place: .beforeSpaced)
    case ("es", "MX"), ("es", "US"):
      return NumberPattern()
    case ("pt", "PT"):
      return NumberPattern(
        decimal: ",", group: space, place: .afterSpaced, minimumGrouping: 2)
    case ("es", _):
      return NumberPattern(decimal: ",", group: ".", place: .afterSpaced, minimumGrouping: 2)
    case ("pt", _), ("nl", _):
      return NumberPattern(decimal: ",", group: ".", place: .beforeSpaced)
    case ("tr", _):
      return NumberPattern(decimal: ",", group: ".")
    case ("fr", _):
      return NumberPattern(decimal: ",", group: narrow, place: .afterSpaced)
    case ("de", _), ("da", _), ("id", _), ("el", _), ("ro", _), ("vi", _), ("hr", _), ("sl", _),
      ("is", _), ("ca", _), ("it", _):
      return NumberPattern(decimal: ",", group: ".", place: .afterSpaced)
    case ("pl", _), ("bg", _):
      return NumberPattern(
        decimal: ",", group: space, place: .afterSpaced, minimumGrouping: 2)
    case ("ru", _), ("uk", _), ("cs", _), ("sk", _), ("sv", _), ("fi", _), ("nb", _), ("no", _),
      ("nn", _), ("hu", _), ("lt", _), ("lv", _), ("et", _):
      return NumberPattern(decimal: ",", group: space, place: .afterSpaced)
    default:
      return NumberPattern()
    }
  }

  /// Formats digits with at least `minimumPlaces` after the decimal separator; without a sign.
  func format(_ number: DecimalDigits, minimumPlaces: Int) -> String {
    func digit(_ index: Int) -> String {
      number.digits.indices.contains(index) ? number.digits[index].description : "0"
    }
    let whole = max(number.point, 1)
    var text = ""
    for position in 0..<whole {
      let remaining = whole - position
      if position > 0, isGroupStart(remaining), whole >= 3 + minimumGrouping { text += group }
      text += digit(number.point - remaining)
    }
    let places = max(number.digits.count - number.point, minimumPlaces)
    if places > 0 {
      text += decimal
      for position in 0..<places { text += digit(number.point + position) }
    }
    return text
  }

  private func isGroupStart(_ remaining: Int) -> Bool {
    hasLakhs && remaining > 3 ? !remaining.isMultiple(of: 2) : remaining.isMultiple(of: 3)
  }
}
