import Failures
package import Features
import JSON

/// The advice on a value where a colour is expected.
package enum ColorAdvice {
  /// Returns what to write instead of a value that is no colour.
  package static func remedy(for value: PropertyValue) -> String {
    switch value {
    case .string(let text): remedy(forText: text)
    // YAML reads the digits of `circle-color: 336699` as a number.
    case .number(let number) where number >= 100 && NumberText.format(number).utf8.count <= 8:
      remedy(forText: NumberText.format(number))
    case .array(let items): channels(items) ?? example
    default: example
    }
  }

  private static let example =
    "a colour is a name of CSS such as 'red', or '#ff0000', or 'rgb(255, 0, 0)'"

  private static func remedy(forText text: String) -> String {
    if text.hasSuffix(",") { return "remove the comma at its end" }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    let isHex = !digits.isEmpty && digits.allSatisfy(\.isHexDigit)
    let isWhole = [3, 4, 6, 8].contains(digits.count)
    if text.hasPrefix("#") {
      return isHex && !isWhole
        ? "'#' has 3, 4, 6 or 8 digits after it, not \(digits.count): '#ff0000'" : example
    }
    if isHex, isWhole { return "write '#\(text)'" }
    return NameSuggestion.nearest(to: text, among: NamedColors.table.keys.sorted()).map {
      "did you mean '\($0)'?"
    } ?? example
  }

  /// Returns the call for a list of channels; `nil` for any other list.
  private static func channels(_ items: [PropertyValue]) -> String? {
    let numbers = items.compactMap(\.double)
    guard numbers.count == items.count, [3, 4].contains(items.count),
      numbers.prefix(3).allSatisfy({ (0...255).contains($0) })
    else { return nil }
    let words = numbers.map { NumberText.format($0) }.joined(separator: ", ")
    return "write '\(items.count == 4 ? "rgba" : "rgb")(\(words))'"
  }
}
