/// A corner of the triangles that make up a line.
struct StrokeCorner {
  /// The position in 1/256 px: rounded, so that triangles that share corners leave no gap.
  var x: Int
  var y: Int

  /// The place across the line: −1 on its right side, 1 on its left one.
  var across: Double

  /// The place beyond the line's end in a round cap, in parts of the distance to its rim: 0 or 1.
  var beyond = 0.0

  /// The distance along the line, in px.
  var along = 0.0
}

/// A value that changes evenly over a picture.
struct StrokeSlope {
  /// The value at the origin, and its change per 1/256 px rightward and downward.
  let base: Double
  let dx: Double
  let dy: Double

  /// Creates the slope through the values of a triangle's corners; the origin is the first.
  ///
  /// - Parameters:
  ///   - sides: the differences of the other two corners from the first.
  ///   - area: the cross product of the two.
  init(
    _ values: (Double, Double, Double), _ sides: (x1: Double, y1: Double, x2: Double, y2: Double),
    area: Double
  ) {
    let (first, second) = (values.1 - values.0, values.2 - values.0)
    base = values.0
    dx = (first * sides.y2 - second * sides.y1) / area
    dy = (second * sides.x1 - first * sides.x2) / area
  }

  /// Returns the value where a row begins.
  @inline(__always)
  func value(y: Double) -> Double { base + y * dy }
}

/// The values at consecutive pixels of one row, as positions on the line.
struct StrokeSpan {
  let row: Int
  let columns: Range<Int>

  /// The distance of the first pixel's centre from the triangle's first corner, rightward in 1/256
  /// px.
  let x: Double

  /// The values in this row at that corner's column, and their changes per 1/256 px.
  let across: (base: Double, step: Double)
  let beyond: (base: Double, step: Double)
  let along: (base: Double, step: Double)

  /// Whether the pixels belong to a round cap.
  @inline(__always)
  var isRound: Bool { beyond != (0, 0) }
}
