package import Scenes

/// The features that answer taps in each cell of a tile.
package struct TapGrid: Hashable, Sendable {
  /// The number of cells along each side of a tile.
  package static let side = 64

  /// For each cell, row by row from the north-west corner, 0 or the number of its feature + 1.
  package var cells: [UInt16]

  /// The rows outside of which no cell has a feature.
  package let rows: Range<Int>

  /// The features, in the order in which rows of cells first show them.
  package var features: [TapFeature]

  /// Returns the feature of a cell.
  package func feature(column: Int, row: Int) -> TapFeature? {
    let number = cells[row * Self.side + column]
    return number == 0 ? nil : features[Int(number) - 1]
  }
}
