package import Tiling

/// The pixels of a tile in which a shape of a source tile is drawn: those whose centres lie in the
/// source tile. So each pixel shows one source tile, whatever its neighbours have in their buffers.
@usableFromInline
package struct SourceWindow: BitwiseCopyable, Hashable, Sendable {
  /// The first column and the one after the last, from the tile's west edge.
  package let firstColumn: Int32
  package let endColumn: Int32

  /// The first row and the one after the last, from the tile's north edge.
  package let firstRow: Int32
  package let endRow: Int32

  /// The window of shapes that are drawn in all pixels of the tile.
  package static let all = SourceWindow(
    firstColumn: .min, endColumn: .max, firstRow: .min, endRow: .max)

  private init(firstColumn: Int32, endColumn: Int32, firstRow: Int32, endRow: Int32) {
    self.firstColumn = firstColumn
    self.endColumn = endColumn
    self.firstRow = firstRow
    self.endRow = endRow
  }

  /// Creates the window of a source tile: ``all`` if the source tile covers the tile, `nil` if the
  /// tile shows no pixel of it.
  ///
  /// A pixel whose centre lies on the border of two source tiles belongs to the one to its east or
  /// south.
  ///
  /// - Parameters:
  ///   - box: the source tile, in 1/256 pixels.
  ///   - originX: the tile's west edge.
  ///   - originY: the tile's north edge.
  ///   - side: the number of the tile's pixels on each side.
  init?(_ box: PlaneBox, fromX originX: Int, y originY: Int, side: Int) {
    func pixel(_ place: Int, _ origin: Int) -> Int32 {
      Int32(clamping: (place - origin + 127) >> 8)
    }
    self.init(
      firstColumn: pixel(box.minX, originX), endColumn: pixel(box.maxX, originX),
      firstRow: pixel(box.minY, originY), endRow: pixel(box.maxY, originY))
    guard max(firstColumn, 0) < min(endColumn, Int32(side)),
      max(firstRow, 0) < min(endRow, Int32(side))
    else { return nil }
    if firstColumn <= 0, endColumn >= side, firstRow <= 0, endRow >= side { self = .all }
  }

  /// Whether it has a pixel of the tile.
  func contains(column: Int, row: Int) -> Bool {
    column >= firstColumn && column < endColumn && row >= firstRow && row < endRow
  }
}

extension PlaneBox {
  /// Creates the square of a source tile in world units. In the first row it extends far north, and
  /// in the last row far south: no tile follows there, so nothing is cut at the world's edge.
  package init(sourceTile tile: TileCoord) {
    let side = WorldVertex.turn >> tile.z
    let far = 8 * WorldVertex.turn
    self.init(
      minX: tile.x * side, minY: tile.y == 0 ? -far : tile.y * side, maxX: (tile.x + 1) * side,
      maxY: tile.y + 1 == 1 << tile.z ? far : (tile.y + 1) * side)
  }
}
