import Tiling

/// The tiles into which the shapes of a source were cut before they were joined.
///
/// Whoever reads some of the tiles has only parts of the shapes that go on beyond. What is drawn in a
/// tile must not depend on that, so what follows from a line as a whole begins anew at its borders.
package struct TileCuts: Hashable, Sendable {
  /// The zoom of the tiles.
  package let zoom: Int

  /// Whether distances along lines, which place dashes, count from the last border on.
  package let restartsDistances: Bool

  /// - Parameter zoom: the zoom of the tiles, 0 to 22.
  package init(zoom: Int, restartsDistances: Bool) {
    self.zoom = zoom
    self.restartsDistances = restartsDistances
  }

  /// Returns the square of the tile at a position; in the first row it extends to the far north, in the
  /// last one to the far south, where no tile continues.
  func tile(at position: LngLat) -> PlaneBox {
    let vertex = WorldVertex(position)
    let side = WorldVertex.turn >> zoom
    let far = 8 * WorldVertex.turn
    let row = min(max(vertex.y >> (WorldVertex.worldBits - zoom), 0), 1 << zoom - 1)
    let west = vertex.x & -side
    return PlaneBox(
      minX: west, minY: row == 0 ? -far : row * side, maxX: west + side,
      maxY: row + 1 == 1 << zoom ? far : (row + 1) * side)
  }

  /// Returns whether a vertex lies on a border of the tiles, to the last unit: positions have been
  /// degrees in between.
  func isOnBorder(_ vertex: WorldVertex) -> Bool {
    let mask = WorldVertex.turn >> zoom - 1
    return (vertex.x + 1) & mask <= 2 || (vertex.y + 1) & mask <= 2
  }
}
