import Raster
import SpatialIndex

/// Draws runs of a line into cells: what lies within half of the line's width.
struct TapPen {
  private let half: Double
  private let gap: Double
  private let offset: Double
  private let number: UInt32

  /// Px by which the line is moved.
  private let dx: Double
  private let dy: Double

  /// - Parameters:
  ///   - stroke: lengths in device px.
  ///   - dx: how far the line is moved eastward, in 1/256 device px.
  init(_ stroke: StrokeStyle, number: UInt32, dx: Int, dy: Int) {
    let stroke = stroke.bounded
    gap = stroke.gapWidth / 2
    half = stroke.gapWidth > 0 ? gap + stroke.width : stroke.width / 2
    offset = stroke.offset
    self.number = number
    self.dx = Double(dx) / 256
    self.dy = Double(dy) / 256
  }

  /// Draws a run of vertices; at the outside of corners of a line with an offset straight lines join
  /// what is moved.
  func draw(
    _ vertices: UnsafeBufferPointer<ShapeVertex>, isClosed: Bool, onto canvas: TapCanvas
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
        canvas.addSegment(segment, half: half, gap: gap, number: number)
        continue
      }
      guard let moved = segment.moved(by: offset) else { continue }
      if let before, before.straight.turnsRight(into: segment) != (offset > 0) {
        canvas.addSegment(
          TapSegment(
            ax: before.moved.bx, ay: before.moved.by, bx: moved.ax, by: moved.ay), half: half,
          gap: gap, number: number)
      }
      canvas.addSegment(moved, half: half, gap: gap, number: number)
      before = (segment, moved)
    }
  }
}
