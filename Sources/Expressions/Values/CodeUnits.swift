/// Comparison of strings by code units, as in the expression language.
///
/// Swift compares by canonical equivalence, by which "é" and "e\u{301}" are equal.
enum CodeUnits {
  /// - Complexity: O(length).
  static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
    guard lhs.utf8.count == rhs.utf8.count else { return false }
    let inPlace = lhs.utf8.withContiguousStorageIfAvailable { left in
      rhs.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
    }
    return (inPlace ?? nil) ?? lhs.utf8.elementsEqual(rhs.utf8)
  }

  /// Whether a string precedes another in the order of UTF-16 code units.
  ///
  /// - Complexity: O(length).
  static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf16.lexicographicallyPrecedes(rhs.utf16)
  }
}
