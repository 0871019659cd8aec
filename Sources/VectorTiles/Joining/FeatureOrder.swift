import HeapModule

/// An order of features in which those of every tile follow one another as in the tile, so that what
/// lies above another feature in a tile does so on the map.
///
/// If tiles contradict one another, directly or around a circle, the feature that comes first in the
/// first tile comes first.
enum FeatureOrder {
  /// Returns the numbers in order, each once.
  ///
  /// - Parameters:
  ///   - sequences: numbers of features, below `count`: the order in each tile.
  ///   - count: the number of features; lower numbers come first where the tiles leave it open.
  /// - Complexity: O(n log n) for n numbers in all sequences.
  static func merged(_ sequences: [ContiguousArray<Int>], count: Int) -> ContiguousArray<Int> {
    var edges: [(from: Int, to: Int)] = []
    var waiting = [Int](repeating: 0, count: count)
    for sequence in sequences {
      for (from, to) in zip(sequence, sequence.dropFirst()) where from != to {
        edges.append((from, to))
        waiting[to] += 1
      }
    }
    edges.sort { $0.from < $1.from }
    var starts = [Int](repeating: 0, count: count + 1)
    for edge in edges { starts[edge.from + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var ready = Heap((0..<count).filter { waiting[$0] == 0 })
    var isPlaced = [Bool](repeating: false, count: count)
    var order = ContiguousArray<Int>()
    order.reserveCapacity(count)
    var first = 0
    while order.count < count {
      // Nothing is ready in a circle: its first feature goes ahead.
      while first < count, isPlaced[first] { first += 1 }
      let feature = ready.popMin() ?? first
      guard !isPlaced[feature] else { continue }
      isPlaced[feature] = true
      order.append(feature)
      for edge in edges[starts[feature]..<starts[feature + 1]] {
        waiting[edge.to] -= 1
        if waiting[edge.to] == 0, !isPlaced[edge.to] { ready.insert(edge.to) }
      }
    }
    return order
  }
}
