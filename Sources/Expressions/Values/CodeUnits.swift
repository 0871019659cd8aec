/// Comparison of strings by code units, as the expression language has it.
///
/// Swift compares by canonical equivalence, which takes "é" and "e\u{301}" for the same.
enum CodeUnits {
  /// - Complexity: O(length).
  static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
    guard lhs.utf8.count == rhs.utf8.count else { return false }
    let inPlace = lhs.utf8.withContiguousStorageIfAvailable { left in
      rhs.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
    }
    return (inPlace ?? nil) ?? lhs.utf8.elementsEqual(rhs.utf8)
  }

  /// Order by UTF-16 code units.
  ///
  /// - Complexity: O(length).
  static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf16.lexicographicallyPrecedes(rhs.utf16)
  }
}
