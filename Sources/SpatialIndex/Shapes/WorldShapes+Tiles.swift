package import Tiling

extension WorldShapes {
  /// Returns a lower bound for the number of tiles of a zoom that a shape's polygons cover: the
  /// area in tiles of the polygons that lie entirely inside the window.
  ///
  /// - Complexity: O(parts of the shape).
  package func tilesCovered(by shape: Int, in window: TileRange) -> Double {
    let bits = WorldVertex.worldBits - window.zoom
    let rows = window.rows
    let columns = window.columns
    let tileArea = Double(1 << bits) * Double(1 << bits)
    var tiles = 0.0
    for part in partRange(shape) where areas[part] > 0 {
      let box = boxes[part]
      // At the edges of the world, the window has no further row or column to show the rest.
      let isInside =
        rows.contains(max(box.minY, 0) >> bits)
        && rows.contains(min(box.maxY, WorldVertex.turn - 1) >> bits)
        && columns.contains { range in
          range.count == 1 << window.zoom
            || range.contains(box.minX >> bits) && range.contains(box.maxX >> bits)
        }
      if isInside { tiles += areas[part] / tileArea }
    }
    return tiles
  }
}
