package import Tiling

extension WorldShapes {
  /// The tiles of a zoom that a shape's polygons cover at least, as far as they lie wholly inside the
  /// window: their area in tiles; 0 for what reaches beyond it.
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
      // At the world's edges nothing is cut that another row or column would show.
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
