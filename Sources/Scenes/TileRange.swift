package import Tiling

/// The tiles of one zoom that a box of the world touches; columns may run over the antimeridian.
package struct TileRange: Hashable, Sendable {
  package let zoom: Int
  /// First column; greater than ``lastColumn`` where the range runs over the antimeridian.
  package let firstColumn: Int
  package let lastColumn: Int
  /// Rows southward.
  package let firstRow: Int
  package let lastRow: Int

  /// The tiles that hold a part of the box.
  ///
  /// A box that runs nearly once around begins and ends in the same column and holds all others.
  package init(_ box: WorldBox, zoom: Int) {
    let northWest = TileCoord(WorldPoint(x: box.west, y: box.north), z: zoom)
    let southEast = TileCoord(WorldPoint(x: box.east, y: box.south), z: zoom)
    self.zoom = zoom
    let isAllAround = box.west > box.east && northWest.x == southEast.x
    firstColumn = isAllAround ? 0 : northWest.x
    lastColumn = isAllAround ? (1 << zoom) - 1 : southEast.x
    firstRow = northWest.y
    lastRow = southEast.y
  }

  /// Whether a tile of this zoom lies in the range.
  @inline(__always)
  package func contains(_ tile: TileCoord) -> Bool {
    contains(column: tile.x) && tile.y >= firstRow && tile.y <= lastRow
  }

  @inline(__always)
  package func contains(column: Int) -> Bool {
    if firstColumn <= lastColumn { return column >= firstColumn && column <= lastColumn }
    return column >= firstColumn || column <= lastColumn
  }

  /// The number of tiles.
  package var count: Int {
    let columns =
      firstColumn <= lastColumn
      ? lastColumn - firstColumn + 1 : lastColumn + 1 + (1 << zoom) - firstColumn
    return columns * (lastRow - firstRow + 1)
  }
}
