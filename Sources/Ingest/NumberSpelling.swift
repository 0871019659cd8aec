package import Features
import JSON

/// A number as people write it and the ``NumberGrammar`` does not: `1,234`, `12,5`, `€ 5`, `45 %`.
package struct NumberSpelling: Hashable, Sendable {
  /// A part of the text and its replacement.
  package struct Replacement: Hashable, Sendable {
    package var part: String
    package var replacement: String
  }

  /// The replacements after which `to-number` reads the text, in order; empty where it reads the
  /// text as it is.
  package let replacements: [Replacement]

  /// The number that remains.
  package let number: Double

  /// The unit or the currency; empty without one.
  package let unit: String

  /// Whether a comma in the text can only be a decimal one.
  package let hasDecimalComma: Bool

  /// Whether the text is digits with a leading zero, more likely a code than a number.
  package let isCode: Bool

  /// Maximum bytes of a text that is looked at.
  private static let byteLimit = 32

  /// - Parameter decimalCommas: whether the comma of `1,234` is a decimal one, as another value of
  ///   the column shows.
  package init?(_ text: String, decimalCommas: Bool = false) {
    guard text.utf8.count <= Self.byteLimit else { return nil }
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.firstIndex(where: Self.isDigit),
      let last = scalars.lastIndex(where: Self.isDigit),
      let before = Self.sign(scalars[..<first]), let after = Self.unit(scalars[(last + 1)...]),
      let body = Body(scalars[first...last], decimalCommas: decimalCommas)
    else { return nil }
    var replacements: [Replacement] = []
    for unit in [before.unit, after] where !unit.isEmpty {
      replacements.append(Replacement(part: unit, replacement: ""))
    }
    if before.hasMinusSign { replacements.append(Replacement(part: "\u{2212}", replacement: "-")) }
    replacements += body.replacements
    var rest = text
    for step in replacements { rest = rest.replacing(step.part, with: step.replacement) }
    // A space between the sign and the number is not read.
    guard let number = NumberText.parse(rest) else { return nil }
    self.replacements = replacements
    unit = after.isEmpty ? before.unit : after
    self.number = number
    hasDecimalComma = body.hasDecimalComma
    isCode = replacements.isEmpty && scalars[first] == "0" && body.isLong
  }

  /// Returns the expression that reads the text of a property.
  package func expression(of name: String) -> PropertyValue {
    Self.expression(of: name, replacing: replacements)
  }

  package static func expression(of name: String, replacing replacements: [Replacement])
    -> PropertyValue
  {
    var value = PropertyValue.array([.string("get"), .string(name)])
    // Most values are numbers, which cannot be split.
    if !replacements.isEmpty { value = .array([.string("to-string"), value]) }
    for step in replacements {
      let parts = PropertyValue.array([.string("split"), value, .string(step.part)])
      value = .array([.string("join"), parts, .string(step.replacement)])
    }
    return .array([.string("to-number"), value])
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(NumberText.trim(String(text)))
  }

  /// Returns the unit before a number and whether its minus is U+2212; `nil` for anything else.
  private static func sign(
    _ scalars: ArraySlice<Unicode.Scalar>
  ) -> (unit: String, hasMinusSign: Bool)? {
    let signs: [Unicode.Scalar] = ["+", "-", "\u{2212}"]
    guard scalars.count(where: signs.contains) <= 1 else { return nil }
    let rest = trimmed(scalars.filter { !signs.contains($0) }[...])
    guard rest.isEmpty || rest == "." || currencies.contains(rest) else { return nil }
    return (rest == "." ? "" : rest, scalars.contains("\u{2212}"))
  }

  /// Returns the unit after a number, empty without one; `nil` for anything else.
  private static func unit(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
    let rest = trimmed(scalars)
    if rest.isEmpty || rest == "." { return "" }
    return currencies.contains(rest) || units.contains(rest) ? rest : nil
  }

  /// Whether a unit is money.
  package static func isCurrency(_ unit: String) -> Bool { currencies.contains(unit) }

  private static let currencies: Set<String> = [
    "€", "$", "£", "¥", "₹", "₽", "₩", "₺", "₪", "US$", "R$", "A$", "C$", "zł", "kr", "kr.", "Kč",
    "Ft", "Fr.", "Rs", "Rs.", "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK",
    "PLN", "CZK", "AUD", "CAD", "BRL",
  ]

  /// Units that scale nothing: without them the number is the same.
  private static let units: Set<String> = [
    "%", "‰", "°", "°C", "°F", "m", "km", "cm", "mm", "ft", "mi", "yd", "nm", "m²", "m2", "km²",
    "km2", "ha", "ac", "m³", "m3", "l", "L", "ml", "kg", "g", "mg", "t", "lb", "lbs", "oz", "s",
    "sec", "min", "h", "hr", "hrs", "kW", "kWh", "MW", "MWh", "GW", "GWh", "W", "V", "Hz",
    "kHz", "MHz", "GHz", "km/h", "mph", "m/s", "kn", "kt", "kts", "mb", "hPa", "bar", "psi", "dB",
    "px", "pt",
  ]
}

/// The digits of a number with their separators.
private struct Body {
  private(set) var replacements: [NumberSpelling.Replacement] = []
  private(set) var hasDecimalComma = false
  /// Whether there are two digits or more before any separator.
  let isLong: Bool

  init?(_ scalars: ArraySlice<Unicode.Scalar>, decimalCommas: Bool) {
    var runs = [0]
    var marks: [Unicode.Scalar] = []
    for scalar in scalars {
      if ("0"..."9").contains(scalar) {
        runs[runs.count - 1] += 1
      } else {
        marks.append(scalar)
        runs.append(0)
      }
    }
    isLong = runs[0] > 1
    guard let last = marks.last else { return }
    let isDecimal = Self.isDecimal(marks, runs, isZero: scalars.first == "0", decimalCommas)
    let grouping = isDecimal ? Array(marks.dropLast()) : marks
    if let group = grouping.first {
      // 1 to 3 digits, then groups of three, all with the same separator.
      let groups = isDecimal ? runs.dropFirst().dropLast() : runs.dropFirst()
      guard Self.groupMarks.contains(group), grouping.allSatisfy({ $0 == group }),
        (1...3).contains(runs[0]), groups.allSatisfy({ $0 == 3 }), !isDecimal || group != last
      else { return nil }
      replacements.append(.init(part: String(group), replacement: ""))
    }
    guard isDecimal else { return }
    guard last == "," || last == "." else { return nil }
    if last == "," {
      hasDecimalComma = true
      replacements.append(.init(part: ",", replacement: "."))
    }
  }

  /// Whether the last separator stands before decimals.
  private static func isDecimal(
    _ marks: [Unicode.Scalar], _ runs: [Int], isZero: Bool, _ decimalCommas: Bool
  ) -> Bool {
    switch marks.last {
    case ".": marks.count == 1 || !marks.dropLast().contains(".")
    case ",":
      marks.count > 1
        ? !marks.dropLast().contains(",")
        : decimalCommas || runs[1] != 3 || runs[0] > 3 || isZero
    default: false
    }
  }

  /// Commas, points, spaces of several widths, and apostrophes.
  private static let groupMarks: Set<Unicode.Scalar> = [
    ",", ".", " ", "\u{A0}", "\u{2009}", "\u{202F}", "'", "’",
  ]
}
