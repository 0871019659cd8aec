import Tiling

extension ShapeTiler {
  mutating func addArea(_ shape: Int) {
    let box = zoomShapes.areaBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, reach: areaReach, bordersBelong: false) { tiler, block in
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
          collector.beginArea()
          collector.end(
            .fullArea, key: key(column: column, row: row), shape: block.shape, copy: block.copy)
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

  private mutating func emitArea(_ contours: AreaReducer.Contours, _ block: TileBlock) {
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
    collector.end(
      .area, key: key(column: block.columns.lowerBound, row: block.rows.lowerBound),
      shape: block.shape, copy: block.copy)
  }
}
