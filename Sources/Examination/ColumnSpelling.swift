package import Features
import Ingest

/// The one way in which the texts of a column are numbers, with marks and units that the
/// ``NumberGrammar`` does not read: `76,5 %`, `$1,234.00`, `12 °C`.
package struct ColumnSpelling: Hashable, Sendable {
  private let replacements: [NumberSpelling.Replacement]

  /// The unit of the first text; empty without one.
  package let unit: String

  /// The least and the greatest of the numbers.
  package let range: ClosedRange<Double>

  package let hasFractions: Bool

  /// - Parameter texts: distinct texts of the column.
  /// - Returns: `nil` unless nearly all of them are numbers, all written in one way.
  package init?(_ texts: [String]) {
    let hasCommas = texts.contains { NumberSpelling($0)?.hasDecimalComma == true }
    let read = texts.map { NumberSpelling($0, decimalCommas: hasCommas) }
    let found = read.compactMap(\.self)
    guard found.count * 20 >= texts.count * 19, !found.contains(where: \.isCode) else { return nil }
    var all: [NumberSpelling.Replacement] = []
    for step in found.flatMap(\.replacements) {
      guard let known = all.first(where: { $0.part == step.part }) else {
        all.append(step)
        continue
      }
      guard known == step else { return nil }
    }
    // Units and groups go first, so that the mark of decimals is the only one left.
    replacements = all.filter(\.replacement.isEmpty) + all.filter { !$0.replacement.isEmpty }
    unit = found.lazy.map(\.unit).first { !$0.isEmpty } ?? ""
    let numbers = found.map(\.number)
    guard let least = numbers.min(), let most = numbers.max() else { return nil }
    range = least...most
    hasFractions = numbers.contains { $0.rounded(.towardZero) != $0 }
    // A point may be the mark of groups in one text and of decimals in another.
    let isOne = zip(texts, read).allSatisfy { text, spelling in
      spelling == nil || number(text) == spelling?.number
    }
    guard isOne else { return nil }
  }

  /// Returns the number that a text of the column spells; `nil` for another text.
  package func number(_ text: String) -> Double? {
    var rest = text
    for step in replacements { rest = rest.replacing(step.part, with: step.replacement) }
    return rest.contains(where: \.isNumber) ? NumberSpelling(rest)?.number : nil
  }

  /// Returns the expression for the number of a property.
  package func expression(of name: String) -> PropertyValue {
    NumberSpelling.expression(of: name, replacing: replacements)
  }
}
