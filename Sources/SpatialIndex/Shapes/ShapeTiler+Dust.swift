extension ShapeTiler {
  /// Assigns a sub-pixel polygon to its tile, and to those around within the reach.
  mutating func addDust(_ speck: Int) {
    let dust = zoomShapes.dust
    let pixelBits = zoomShapes.tileBits - 8
    let reach = areaReach >> 8
    let (x, y) = (dust.xs[speck], dust.ys[speck])
    let tileRows = ((y - reach) >> pixelBits)...((y + reach) >> pixelBits)
    for column in ((x - reach) >> pixelBits)...((x + reach) >> pixelBits) {
      let wrapped = column & (1 << zoomShapes.zoom - 1)
      guard columns.contains(where: { $0.contains(wrapped) }) else { continue }
      for row in tileRows where rows.contains(row) {
        collector.addDust(
          key: key(column: wrapped, row: row), shape: dust.shapes[speck],
          x: x - column << pixelBits, y: y - row << pixelBits, area: dust.areas[speck])
      }
    }
  }
}
