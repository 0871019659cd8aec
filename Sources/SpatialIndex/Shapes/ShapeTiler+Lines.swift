extension ShapeTiler {
  mutating func addLines(_ shape: Int) {
    let box = zoomShapes.lineBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, reach: lineReach, bordersBelong: true) { tiler, block in
      var block = block
      block.shape = shape
      if !isLoaded { tiler.loadLines(shape) }
      isLoaded = true
      let window = tiler.window(of: block, reach: tiler.lineReach)
      if window.contains(box) {
        tiler.splitLines(tiler.lines.all, block)
      } else {
        tiler.descendLines(tiler.lines.all, block)
      }
    }
  }

  private mutating func loadLines(_ shape: Int) {
    lines.begin()
    zoomShapes.vertices.withUnsafeBufferPointer { vertices in
      for part in zoomShapes.partRange(shape) where zoomShapes.parts[part].isOutline {
        lines.add(vertices[zoomShapes.vertexRange(part)], as: zoomShapes.parts[part])
      }
    }
  }

  private mutating func descendLines(_ runs: LineReducer.Runs, _ block: TileBlock) {
    let reduced = lines.reduce(runs, to: window(of: block, reach: lineReach))
    if !reduced.runs.isEmpty { splitLines(reduced, block) }
    lines.release(after: runs)
  }

  private mutating func splitLines(_ runs: LineReducer.Runs, _ block: TileBlock) {
    if block.isTile { return emitLines(runs, block) }
    let (first, second) = block.halves
    descendLines(runs, first)
    descendLines(runs, second)
  }

  private mutating func emitLines(_ runs: LineReducer.Runs, _ block: TileBlock) {
    let (originX, originY) = origin(of: block)
    collector.beginLine()
    var start = runs.firstVertex
    for run in runs.runs {
      let end = lines.runs[run].end
      for index in start..<end {
        let vertex = lines.vertices[index]
        collector.addLine(
          x: vertex.x - originX, y: vertex.y - originY, distance: vertex.distance)
      }
      collector.endRun(lines.runs[run].flags)
      start = end
    }
    collector.end(
      .line, key: key(column: block.columns.lowerBound, row: block.rows.lowerBound),
      shape: block.shape, copy: block.copy)
  }
}
