import Expressions
import Failures
import Features
import JSON

/// The advice on a paint or layout property that is refused.
enum PropertyAdvice {
  /// Returns the property of a layer that was probably meant by a name.
  static func nearest(to name: String, of kind: StyleLayer.Kind) -> StyleProperty? {
    let known = StyleProperty.allCases.filter { $0.kind == kind }
    let names = known.map(\.rawValue)
    // `radius` or `colour` without the prefix of the name; for a symbol, the text's property is
    // preferred.
    let prefixes = Set(names.compactMap { $0.split(separator: "-").first.map(String.init) })
      .sorted(by: >)
    let spellings = [name] + prefixes.map { "\($0)-\(name)" }
    let found = spellings.lazy.compactMap { NameSuggestion.nearest(to: $0, among: names) }.first
    return known.first { $0.rawValue == found }
  }

  /// Returns what to write instead of a constant that is not a value of a property; `nil` for an
  /// expression, and if the message already says it.
  static func remedy(for value: PropertyValue, of property: StyleProperty) -> String? {
    if case .string(let text) = value, text.hasSuffix(",") { return "remove the comma at its end" }
    if case .array(let items) = value, case .string? = items.first, !takesTexts(property) {
      return nil
    }
    let specification = property.specification
    if specification.allowedValues != nil { return nil }
    switch specification.type {
    case .number: return remedy(forNumber: value, of: property)
    case .boolean: return remedy(forBoolean: value)
    case .color: return ColorAdvice.remedy(for: value)
    case .array(of: .string, count: _):
      return remedy(forTexts: value, such: property.listedWords ?? ["Open Sans Regular"])
    case .array(of: .number, let count):
      let example = [0, 2, 0, 2].prefix(count ?? 2).map { "\($0)" }
      return numbers(value, count).map { "write \($0)" }
        ?? "write \(example.count) numbers, such as [\(example.joined(separator: ", "))]"
    case .padding: return "write px, such as 2, or a list of them as in CSS, such as [2, 4]"
    case .formatted, .resolvedImage, .string:
      if case .object = value { return nil }
      return "write a text, in quotes"
    default: return nil
    }
  }

  private static func takesTexts(_ property: StyleProperty) -> Bool {
    if case .array(of: .string, count: _)? = property.specification.type { true } else { false }
  }

  /// Returns the list of the numbers that a text or a single number contains; `nil` where their count
  /// is not the property's.
  private static func numbers(_ value: PropertyValue, _ count: Int?) -> String? {
    guard case .string(let text) = value else { return nil }
    let words = text.split { ", ;[]".contains($0) }.map(String.init)
    guard words.allSatisfy({ Double($0) != nil }), !words.isEmpty,
      count ?? words.count == words.count
    else { return nil }
    return "[\(words.joined(separator: ", "))]"
  }

  private static func remedy(forTexts value: PropertyValue, such examples: [String]) -> String {
    var texts = examples
    if case .string(let text) = value, !text.isEmpty {
      texts = text.split(separator: ",").map { String($0.trimming { $0 == " " }) }
    }
    return "write a list: " + JSONWriter.text(.array(texts.prefix(8).map { .string($0) }))
  }

  private static func remedy(forBoolean value: PropertyValue) -> String {
    switch value {
    case .number(0): return "write false"
    case .number(1): return "write true"
    case .string(let text):
      switch text.lowercased() {
      case "yes", "y", "on", "true", "1": return "write true"
      case "no", "n", "off", "false", "0": return "write false"
      default: break
      }
    default: break
    }
    return "write true or false"
  }

  private static func remedy(
    forNumber value: PropertyValue, of property: StyleProperty
  ) -> String? {
    if case .number = value { return nil }
    let example = property.specification.default?.double ?? 1
    guard case .string(let text) = value,
      let match = text.wholeMatch(of: /\s*([+-]?[0-9]*[.,]?[0-9]+)\s*(px|%)?\s*/),
      let number = Double(match.1.replacing(",", with: "."))
    else { return "write a number, such as \(NumberText.format(example == 0 ? 1 : example))" }
    let digits = match.1.replacing(",", with: ".")
    switch match.2 {
    case "px": return "write the number \(digits): sizes are in pixels"
    case "%" where property.rawValue.hasSuffix("opacity"):
      return "write the number \(number / 100): opacities are from 0 to 1"
    case "%": return "write a number, such as \(NumberText.format(example == 0 ? 1 : example))"
    default: return "write the number \(digits) without quotes"
    }
  }
}

extension Substring {
  /// Returns the text without what a condition holds for at its ends.
  fileprivate func trimming(_ isCut: (Character) -> Bool) -> Substring {
    var text = drop(while: isCut)
    while let last = text.last, isCut(last) { text.removeLast() }
    return text
  }
}
