import Raster
import SpatialIndex

// Pieces of shapes in the form that rasterizers read, without a copy, since a tile has thousands
// of them.

extension UnsafeBufferPointer<ShapeVertex> {
  /// Calls the body with the vertices as points of a path, which have the same layout.
  ///
  /// - Parameter offset: is added to each, in 1/256 px.
  func withPoints(
    movedBy offset: (x: Int, y: Int), _ body: (UnsafeBufferPointer<Path.Point>) -> Void
  ) {
    guard offset != (0, 0) else { return withMemoryRebound(to: Path.Point.self, body) }
    let dx = Int32(truncatingIfNeeded: offset.x)
    let dy = Int32(truncatingIfNeeded: offset.y)
    withUnsafeTemporaryAllocation(of: Path.Point.self, capacity: count) { points in
      for (index, vertex) in enumerated() {
        points.initializeElement(
          at: index, to: Path.Point(x: vertex.x &+ dx, y: vertex.y &+ dy))
      }
      body(UnsafeBufferPointer<Path.Point>(points))
    }
  }
}

extension PixelWindow {
  /// Creates the window of a piece.
  init(_ window: SourceWindow) {
    self.init(
      columns: Int(window.firstColumn)..<Int(window.endColumn),
      rows: Int(window.firstRow)..<Int(window.endRow))
  }
}

extension ShapePieces.Line {
  /// Calls the body with the runs of the line.
  ///
  /// - Parameters:
  ///   - points: its vertices.
  ///   - window: the pixels in which it is drawn; `nil` for all.
  func withRuns(
    of points: UnsafeBufferPointer<Path.Point>, in window: PixelWindow?,
    _ body: (UnsafeBufferPointer<StrokeRun>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: StrokeRun.self, capacity: ends.count) { runs in
      var start = 0
      for (index, end) in ends.enumerated() {
        let run = start..<Int(end)
        let flags = flags[index]
        runs.initializeElement(
          at: index,
          to: StrokeRun(
            points: UnsafeBufferPointer(rebasing: points[run]),
            distances: UnsafeBufferPointer(rebasing: distances[run]),
            hasStart: flags.contains(.startsLine), hasEnd: flags.contains(.endsLine),
            isClosed: flags.contains(.isClosed), window: window))
        start = run.upperBound
      }
      body(UnsafeBufferPointer(runs))
    }
  }
}
