/// Lower-casing with the final form of sigma.
enum LowerCase {
  /// Returns the lower case by the Unicode Standard, section 3.13: Swift's mapping, plus the one
  /// rule on context that Swift lacks, Final_Sigma: Σ becomes ς if a letter precedes and none
  /// follows.
  ///
  /// - Complexity: O(length).
  static func text(of text: String) -> String {
    guard text.unicodeScalars.contains("Σ") else { return text.lowercased() }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    // Whether the nearest scalar that is not ignored is a letter, before and after.
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
