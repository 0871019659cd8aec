extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which `isBefore` is false. The elements for which
  /// it is true must come first.
  ///
  /// - Complexity: O(log count).
  @inlinable
  package func bisectedIndex(notBefore isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Sequence where Element: Equatable {
  /// Returns the elements without those that equal the one before: of a sorted sequence each once.
  ///
  /// - Complexity: O(count).
  @inlinable
  package func withoutRepetitions() -> [Element] {
    var found: [Element] = []
    for element in self where found.last != element { found.append(element) }
    return found
  }
}
