import Tiling

/// The borders of the tiles from which a source's shapes come, one by one.
///
/// MapLibre places symbols in each source tile by itself, and tells by a line's first vertex whether a
/// tile has cut it there.
package struct TileBorders: Hashable, Sendable {
  /// The zoom of the tiles.
  package let zoom: Int

  package init(zoom: Int) {
    self.zoom = zoom
  }

  /// The side of a tile as a share of the world's.
  var side: Double { 1 / Double(1 << zoom) }

  /// Whether a place lies on the border of a tile, where only cuts put a vertex.
  func contains(_ place: WorldPlace) -> Bool { isOnBorder(place.x) || isOnBorder(place.y) }

  private func isOnBorder(_ share: Double) -> Bool {
    // Positions are rounded to units of 2⁻³² of the world.
    abs(share - (share / side).rounded() * side) <= 0x1p-31
  }

  /// Returns the factor by which the tiles are magnified at a zoom of the map beyond their last one.
  func magnification(at zoom: Double) -> Double {
    Double(1 << max(Int(zoom) - self.zoom, 0))
  }
}
