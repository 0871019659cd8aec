package import Tiling

extension ZoomStatistics {
  /// The least box around `bounds` that reaches into every tile of an archive.
  ///
  /// Readers do not ask for tiles outside an archive's bounds. A symbol near the edge of the data
  /// spills into the next tile, which the data's own bounds do not reach: the box is widened to one
  /// 256th of a tile beyond the edge between them. A box over the antimeridian becomes −180…180.
  ///
  /// - Complexity: O(number of zooms).
  package static func bounds(of zooms: [ZoomStatistics], reachedBy bounds: GeoBounds) -> GeoBounds {
    var box = bounds
    if box.crossesAntimeridian {
      box.west = -180
      box.east = 180
    }
    for zoom in zooms {
      let size = UInt64(1) << UInt64(32 - zoom.zoom)
      let pixel = max(size / 256, 1)
      let edge = { (tile: Int) in UInt64(tile) * size }
      box.west = min(box.west, longitude(edge(zoom.columns.lowerBound + 1) - pixel))
      box.east = max(box.east, longitude(edge(zoom.columns.upperBound) + pixel))
      box.north = max(box.north, latitude(edge(zoom.rows.lowerBound + 1) - pixel))
      box.south = min(box.south, latitude(edge(zoom.rows.upperBound) + pixel))
    }
    return box
  }

  private static func longitude(_ x: UInt64) -> Double {
    LngLat(WorldPoint(x: UInt32(clamping: x), y: 0)).longitude
  }

  private static func latitude(_ y: UInt64) -> Double {
    LngLat(WorldPoint(x: 0, y: UInt32(clamping: y))).latitude
  }
}
