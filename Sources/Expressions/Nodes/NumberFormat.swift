import Features
import TextAnalysis

/// The operator `number-format`: a number in a language's format, as an amount of money or with a
/// unit.
///
/// As `Intl.NumberFormat`, by ICU; without a locale, and for one that ICU lacks, as English.
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
    let kind = try kind(context)
    let style = NumberStyle(kind, locale: locale, places: try places(kind, context))
    let value = try number.number(context)
    do throws(TextAnalysisError) {
      return .string(try style.text(of: value))
    } catch {
      throw .message(error.description)
    }
  }

  private func kind(_ context: EvaluationContext) throws(EvaluationError) -> NumberStyle.Kind {
    if let code = try options.currency?.string(context) {
      guard code.utf8.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else {
        throw .message("Invalid currency code : \(code)")
      }
      return .currency(code.uppercased())
    }
    guard let unit = try options.unit?.string(context) else { return .decimal }
    guard NumberStyle.isUnit(unit) else {
      throw .message("Invalid unit argument for Intl.NumberFormat() '\(unit)'")
    }
    return .unit(unit)
  }

  /// Returns the minimum and maximum number of decimal places.
  private func places(
    _ kind: NumberStyle.Kind, _ context: EvaluationContext
  ) throws(EvaluationError) -> ClosedRange<Int> {
    let smallest = try options.minimumPlaces?.number(context)
    let largest = try options.maximumPlaces?.number(context)
    for (name, value) in [("minimum", smallest), ("maximum", largest)] {
      if let value, !(0...100).contains(value) {
        throw .message("\(name)FractionDigits value is out of range.")
      }
    }
    var usual = 0...3
    if case .currency(let code) = kind {
      let places = NumberStyle.places(ofCurrency: code)
      usual = places...places
    }
    let low = smallest.map { Int($0) } ?? min(usual.lowerBound, largest.map { Int($0) } ?? .max)
    let high = largest.map { Int($0) } ?? max(usual.upperBound, low)
    guard low <= high else { throw .message("maximumFractionDigits value is out of range.") }
    return low...high
  }
}
