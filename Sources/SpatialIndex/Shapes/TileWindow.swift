/// The tiles of one zoom whose pieces are needed; columns may cross the antimeridian.
package struct TileWindow: Hashable, Sendable {
  /// The first column; greater than ``lastColumn`` where the window crosses the antimeridian.
  package let firstColumn: Int
  package let lastColumn: Int

  /// The rows southward, both included.
  package let firstRow: Int
  package let lastRow: Int

  package init(firstColumn: Int, lastColumn: Int, firstRow: Int, lastRow: Int) {
    self.firstColumn = firstColumn
    self.lastColumn = lastColumn
    self.firstRow = firstRow
    self.lastRow = lastRow
  }

  /// Creates the window of all tiles of a zoom.
  package init(zoom: Int) {
    let last = (1 << zoom) - 1
    self.init(firstColumn: 0, lastColumn: last, firstRow: 0, lastRow: last)
  }

  /// Returns the columns as ranges that do not wrap, within the world of a zoom.
  func columns(zoom: Int) -> [Range<Int>] {
    let world = 0..<(1 << zoom)
    if firstColumn <= lastColumn { return [(firstColumn..<lastColumn + 1).clamped(to: world)] }
    return [
      (0..<max(lastColumn + 1, 0)).clamped(to: world),
      (min(firstColumn, world.upperBound)..<world.upperBound).clamped(to: world),
    ]
  }

  /// Returns the rows within the world of a zoom.
  func rows(zoom: Int) -> Range<Int> {
    guard firstRow <= lastRow else { return 0..<0 }
    return (firstRow..<lastRow + 1).clamped(to: 0..<(1 << zoom))
  }
}
