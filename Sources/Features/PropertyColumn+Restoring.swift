extension PropertyColumn {
  /// Restores a column from saved rows; `nil` if these are inconsistent.
  ///
  /// - Complexity: O(rows).
  package init?(
    name: String, kinds: Column<Kind>, ends: Column<UInt32>,
    bytes: Column<UInt8>
  ) {
    guard kinds.count == ends.count, ends.areEnds(of: bytes.count) else { return nil }
    self.init(name: name)
    self.kinds = kinds
    self.ends = ends
    self.bytes = bytes
  }
}

extension RandomAccessCollection<UInt32> {
  /// Whether these are the ends of consecutive runs that add up to a number of elements; false for
  /// a collection that is not contiguous.
  ///
  /// - Complexity: O(ends).
  func areEnds(of count: Int) -> Bool {
    guard Int(last ?? 0) == count else { return false }
    return withContiguousStorageIfAvailable { ends in
      var isRising = true
      for index in 1..<Swift.max(ends.count, 1) {
        // Without a branch, so that the loop is vectorized.
        isRising = isRising && ends[index] >= ends[index - 1]
      }
      return isRising
    } ?? false
  }
}
