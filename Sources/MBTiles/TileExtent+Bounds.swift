package import Tiling

extension Collection where Element == TileExtent {
  /// Returns the smallest box around `bounds` that overlaps every tile of an archive by at least a
  /// pixel of its deepest zoom, and that is at least two of them wide.
  ///
  /// Readers do not request tiles outside an archive's bounds. A symbol near the edge of the data
  /// extends into the next tile, which the data's own bounds do not reach: the box is extended just
  /// beyond the edge between them. A box over the antimeridian becomes −180…180.
  ///
  /// - Complexity: O(number of zooms).
  package func bounds(reachedBy bounds: GeoBounds) -> GeoBounds {
    let pixel = Swift.max(TileExtent.side(map(\.zoom).max() ?? TileCoord.maxZoom) / 256, 1)
    return self.bounds(around: bounds.wide(pixel), overlap: pixel)
  }

  /// Whether a box overlaps every tile from the viewpoint of readers.
  func isReached(by bounds: GeoBounds) -> Bool {
    self.bounds(around: bounds, overlap: 1) == bounds
  }

  /// - Parameter overlap: the overlap in 2⁻³² of the world.
  private func bounds(around bounds: GeoBounds, overlap: UInt64) -> GeoBounds {
    var box = bounds
    if box.crossesAntimeridian {
      box.west = -180
      box.east = 180
    }
    for extent in self {
      let side = TileExtent.side(extent.zoom)
      let edge = { (tile: Int) in UInt64(tile) * side }
      box.west = Swift.min(box.west, longitude(edge(extent.columns.lowerBound + 1) - overlap))
      box.east = Swift.max(box.east, longitude(edge(extent.columns.upperBound) + overlap))
      box.north = Swift.max(box.north, latitude(edge(extent.rows.lowerBound + 1) - overlap))
      box.south = Swift.min(box.south, latitude(edge(extent.rows.upperBound) + overlap))
    }
    return box
  }
}

extension TileExtent {
  /// Returns the side of a tile in 2⁻³² of the world.
  fileprivate static func side(_ zoom: Int) -> UInt64 { UInt64(1) << UInt64(32 - zoom) }
}

extension GeoBounds {
  /// Returns the box, extended on both sides where it is narrower than a pixel: a box without an
  /// area shows nothing.
  ///
  /// - Parameter pixel: the size of a pixel in 2⁻³² of the world.
  fileprivate func wide(_ pixel: UInt64) -> GeoBounds {
    var box = self
    let degrees = Double(pixel) * 360 / 0x1p32
    if !crossesAntimeridian, east - west < degrees {
      box.west = max(west - degrees, -180)
      box.east = min(east + degrees, 180)
    }
    let edges = WorldBox(self)
    let (top, bottom) = (UInt64(edges.north), UInt64(edges.south) + 1)
    if bottom < top + pixel {
      box.north = max(north, latitude(top > pixel ? top - pixel : 0))
      box.south = min(south, latitude(bottom + pixel))
    }
    return box
  }
}

private func longitude(_ x: UInt64) -> Double {
  LngLat(WorldPoint(x: UInt32(clamping: x), y: 0)).longitude
}

private func latitude(_ y: UInt64) -> Double {
  LngLat(WorldPoint(x: 0, y: UInt32(clamping: y))).latitude
}
