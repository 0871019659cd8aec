/// The part of a line or ring that a picture needs: vertices in 1/256 px from the picture's
/// corner.
///
/// The vertices belong to the caller and must outlive the run.
package struct StrokeRun {
  package var points: UnsafeBufferPointer<Path.Point>

  /// The length of the line before the first vertex in 1/256 px; dashes continue from it. The
  /// length of an edge is ``length(from:to:)``, so that each vertex has one distance in all
  /// pictures.
  package var startDistance: Int64

  /// The distance along the line at which the edge that starts at each vertex begins, in 1/256 px;
  /// `nil` if the lengths simply add up from ``startDistance``. A ring's first vertex is at 0 even
  /// in the middle of a run.
  package var distances: UnsafeBufferPointer<Int64>?

  /// Whether the first vertex is the line's own first one, which has a cap.
  package var hasStart: Bool
  package var hasEnd: Bool

  /// Whether the last vertex is joined to the first; then there are no ends.
  package var isClosed: Bool

  /// The pixels in which it is drawn; `nil` for all.
  package var window: PixelWindow?

  package init(
    points: UnsafeBufferPointer<Path.Point>, startDistance: Int64 = 0,
    distances: UnsafeBufferPointer<Int64>? = nil, hasStart: Bool = true, hasEnd: Bool = true,
    isClosed: Bool = false, window: PixelWindow? = nil
  ) {
    self.points = points
    self.distances = distances
    self.startDistance = startDistance
    self.hasStart = hasStart
    self.hasEnd = hasEnd
    self.isClosed = isClosed
    self.window = window
  }

  /// Returns the length of an edge in whole 1/256 px, as it counts for distances along a line.
  package static func length(from first: Path.Point, to second: Path.Point) -> Int64 {
    let dx = Double(second.x) - Double(first.x)
    let dy = Double(second.y) - Double(first.y)
    return Int64((dx * dx + dy * dy).squareRoot().rounded())
  }
}
