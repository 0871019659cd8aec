/// A maker of unique names.
enum UniqueNames {
  /// Returns the name, or the name followed by the first number that makes it unique.
  ///
  /// - Parameters:
  ///   - taken: the existing names, to which the result is added.
  ///   - folding: maps names that count as equal to the same text.
  static func make(
    _ name: String, among taken: inout Set<String>, folding: (String) -> String = { $0 }
  ) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(folding(candidate)).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
