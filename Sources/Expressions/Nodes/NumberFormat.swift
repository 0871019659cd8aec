import Features
import JSON

/// The operator `number-format`: a number in a language's format, as an amount of money or with a
/// unit.
///
/// The languages and symbols are the project's own table (see ``NumberPattern``), so that tiles do
/// not depend on the machine; a language that is not in it is formatted as English.
final class NumberFormat: Node {
  struct Options: Sendable {
    var locale: (any Node)?
    var currency: (any Node)?
    var unit: (any Node)?
    var minimumPlaces: (any Node)?
    var maximumPlaces: (any Node)?

    var nodes: [any Node] {
      [locale, currency, unit, minimumPlaces, maximumPlaces].compactMap { $0 }
    }
  }

  private let number: any Node
  private let options: Options
  let traits: Traits
  var type: ExpressionType { .string }
  var children: [any Node] { [number] + options.nodes }

  init(_ number: any Node, _ options: Options) {
    self.number = number
    self.options = options
    traits = Traits([number] + options.nodes)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 3 else {
      parser.fail("Expected two arguments.")
      return nil
    }
    guard let number = parser.parse(items, 1, as: .number) else { return nil }
    guard case .object(let members) = items[2] else {
      parser.fail("NumberFormat options argument must be an object.")
      return nil
    }
    let reader = OptionReader(members, at: 2, parser)
    guard let locale = reader.parse("locale", as: .string),
      let currency = reader.parse("currency", as: .string),
      let unit = reader.parse("unit", as: .string)
    else { return nil }
    guard currency == nil || unit == nil else {
      parser.fail("NumberFormat options `currency` and `unit` are mutually exclusive")
      return nil
    }
    guard let minimumPlaces = reader.parse("min-fraction-digits", as: .number),
      let maximumPlaces = reader.parse("max-fraction-digits", as: .number)
    else { return nil }
    return NumberFormat(
      number,
      Options(
        locale: locale, currency: currency, unit: unit, minimumPlaces: minimumPlaces,
        maximumPlaces: maximumPlaces))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    let locale = try options.locale?.string(context)
    let unit = try options.unit?.string(context)
    var currency: Currency?
    if let code = try options.currency?.string(context) {
      currency = Currency(code, locale: locale)
      if currency == nil { throw .message("Invalid currency code : \(code)") }
    }
    let places = try places(currency, context)
    let value = try number.number(context)
    let text = try write(value, places, locale, currency, unit)
    return .string(text)
  }

  /// Returns the minimum and maximum number of decimal places.
  private func places(
    _ currency: Currency?, _ context: EvaluationContext
  ) throws(EvaluationError) -> ClosedRange<Int> {
    let smallest = try options.minimumPlaces?.number(context)
    let largest = try options.maximumPlaces?.number(context)
    for (name, value) in [("minimum", smallest), ("maximum", largest)] {
      if let value, !(0...100).contains(value) {
        throw .message("\(name)FractionDigits value is out of range.")
      }
    }
    let usual = currency.map { $0.places...$0.places } ?? 0...3
    let low = smallest.map { Int($0) } ?? min(usual.lowerBound, largest.map { Int($0) } ?? .max)
    let high = largest.map { Int($0) } ?? max(usual.upperBound, low)
    guard low <= high else { throw .message("maximumFractionDigits value is out of range.") }
    return low...high
  }

  private func write(
    _ value: Double, _ places: ClosedRange<Int>, _ locale: String?, _ currency: Currency?,
    _ unit: String?
  ) throws(EvaluationError) -> String {
    let pattern = NumberPattern(locale)
    var text: String
    var isOne = false
    if value.isFinite {
      var digits = DecimalDigits(value)
      digits.round(places: places.upperBound)
      isOne = digits.digits == [1] && digits.point == 1
      text = pattern.format(digits, minimumPlaces: places.lowerBound)
    } else {
      text = value.isNaN ? "NaN" : "∞"
    }
    if let currency {
      switch pattern.currencyPlace {
      case .before: text = currency.sign + (currency.isCode ? "\u{A0}" : "") + text
      case .beforeSpaced: text = currency.sign + "\u{A0}" + text
      case .afterSpaced: text += "\u{A0}" + currency.sign
      }
    }
    if let unit {
      guard let withUnit = Unit.append(unit, to: text, isOne: isOne) else {
        throw .message("Invalid unit argument for Intl.NumberFormat() '\(unit)'")
      }
      text = withUnit
    }
    return value.sign == .minus && !value.isNaN ? "-" + text : text
  }
}

