package import Tiling

/// A filter that keeps the first features of each cell of a zoom and drops the others.
///
/// Cells are squares anchored to the world's north-west corner; a cell owns its north and west
/// edge. A feature belongs to the one cell that contains its position, so it is kept or dropped as
/// a whole: it is not cut where two tiles meet.
package struct CellThinning: Hashable, Sendable {
  /// The number of features that a cell keeps; at least 1.
  package let perCell: Int

  /// The side of a cell in pixels of a tile.
  package let cellSize: Double

  /// The side of a tile in pixels.
  package let tileSize: Int

  package init(perCell: Int, cellSize: Double, tileSize: Int) {
    self.perCell = max(1, perCell)
    self.cellSize = max(cellSize, 1)
    self.tileSize = tileSize
  }

  /// Returns the features that a zoom keeps.
  ///
  /// - Parameters:
  ///   - positions: the position of each feature.
  ///   - order: the features as indexes into `positions`, highest priority first.
  /// - Returns: for each feature, whether it is kept.
  /// - Complexity: O(features).
  package func kept(
    of positions: ContiguousArray<WorldPoint>, order: ContiguousArray<UInt32>, zoom: Int
  ) -> ContiguousArray<Bool> {
    var kept = ContiguousArray(repeating: false, count: positions.count)
    let cellsAcross = Double(tileSize << zoom) / cellSize
    var counts: [UInt64: Int] = [:]
    for feature in order {
      let position = positions[Int(feature)]
      let column = UInt64(Double(position.x) / 0x1p32 * cellsAcross)
      let row = UInt64(Double(position.y) / 0x1p32 * cellsAcross)
      let count = counts[column << 32 | row, default: 0]
      guard count < perCell else { continue }
      counts[column << 32 | row] = count + 1
      kept[Int(feature)] = true
    }
    return kept
  }

  /// Returns the features ordered by a number of each; ties keep their order and features without a
  /// number come last.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func order(
    by values: ContiguousArray<Double?>, isDescending: Bool
  ) -> ContiguousArray<UInt32> {
    let rows = values.indices.sorted { first, second in
      switch (values[first], values[second]) {
      case (nil, nil): return first < second
      case (nil, _): return false
      case (_, nil): return true
      case (let a?, let b?):
        if a != b { return isDescending ? a > b : a < b }
        return first < second
      }
    }
    return ContiguousArray(rows.map { UInt32(truncatingIfNeeded: $0) })
  }
}
