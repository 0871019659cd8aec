import Features
import TextAnalysis

/// The operator `collator`: rules for comparing texts.
final class CollatorNode: Node {
  private let caseSensitive: (any Node)?
  private let diacriticSensitive: (any Node)?
  private let locale: (any Node)?
  let traits: Traits
  var type: ExpressionType { .collator }
  var children: [any Node] { [caseSensitive, diacriticSensitive, locale].compactMap { $0 } }

  init(caseSensitive: (any Node)?, diacriticSensitive: (any Node)?, locale: (any Node)?) {
    self.caseSensitive = caseSensitive
    self.diacriticSensitive = diacriticSensitive
    self.locale = locale
    traits = Traits(
      [caseSensitive, diacriticSensitive, locale].compactMap { $0 }, reading: .other)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count == 2 else {
      parser.fail("Expected one argument.")
      return nil
    }
    guard case .object(let members) = items[1] else {
      parser.fail("Collator options argument must be an object.")
      return nil
    }
    let options = OptionReader(members, at: 1, parser)
    guard let caseSensitive = options.parse("case-sensitive", as: .boolean),
      let diacriticSensitive = options.parse("diacritic-sensitive", as: .boolean),
      let locale = options.parse("locale", as: .string)
    else { return nil }
    return CollatorNode(
      caseSensitive: caseSensitive, diacriticSensitive: diacriticSensitive, locale: locale)
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    .collator(
      Collator(
        isCaseSensitive: try caseSensitive?.bool(context) ?? false,
        isDiacriticSensitive: try diacriticSensitive?.bool(context) ?? false,
        locale: try locale?.string(context)))
  }
}
