import Platform

extension UnsafeRawBufferPointer {
  /// Whether both have the same bytes.
  ///
  /// - Complexity: O(`count`); by `memcmp`, since an element-wise comparison is some ten times slower.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
      return count == other.count
    }
    return memcmp(start, otherStart, count) == 0
  }
}
