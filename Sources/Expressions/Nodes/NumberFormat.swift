import Features

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
