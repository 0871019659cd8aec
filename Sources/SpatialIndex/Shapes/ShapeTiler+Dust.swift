import Tiling

extension ShapeTiler {
  /// Assigns a sub-pixel polygon to its tile, and to those around within the reach.
  mutating func addDust(_ speck: Int) {
    let dust = zoomShapes.dust
    let side = zoomShapes.tilePixels
    let division = TileDivision(side: side)
    let reach = areaReach >> 8
    let (x, y) = (dust.xs[speck], dust.ys[speck])
    let tileRows = division.tile(y - reach)...division.tile(y + reach)
    for column in division.tile(x - reach)...division.tile(x + reach) {
      let wrapped = column & (1 << zoomShapes.zoom - 1)
      guard columns.contains(where: { $0.contains(wrapped) }) else { continue }
      for row in tileRows where rows.contains(row) {
        collector.addDust(
          key: key(column: wrapped, row: row), shape: dust.shapes[speck],
          x: x - column * side, y: y - row * side, area: dust.areas[speck])
      }
    }
  }
}
