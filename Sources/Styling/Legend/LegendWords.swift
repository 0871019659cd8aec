/// The names of a pipeline in the words of a legend.
package enum LegendWords {
  /// Returns a name as a title: `hiking_trails` becomes `Hiking trails`. A name with a space was
  /// written for people, and stays.
  package static func title(of name: String) -> String {
    guard !name.contains(" ") else { return name }
    let words = words(of: name)
    // Short words stay as they are: they are often abbreviations, such as those of countries.
    guard words.prefix(while: { $0 != " " }).count > 2 else { return words }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns the name of a property in a sentence: `population_2020` becomes `population 2020`.
  package static func property(_ name: String) -> String {
    name == "point_count" ? "number of points" : name.contains(" ") ? name : words(of: name)
  }

  /// Returns a name with spaces between its words.
  private static func words(of name: String) -> String {
    var words = ""
    var last: Character?
    for letter in name {
      let isBreak = letter == "_" || letter == "-"
      // A capital begins a word after a small letter: `landUse`, but not `NUTS`.
      if letter.isUppercase, last?.isLowercase == true { words.append(" ") }
      if isBreak {
        if words.last != " ", !words.isEmpty { words.append(" ") }
      } else if letter.isUppercase, last?.isLowercase == true {
        words += letter.lowercased()
      } else {
        words.append(letter)
      }
      last = letter
    }
    return words.last == " " ? String(words.dropLast()) : words
  }
}
