package import Columns
import SpatialIndex
package import Tiling

/// A rule that keeps the first features of each cell of a zoom and drops the others.
///
/// Cells are squares anchored to the world's north-west corner; a cell owns its north and west
/// edges. A feature belongs to the one cell that contains its position, so it is kept or dropped as
/// a whole: no feature is cut where two tiles meet.
package struct CellThinning: Hashable, Sendable {
  /// The number of features that a cell keeps; at least 1.
  package let perCell: Int

  /// The side of a cell, in pixels of a tile.
  package let cellSize: Double

  /// The side of a tile in pixels, at most 1024.
  package let tileSize: Int

  package init(perCell: Int, cellSize: Double, tileSize: Int) {
    self.perCell = max(1, perCell)
    self.cellSize = max(cellSize, 1)
    self.tileSize = tileSize
  }

  /// Returns whether each feature is kept at each zoom.
  ///
  /// A cell of a zoom is the parent of four cells of the next zoom, whatever its size, so each zoom
  /// is a depth of one ``LinearQuadTree``. A feature that a cell drops is dropped by all cells
  /// above it: each zoom considers only the features that the deeper one kept.
  ///
  /// - Parameters:
  ///   - positions: the position of each feature.
  ///   - order: the features as indices into `positions`, in descending priority.
  ///   - zooms: the zooms, within 0 … 22.
  ///   - checkpoint: called before each zoom; an error that it throws ends the work.
  /// - Returns: for each zoom, ascending, and each feature, whether it is kept.
  /// - Complexity: O(features) to sort them once, and a flag per feature for each zoom; in addition
  ///   O(features kept × log `perCell`) for each zoom.
  package func kept(
    of positions: Column<WorldPoint>, order: Column<UInt32>,
    zooms: ClosedRange<Int>, checkpoint: () throws -> Void
  ) rethrows -> [Column<Bool>] {
    // Doubling is exact, so the column in a zoom is the column in the next zoom divided by two,
    // rounded down.
    let cellsAcross = Double(tileSize << zooms.upperBound) / cellSize
    func cell(_ coordinate: UInt32) -> UInt32 {
      UInt32(truncatingIfNeeded: UInt64(Double(coordinate) / 0x1p32 * cellsAcross))
    }
    // Members are ranks in the order, so the smallest number has the highest priority.
    var tree = LinearQuadTree<QuadTreeCell>(count: order.count, in: positions.scratch) { rank in
      let position = positions[Int(order[rank])]
      return MortonCode(x: cell(position.x), y: cell(position.y)).rawValue
    }
    var result: [Column<Bool>] = []
    for zoom in zooms.reversed() {
      try checkpoint()
      if zoom < zooms.upperBound { tree.coarsen(by: 2) }
      tree.keepLowest(perCell)
      var kept = Column(repeating: false, count: positions.count, in: positions.scratch)
      for rank in tree.members { kept[Int(order[Int(rank)])] = true }
      result.append(kept)
    }
    return result.reversed()
  }

  /// Returns the features sorted by one number per feature; ties keep their order, and features
  /// without a number come last.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func order(
    by values: Column<Double?>, isDescending: Bool
  ) -> Column<UInt32> {
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
    return Column(rows.lazy.map { UInt32(truncatingIfNeeded: $0) }, in: values.scratch)
  }
}