/// The symbol and the usual number of decimal places of a currency. ISO 4217.
struct Currency {
  var sign: String
  var places: Int
  /// Whether the symbol is the code itself, which is separated from the number by a space.
  var isCode: Bool

  /// - Parameter code: three letters; anything else gives `nil`.
  init?(_ code: String, locale: String?) {
    guard code.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let code = code.uppercased()
    let region = locale.flatMap { LanguageTag($0)?.region }
    let language = locale.flatMap { LanguageTag($0)?.language } ?? "en"
    let dollars = [
      "CAD": ("CA", "CA$"), "AUD": ("AU", "A$"), "NZD": ("NZ", "NZ$"), "MXN": ("MX", "MX$"),
      "HKD": ("HK", "HK$"), "TWD": ("TW", "NT$"), "SGD": ("SG", ""),
    ]
    let signs = [
      "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩",
      "BRL": "R$", "ILS": "₪", "VND": "₫", "PHP": "₱", "XXX": "¤",
    ]
    var sign = signs[code] ?? ""
    if let (home, abroad) = dollars[code] { sign = region == home ? "$" : abroad }
    switch (language, code) {
    case ("ja", "JPY"): sign = "￥"
    case ("zh", "CNY"): sign = "¥"
    case ("zh", "JPY"): sign = "JP¥"
    case ("ru", "RUB"): sign = "₽"
    case ("pl", "PLN"): sign = "zł"
    case ("cs", "CZK"): sign = "Kč"
    case ("sv", "SEK"), ("nb", "NOK"): sign = "kr"
    case ("da", "DKK"): sign = "kr."
    case ("tr", "TRY"): sign = "₺"
    case ("uk", "UAH"): sign = "₴"
    case ("hu", "HUF"): sign = "Ft"
    default: break
    }
    isCode = sign.isEmpty
    self.sign = isCode ? code : sign
    places =
      switch code {
      case "JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "PYG", "RWF", "KMF",
        "DJF", "GNF", "BIF", "VUV":
        0
      case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
      default: 2
      }
  }
}

/// Units of measure by the names that ECMA-402 sanctions, with their short English symbols.
enum Unit {
  /// Returns the number followed by the unit's symbol; `nil` for an unknown unit.
  static func append(_ unit: String, to number: String, isOne: Bool) -> String? {
    if let sign = tight[unit] { return number + sign }
    if let sign = spaced[unit] { return "\(number) \(sign)" }
    if let sign = countable[unit] { return "\(number) \(sign)\(isOne ? "" : "s")" }
    let parts = unit.split(separator: "-per-", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let (over, under) = (String(parts[0]), String(parts[1]))
    switch unit {
    case "mile-per-hour": return "\(number) mph"
    case "mile-per-gallon": return "\(number) mpg"
    default:
      guard let denominator = denominators[under] ?? spaced[under] else { return nil }
      return append(over, to: number, isOne: isOne).map { "\($0)/\(denominator)" }
    }
  }

  private static let tight = [
    "percent": "%", "celsius": "°C", "fahrenheit": "°F",
  ]

  private static let spaced = [
    "acre": "ac", "bit": "bit", "byte": "byte", "centimeter": "cm", "degree": "deg",
    "fluid-ounce": "fl oz", "foot": "ft", "gallon": "gal", "gigabit": "Gb", "gigabyte": "GB",
    "gram": "g", "hectare": "ha", "hour": "hr", "inch": "in", "kilobit": "kb", "kilobyte": "kB",
    "kilogram": "kg", "kilometer": "km", "liter": "L", "megabit": "Mb", "megabyte": "MB",
    "meter": "m", "mile": "mi", "mile-scandinavian": "smi", "milliliter": "mL",
    "millimeter": "mm", "millisecond": "ms", "minute": "min", "ounce": "oz", "petabyte": "PB",
    "pound": "lb", "second": "sec", "stone": "st", "terabit": "Tb", "terabyte": "TB",
    "yard": "yd",
  ]

  private static let countable = ["day": "day", "week": "wk", "month": "mth", "year": "yr"]

  private static let denominators = [
    "hour": "h", "second": "s", "minute": "min", "day": "d", "week": "w", "month": "m",
    "year": "y",
  ]
}
