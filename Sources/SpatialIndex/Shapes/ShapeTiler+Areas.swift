import Tiling

extension ShapeTiler {
  mutating func addArea(_ shape: Int) {
    let box = zoomShapes.areaBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, shape, reach: areaReach, bordersBelong: false) { tiler, block in
      var block = block
      block.shape = shape
      if !isLoaded { tiler.loadArea(shape) }
      isLoaded = true
      let window = tiler.window(of: block, reach: tiler.areaReach)
      if window.strictlyContains(box) {
        tiler.splitArea(tiler.areas.all, block)
      } else {
        tiler.descendArea(tiler.areas.all, block)
      }
    }
  }

  private mutating func loadArea(_ shape: Int) {
    areas.begin()
    zoomShapes.vertices.withUnsafeBufferPointer { vertices in
      for part in zoomShapes.partRange(shape) where zoomShapes.parts[part].isRing {
        areas.add(vertices[zoomShapes.vertexRange(part)])
      }
    }
  }

  private mutating func descendArea(_ contours: AreaReducer.Contours, _ block: TileBlock) {
    if isStopped() { return }
    let (reduced, isFull) = areas.reduce(contours, to: window(of: block, reach: areaReach))
    if isFull {
      for column in block.columns where !isStopped() {
        for row in block.rows {
          var tile = block
          (tile.columns, tile.rows) = (column..<(column + 1), row..<(row + 1))
          emitFull(tile)
        }
      }
    } else if !reduced.contours.isEmpty {
      splitArea(reduced, block)
    }
    areas.release(after: contours)
  }

  private mutating func splitArea(_ contours: AreaReducer.Contours, _ block: TileBlock) {
    if block.isTile { return emitArea(contours, block) }
    let (first, second) = block.halves
    descendArea(contours, first)
    descendArea(contours, second)
  }

  /// Emits an area that covers a tile and the reach around it, as a contour around both if the
  /// source tile does not cover the tile.
  private mutating func emitFull(_ tile: TileBlock) {
    guard let window = sourceWindow(of: tile) else { return }
    collector.beginArea()
    guard window != .all else {
      return collector.end(.fullArea, of: tile, key: key(of: tile), window)
    }
    let (low, high) = (-areaReach - 256, zoomShapes.division.side + areaReach + 256)
    for (x, y) in [(low, low), (high, low), (high, high), (low, high)] {
      collector.addArea(x: x, y: y)
    }
    collector.endContour()
    collector.end(.area, of: tile, key: key(of: tile), window)
  }

  private mutating func emitArea(_ contours: AreaReducer.Contours, _ block: TileBlock) {
    guard let window = sourceWindow(of: block) else { return }
    let (originX, originY) = origin(of: block)
    collector.beginArea()
    var start = contours.firstVertex
    for contour in contours.contours {
      let end = areas.ends[contour]
      for index in start..<end {
        let vertex = areas.vertices[index]
        collector.addArea(x: vertex.x - originX, y: vertex.y - originY)
      }
      collector.endContour()
      start = end
    }
    collector.end(.area, of: block, key: key(of: block), window)
  }
}
