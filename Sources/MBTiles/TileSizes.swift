/// The distribution of tile sizes at one zoom. Each row counts, except rows that show the blank
/// tile; all values are 0 if there are no other rows.
package struct TileSizes: Hashable, Sendable {
  /// Size of the smallest tile in bytes.
  package var smallest = 0

  /// The size that half of the tiles do not exceed, in bytes (nearest rank).
  package var median = 0

  /// The size that 95 of 100 tiles do not exceed, in bytes (nearest rank).
  package var percentile95 = 0

  /// Size of the largest tile in bytes.
  package var largest = 0

  package init() {}
}

/// A counter of tiles by their exact size in bytes.
struct SizeCounter {
  /// Sizes below this have their own entry in ``small``; larger ones are rare.
  private static let limit = 1 << 16

  /// The number of tiles by size, as long as the largest of the small sizes requires.
  private var small: ContiguousArray<Int> = []
  private var large: [Int: Int] = [:]
  private var total = 0

  /// Counts a tile.
  ///
  /// - Complexity: O(1), amortized.
  @inline(__always)
  mutating func add(_ bytes: Int) {
    total += 1
    guard bytes < Self.limit else {
      large[bytes, default: 0] += 1
      return
    }
    if bytes >= small.count {
      small.append(contentsOf: repeatElement(0, count: bytes + 1 - small.count))
    }
    small[bytes] += 1
  }

  /// The distribution of the counted sizes.
  ///
  /// - Complexity: O(65,536 + *n* log *n*) in the number of distinct larger sizes.
  var sizes: TileSizes {
    var sizes = TileSizes()
    guard total > 0 else { return sizes }
    let ranks = [1, (total + 1) / 2, total - total / 20, total]
    var values: [Int] = []
    var seen = 0
    func count(_ size: Int, _ tiles: Int) {
      seen += tiles
      while values.count < ranks.count, seen >= ranks[values.count] { values.append(size) }
    }
    for (size, tiles) in small.enumerated() where tiles > 0 { count(size, tiles) }
    for (size, tiles) in large.sorted(by: { $0.key < $1.key }) { count(size, tiles) }
    (sizes.smallest, sizes.median) = (values[0], values[1])
    (sizes.percentile95, sizes.largest) = (values[2], values[3])
    return sizes
  }
}
