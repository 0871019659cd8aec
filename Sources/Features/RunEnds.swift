extension ContiguousArray<UInt32> {
  /// Appends the ends of a run of another column, each shifted by the same distance, modulo 2³².
  ///
  /// - Complexity: O(ends), as a copy and a sum that the compiler vectorizes; appended one by one
  ///   they made up half the cost of copying a batch.
  mutating func append(ends: ArraySlice<UInt32>, movedBy distance: UInt32) {
    let first = count
    append(contentsOf: ends)
    guard distance != 0 else { return }
    withUnsafeMutableBufferPointer { all in
      for index in first..<all.count { all[index] &+= distance }
    }
  }
}
