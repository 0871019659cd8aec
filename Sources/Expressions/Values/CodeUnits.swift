/// Comparison of strings by code units, as the expression language has it.
///
/// Swift compares by canonical equivalence, which takes "é" and "e\u{301}" for the same.
enum CodeUnits {
  /// - Complexity: O(length).
  static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.elementsEqual(rhs.utf8)
  }

  /// Order by UTF-16 code units.
  ///
  /// - Complexity: O(length).
  static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf16.lexicographicallyPrecedes(rhs.utf16)
  }
}
