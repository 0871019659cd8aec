import Raster
import SpatialIndex

/// A pen that draws runs of a line into cells: the area within half of the line's width.
struct TapPen {
  /// Half of the width, and of the gap along the middle, in pixels.
  let half: Double
  let gap: Double
  private let offset: Double
  private let number: UInt32

  /// The offset of the line, in pixels.
  private let dx: Double
  private let dy: Double

  /// - Parameters:
  ///   - stroke: the stroke, with lengths in device pixels.
  ///   - dx: the offset of the line eastward, in 1/256 device pixels.
  init(_ stroke: StrokeStyle, number: UInt32, dx: Int, dy: Int) {
    let stroke = stroke.bounded
    // A line fades half a pixel into its gap, and slightly more at bends.
    gap = max(stroke.gapWidth / 2 - 1, 0)
    half = stroke.gapWidth > 0 ? stroke.gapWidth / 2 + stroke.width : stroke.width / 2
    offset = stroke.offset
    self.number = number
    self.dx = Double(dx) / 256
    self.dy = Double(dy) / 256
  }

  /// Draws a run of vertices.
  func draw(
    _ vertices: UnsafeBufferPointer<ShapeVertex>, isClosed: Bool, onto canvas: TapCanvas
  ) {
    forEachSegment(vertices, isClosed: isClosed) { segment in
      canvas.addSegment(segment, half: half, gap: gap, number: number)
    }
  }

  /// Calls the body with the straight parts of a run, in pixels of the tile; on the outside of
  /// corners of a line with an offset, straight pieces join the shifted parts.
  func forEachSegment(
    _ vertices: UnsafeBufferPointer<ShapeVertex>, isClosed: Bool, _ body: (TapSegment) -> Void
  ) {
    guard var last = isClosed ? vertices.last : vertices.first else { return }
    guard vertices.count > 1 else { return }
    var before: (straight: TapSegment, moved: TapSegment)?
    for vertex in isClosed ? vertices[...] : vertices.dropFirst() {
      let segment = TapSegment(
        ax: Double(last.x) / 256 + dx, ay: Double(last.y) / 256 + dy,
        bx: Double(vertex.x) / 256 + dx, by: Double(vertex.y) / 256 + dy)
      last = vertex
      guard offset != 0 else {
        body(segment)
        continue
      }
      guard let moved = segment.moved(by: offset) else { continue }
      if let before, before.straight.turnsRight(into: segment) != (offset > 0) {
        body(
          TapSegment(ax: before.moved.bx, ay: before.moved.by, bx: moved.ax, by: moved.ay))
      }
      body(moved)
      before = (segment, moved)
    }
  }
}
