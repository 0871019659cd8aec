import Expressions
import Features
import Testing

@testable import Examination
@testable import Ingest

@Suite("Numbers as people write them")
struct NumberSpellingTests {
  /// One record with the property `n`.
  private struct Record: PropertySource {
    let text: String
    func property(_ slot: Int) -> PropertyValue? { .string(text) }
    var id: PropertyValue? { nil }
    var geometryType: String? { "Point" }
    var allProperties: PropertyValue { .null }
  }

  private static let spelled: [(String, Double)] = [
    ("1,234", 1234), ("2,000", 2000), ("1,234,567", 1_234_567), ("1,234.5", 1234.5),
    ("12,5", 12.5), ("0,125", 0.125), ("1234,5", 1234.5), ("1.234,5", 1234.5),
    ("1.234.567", 1_234_567), ("1 234", 1234), ("1\u{202F}234,5", 1234.5), ("1'234", 1234),
    ("€ 5", 5), ("5 €", 5), ("$1,234.50", 1234.5), ("-€5", -5), ("EUR 12,5", 12.5), ("45 %", 45),
    ("45%", 45), ("12.5 km", 12.5), ("\u{2212}5", -5), ("+5", 5), (".5", 0.5), ("5.", 5),
    (" 7 ", 7),
  ]

  @Test("a spelled number is recognised, and its expression reads it", arguments: spelled)
  func reads(text: String, number: Double) throws {
    let spelling = try #require(NumberSpelling(text))
    #expect(spelling.number == number && !spelling.isCode)
    let expression = try CompiledExpression.compile(
      spelling.expression(of: "n"), for: PropertySpecification(type: .number))
    let context = EvaluationContext(zoom: 0, feature: Record(text: text))
    #expect(try expression.evaluateThrowing(context) == .number(number))
  }

  @Test(
    "other texts with digits are not numbers",
    arguments: [
      "A12", "12A", "2024-10-09", "12:30", "1.2.3", "1,23,456", "12,3456,7", "5-7", "1/2", "5k",
      "5 M",
      "+1 305-888", "", "%", "-", "1,,2", "Route 66", "1e",
    ])
  func others(text: String) { #expect(NumberSpelling(text) == nil) }

  @Test("a comma is a decimal one where another value of the column shows it")
  func commas() {
    #expect(NumberSpelling("1,234", decimalCommas: true)?.number == 1.234)
    #expect(NumberSpelling("007")?.isCode == true)
  }

  @Test("a census counts the texts that have no effect in a use")
  func census() {
    var column = PropertyColumn(name: "n")
    func add(_ kind: PropertyColumn.Kind, _ text: String) {
      var text = text
      text.withUTF8 { column.append(kind, bytes: UnsafeRawBufferPointer($0)) }
    }
    for text in ["950", "1,234", "+5", "n/a", "unknown", "007", " "] { add(.text, text) }
    add(.string, "12")
    column.append(.null)
    column.append(3.5)
    func census(_ use: QuantityUse) -> QuantityCensus {
      var census = QuantityCensus()
      census.add(column, for: use, isCounted: { _ in true }, place: { (nil, $0 + 2) })
      return census
    }
    let first = LedgerNote(file: nil, line: 3, message: "1,234")
    #expect(census(.value) == QuantityCensus(values: 7, texts: 5, first: first))
    #expect(census(.conversion) == QuantityCensus(values: 7, texts: 2, first: first))
    #expect(census(.equality) == QuantityCensus(values: 7, texts: 3, first: first))
  }
}
