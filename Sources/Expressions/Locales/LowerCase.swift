/// Text in small letters, with the small sigma of a word's end.
enum LowerCase {
  /// The mapping of the Unicode Standard, section 3.13, which Swift has but for its one rule on
  /// context, Final_Sigma: Σ becomes ς after a letter and before none.
  ///
  /// - Complexity: O(length).
  static func text(of text: String) -> String {
    guard text.unicodeScalars.contains("Σ") else { return text.lowercased() }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    // Whether the nearest scalar that is not passed over is a letter, behind and ahead.
    var isAfterLetter = false
    var isBeforeLetter = [Bool](repeating: false, count: scalars.count)
    for index in scalars.indices.dropLast().reversed() {
      let next = scalars[index + 1].properties
      isBeforeLetter[index] = next.isCaseIgnorable ? isBeforeLetter[index + 1] : next.isCased
    }
    for (index, scalar) in scalars.enumerated() {
      if scalar == "Σ" {
        result.append(isAfterLetter && !isBeforeLetter[index] ? "ς" : "σ")
      } else {
        result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
      if !scalar.properties.isCaseIgnorable { isAfterLetter = scalar.properties.isCased }
    }
    return String(result)
  }
}
