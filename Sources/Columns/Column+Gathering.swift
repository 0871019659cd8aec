extension Column {
  /// Returns the elements at some indexes, in the order of the indexes.
  ///
  /// A column too large for its scratch's memory is processed part by part: the elements of one
  /// part are read in any order while they are in memory, and the indexes and the result are
  /// passed through once for each part.
  ///
  /// - Parameter share: runs a body over disjoint ranges that cover the places, on any threads.
  /// - Complexity: O(places × parts).
  @inlinable
  package func gathered(
    at places: Column<UInt32>, share: (_ count: Int, _ body: (Range<Int>) -> Void) -> Void
  ) -> Column {
    var result = Column(uninitializedCount: places.count, in: scratch)
    let part = Swift.max(
      1, scratch?.workCount(ofStride: MemoryLayout<Element>.stride) ?? count)
    withUnsafeBufferPointer { elements in
      places.withUnsafeBufferPointer { places in
        result.withUnsafeMutableBufferPointer { result in
          guard part < elements.count else {
            return share(places.count) { range in
              for place in range { result[place] = elements[Int(places[place])] }
            }
          }
          for start in stride(from: 0, to: elements.count, by: part) {
            let wanted = UInt32(truncatingIfNeeded: start)
            let length = UInt32(truncatingIfNeeded: part)
            share(places.count) { range in
              for place in range where places[place] &- wanted < length {
                result[place] = elements[Int(places[place])]
              }
            }
          }
        }
      }
    }
    return result
  }
}

extension Column<UInt32> {
  /// Returns the inverse of a permutation: the place of each number. It works part by part, like
  /// ``gathered(at:share:)``.
  ///
  /// - Complexity: O(count × parts).
  package func inverse() -> Column<UInt32> {
    var result = Column<UInt32>(repeating: 0, count: count, in: scratch)
    let part = Swift.max(1, scratch?.workCount(ofStride: 4) ?? count)
    withUnsafeBufferPointer { numbers in
      result.withUnsafeMutableBufferPointer { result in
        for start in stride(from: 0, to: numbers.count, by: part) {
          let wanted = UInt32(truncatingIfNeeded: start)
          let length = UInt32(truncatingIfNeeded: part)
          for place in numbers.indices where numbers[place] &- wanted < length {
            result[Int(numbers[place])] = UInt32(truncatingIfNeeded: place)
          }
        }
      }
    }
    return result
  }
}
