/// The smallest box around points, in 1/256 px.
struct PointBounds {
  let left: Int
  let top: Int
  let right: Int
  let bottom: Int

  /// Whether no column and no row of pixels has its middle within the box.
  var isBetweenMiddles: Bool {
    (left + 127) >> 8 == (right + 127) >> 8 && (top + 127) >> 8 == (bottom + 127) >> 8
  }

  init?(_ points: UnsafeBufferPointer<Path.Point>) {
    guard let first = points.first else { return nil }
    var least = first
    var greatest = first
    for point in points {
      least = Path.Point(x: min(least.x, point.x), y: min(least.y, point.y))
      greatest = Path.Point(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
    }
    (left, top) = (Int(least.x), Int(least.y))
    (right, bottom) = (Int(greatest.x), Int(greatest.y))
  }
}
