import Tiling

extension ShapeTiler {
  /// - Parameter withPoints: whether lines that are points are needed.
  mutating func addLines(_ shape: Int, withPoints: Bool) {
    let box = zoomShapes.lineBoxes[shape]
    guard !box.isEmpty else { return }
    var isLoaded = false
    forEachBlock(of: box, shape, reach: lineReach, bordersBelong: true) { tiler, block in
      var block = block
      block.shape = shape
      if !isLoaded { tiler.loadLines(shape, withPoints: withPoints) }
      isLoaded = true
      if tiler.lines.all.runs.isEmpty { return }
      let window = tiler.window(of: block, reach: tiler.lineReach)
      if window.contains(box) {
        tiler.splitLines(tiler.lines.all, block)
      } else {
        tiler.descendLines(tiler.lines.all, block)
      }
    }
  }

  private mutating func loadLines(_ shape: Int, withPoints: Bool) {
    lines.begin()
    let step = zoomShapes.window(of: shape).map { max(($0.maxX - $0.minX) / 4096, 1) } ?? 1
    zoomShapes.vertices.withUnsafeBufferPointer { vertices in
      for part in zoomShapes.partRange(shape) where zoomShapes.parts[part].isOutline {
        guard withPoints || !zoomShapes.isPoint(part) else { continue }
        lines.add(vertices[zoomShapes.vertexRange(part)], as: zoomShapes.parts[part], step: step)
      }
    }
  }

  private mutating func descendLines(_ runs: LineReducer.Runs, _ block: TileBlock) {
    if isStopped() { return }
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
    guard let window = sourceWindow(of: block) else { return }
    let (originX, originY) = origin(of: block)
    collector.beginLine()
    if runs.runs.count == 1, let run = runs.runs.first {
      emit(run, runs.firstVertex..<lines.runs[run].end, originX, originY)
    } else {
      for (run, vertices) in ordered(runs) { emit(run, vertices, originX, originY) }
    }
    collector.end(.line, of: block, key: key(of: block), window)
  }

  private mutating func emit(
    _ run: Int, _ vertices: Range<Int>, _ originX: Int, _ originY: Int
  ) {
    for index in vertices {
      let vertex = lines.vertices[index]
      collector.addLine(x: vertex.x - originX, y: vertex.y - originY, distance: vertex.distance)
    }
    collector.endRun(lines.runs[run].flags, length: lines.runs[run].length)
  }

  /// Returns the runs with their vertices, ordered by their start: the vertex at which a ring was
  /// opened depends on the block in which it was first seen, but pieces must not depend on it.
  private func ordered(_ runs: LineReducer.Runs) -> [(run: Int, vertices: Range<Int>)] {
    var start = runs.firstVertex
    var all: [(run: Int, vertices: Range<Int>)] = []
    for run in runs.runs {
      all.append((run, start..<lines.runs[run].end))
      start = lines.runs[run].end
    }
    return all.sorted { [vertices = lines.vertices] a, b in
      let (first, second) = (vertices[a.vertices.lowerBound], vertices[b.vertices.lowerBound])
      return (first.distance, first.x, first.y, a.run) < (
        second.distance, second.x, second.y, b.run
      )
    }
  }
}
