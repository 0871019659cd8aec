import Tiling

extension ShapeTiler {
  /// Assigns a sub-pixel polygon to its tile, and to those around within the reach.
  mutating func addDust(_ speck: Int) {
    let dust = zoomShapes.dust
    let side = zoomShapes.tilePixels
    let division = TileDivision(side: side)
    let reach = areaReach >> 8
    let (place, y) = (dust.xs[speck], dust.ys[speck])
    let source = zoomShapes.window(of: Int(dust.shapes[speck]))
    let tileRows = division.tile(y - reach)...division.tile(y + reach)
    for copy in copies(from: (place - reach) << 8, to: (place + reach) << 8 | 255) {
      let x = place + (copy * zoomShapes.worldUnits) >> 8
      for column in division.tile(x - reach)...division.tile(x + reach)
      where columns.contains(where: { $0.contains(column) }) {
        for row in tileRows where rows.contains(row) {
          if let source {
            // A source tile shows the dust in its buffer no more than other areas there.
            let shift = copy * zoomShapes.worldUnits
            guard
              let window = SourceWindow(
                source, fromX: (column * side) << 8 - shift, y: (row * side) << 8, side: side),
              window.contains(column: x - column * side, row: y - row * side)
            else { continue }
          }
          collector.addDust(
            key: key(column: column, row: row), shape: dust.shapes[speck],
            x: x - column * side, y: y - row * side, area: dust.areas[speck])
        }
      }
    }
  }
}
