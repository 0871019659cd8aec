/// Names that no two things share.
enum UniqueNames {
  /// The name, or the name with the first number behind it that makes it a new one.
  ///
  /// - Parameters:
  ///   - taken: the names there are, which the result joins.
  ///   - folding: what makes two names equal besides being it.
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
