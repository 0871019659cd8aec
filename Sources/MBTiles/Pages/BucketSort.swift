import Columns
import Tiling

/// A sort of values that are evenly spread over buckets, in linear time: each bucket is sorted on its
/// own.
enum BucketSort {
  static let bucketBits = 16

  /// Returns the elements in ascending order.
  ///
  /// - Parameters:
  ///   - bucket: the bucket of an element, 0 ..< 2¹⁶, which does not decrease with the order.
  /// - Complexity: O(n) for evenly spread elements, O(n log n) for others.
  static func sorted<Element: BitwiseCopyable>(
    _ elements: Column<Element>, bucket: (Element) -> Int, by precedes: (Element, Element) -> Bool
  ) -> Column<Element> {
    var starts = ContiguousArray(repeating: 0, count: 1 << bucketBits + 1)
    for element in elements { starts[bucket(element) + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
    var ends = starts
    var sorted = Column<Element>(uninitializedCount: elements.count, in: elements.scratch)
    sorted.withUnsafeMutableBufferPointer { sorted in
      for element in elements {
        let bucket = bucket(element)
        sorted[ends[bucket]] = element
        ends[bucket] += 1
      }
      for bucket in 0..<(1 << bucketBits) where starts[bucket + 1] - starts[bucket] > 1 {
        sorted[starts[bucket]..<starts[bucket + 1]].sort(by: precedes)
      }
    }
    return sorted
  }

  /// Returns the places of tiles in the order of their index.
  ///
  /// - Parameter keys: the `archiveKey` of each, ascending.
  static func places(ofTiles keys: Column<UInt64>) -> Column<TileIndexPlace> {
    var places = Column<TileIndexPlace>(in: keys.scratch)
    places.reserveCapacity(keys.count)
    var start = 0
    while start < keys.count {
      let zoom = Int(keys[start] >> 44)
      var those = Column<TileIndexPlace>(in: keys.scratch)
      while start < keys.count, Int(keys[start] >> 44) == zoom {
        those.append(TileIndexPlace(TileCoord(archiveKey: keys[start])))
        start += 1
      }
      let shift = UInt64(22 + max(0, zoom - bucketBits))
      places.append(
        contentsOf: sorted(
          those, bucket: { Int($0.key >> shift & (1 << UInt64(bucketBits) - 1)) },
          by: <))
    }
    return places
  }
}
