import Expressions
import Failures
import Features

/// The advice on a paint or layout property that is refused.
enum PropertyAdvice {
  /// Returns the property of a layer that was probably meant by a name.
  static func nearest(to name: String, of kind: StyleLayer.Kind) -> StyleProperty? {
    let known = StyleProperty.allCases.filter { $0.kind == kind }
    let names = known.map(\.rawValue)
    // `radius` or `colour` without the first word of the name; of a symbol, rather its text's.
    let prefixes = Set(names.compactMap { $0.split(separator: "-").first.map(String.init) })
      .sorted(by: >)
    let spellings = [name] + prefixes.map { "\($0)-\(name)" }
    let found = spellings.lazy.compactMap { NameSuggestion.nearest(to: $0, among: names) }.first
    return known.first { $0.rawValue == found }
  }

  /// Returns what to write instead of a text that is no value of a property; `nil` where it is not
  /// known.
  static func remedy(for value: PropertyValue, of property: StyleProperty) -> String? {
    guard case .string(let text) = value else { return nil }
    if text.hasSuffix(",") { return "remove the comma at its end" }
    switch property.specification.type {
    case .number: return remedy(forNumber: text, of: property)
    case .color:
      let isHex = [3, 4, 6, 8].contains(text.count) && text.allSatisfy(\.isHexDigit)
      return isHex ? "write '#\(text)'" : nil
    default: return nil
    }
  }

  private static func remedy(forNumber text: String, of property: StyleProperty) -> String? {
    guard let match = text.wholeMatch(of: /\s*([+-]?[0-9]*\.?[0-9]+)\s*(px|%)?\s*/),
      let number = Double(match.1)
    else { return nil }
    switch match.2 {
    case "px": return "write the number \(match.1): sizes are in pixels"
    case "%" where property.rawValue.hasSuffix("opacity"):
      return "write the number \(number / 100): opacities are from 0 to 1"
    case "%": return nil
    default: return "write the number \(match.1) without quotes"
    }
  }
}
