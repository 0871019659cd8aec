import Tiling

@testable import SpatialIndex

extension TileRange {
  /// Creates the range of all tiles of a zoom.
  init(zoom: Int) {
    let last = (1 << zoom) - 1
    self.init(zoom: zoom, firstColumn: 0, lastColumn: last, firstRow: 0, lastRow: last)
  }
}

extension ZoomShapes {
  /// The width of the world in 1/256 pixels: one turn.
  var worldSize: Int { worldUnits }
}
