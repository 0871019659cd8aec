/// The tiles of one zoom in a box of columns and rows, both ends included.
package struct TileRange: Hashable, Sendable {
  package let zoom: Int
  /// The first column; greater than ``lastColumn`` if the range crosses the antimeridian.
  package let firstColumn: Int
  package let lastColumn: Int
  /// The first row; rows count southward.
  package let firstRow: Int
  package let lastRow: Int

  package init(zoom: Int, firstColumn: Int, lastColumn: Int, firstRow: Int, lastRow: Int) {
    self.zoom = zoom
    self.firstColumn = firstColumn
    self.lastColumn = lastColumn
    self.firstRow = firstRow
    self.lastRow = lastRow
  }

  /// Creates the range of the tiles that contain a part of the box.
  ///
  /// A box that extends nearly around the world begins and ends in the same column and covers all
  /// others.
  package init(_ box: WorldBox, zoom: Int) {
    let northWest = TileCoord(WorldPoint(x: box.west, y: box.north), z: zoom)
    let southEast = TileCoord(WorldPoint(x: box.east, y: box.south), z: zoom)
    let isAllAround = box.west > box.east && northWest.x == southEast.x
    self.init(
      zoom: zoom, firstColumn: isAllAround ? 0 : northWest.x,
      lastColumn: isAllAround ? (1 << zoom) - 1 : southEast.x, firstRow: northWest.y,
      lastRow: southEast.y)
  }

  /// Whether a tile of this zoom lies in the range.
  @inlinable
  package func contains(_ tile: TileCoord) -> Bool {
    contains(column: tile.x) && tile.y >= firstRow && tile.y <= lastRow
  }

  @inlinable
  package func contains(column: Int) -> Bool {
    if firstColumn <= lastColumn { return column >= firstColumn && column <= lastColumn }
    return column >= firstColumn || column <= lastColumn
  }

  /// Returns the tiles that another range of the zoom has, too; neither crosses the antimeridian.
  package func clamped(to other: TileRange?) -> TileRange {
    guard let other else { return self }
    let range = TileRange(
      zoom: zoom, firstColumn: max(firstColumn, other.firstColumn),
      lastColumn: min(lastColumn, other.lastColumn), firstRow: max(firstRow, other.firstRow),
      lastRow: min(lastRow, other.lastRow))
    guard range.firstColumn <= range.lastColumn, range.firstRow <= range.lastRow else {
      return TileRange(zoom: zoom, firstColumn: 0, lastColumn: 0, firstRow: 1, lastRow: 0)
    }
    return range
  }

  /// The number of tiles.
  package var count: Int {
    let columns =
      firstColumn <= lastColumn
      ? lastColumn - firstColumn + 1 : lastColumn + 1 + (1 << zoom) - firstColumn
    return columns * (lastRow - firstRow + 1)
  }

  /// The columns as ranges that do not wrap, within the world.
  package var columns: [Range<Int>] {
    let world = 0..<(1 << zoom)
    if firstColumn <= lastColumn { return [(firstColumn..<lastColumn + 1).clamped(to: world)] }
    return [
      (0..<max(lastColumn + 1, 0)).clamped(to: world),
      (min(firstColumn, world.upperBound)..<world.upperBound).clamped(to: world),
    ]
  }

  /// The rows within the world.
  package var rows: Range<Int> {
    guard firstRow <= lastRow else { return 0..<0 }
    return (firstRow..<lastRow + 1).clamped(to: 0..<(1 << zoom))
  }

  /// Calls `body` with the key of every tile of the range, ascending, until it returns false.
  package func forEachKey(_ body: (TileKey) -> Bool) {
    _ = visit(TileKey(rawValue: 0), level: 0, body)
  }

  /// Visits the tiles of the range below a tile of a zoom; returns false once `body` has.
  private func visit(_ key: TileKey, level: Int, _ body: (TileKey) -> Bool) -> Bool {
    let shift = zoom - level
    let (first, last) = (key.column << shift, (key.column + 1) << shift - 1)
    let isInColumns =
      firstColumn <= lastColumn
      ? first <= lastColumn && last >= firstColumn : first <= lastColumn || last >= firstColumn
    guard isInColumns, key.row << shift <= lastRow, (key.row + 1) << shift > firstRow else {
      return true
    }
    if level == zoom { return body(key) }
    for quadrant in 0..<4 {
      guard visit(key.child(quadrant), level: level + 1, body) else { return false }
    }
    return true
  }
}
