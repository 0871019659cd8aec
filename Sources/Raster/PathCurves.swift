extension Path {
  /// The maximum distance of a flattened curve from its true course (1/512 px), apart from the
  /// rounding of its vertices to 1/256 px.
  private static let flatness = 0.5

  /// The maximum number of chords of a curve, however large it is.
  private static let maxChords = 4096.0

  /// Adds a quadratic Bézier curve from the current point.
  ///
  /// A chord over the n-th part of the parameter deviates by at most |P0 − 2 P1 + P2| / 4n² from
  /// the curve (second derivative times the square of the step, over 8).
  ///
  /// - Complexity: O(√(size of the curve)).
  package mutating func addQuad(controlX: Int32, controlY: Int32, toX x: Int32, y: Int32) {
    openIfNeeded()
    let start = currentPoint
    let control = difference(controlX, controlY, from: start)
    let end = difference(x, y, from: start)
    let bend = length(end.x - 2 * control.x, end.y - 2 * control.y)
    let chords = chordCount((bend / (4 * Path.flatness)).squareRoot())
    for index in 1..<max(chords, 1) {
      let t = Double(index) / Double(chords)
      let first = 2 * t * (1 - t)
      let second = t * t
      appendRelative(
        to: start, x: first * control.x + second * end.x, y: first * control.y + second * end.y)
    }
    append(x: Int(x), y: Int(y))
  }

  /// Adds a cubic Bézier curve from the current point.
  ///
  /// The second derivative is at most 6 times the larger second difference of the control points.
  ///
  /// - Complexity: O(√(size of the curve)).
  package mutating func addCubic(
    control1X: Int32, control1Y: Int32, control2X: Int32, control2Y: Int32, toX x: Int32, y: Int32
  ) {
    openIfNeeded()
    let start = currentPoint
    let first = difference(control1X, control1Y, from: start)
    let second = difference(control2X, control2Y, from: start)
    let end = difference(x, y, from: start)
    let bend = max(
      length(second.x - 2 * first.x, second.y - 2 * first.y),
      length(end.x - 2 * second.x + first.x, end.y - 2 * second.y + first.y))
    let chords = chordCount((6 * bend / (8 * Path.flatness)).squareRoot())
    for index in 1..<max(chords, 1) {
      let t = Double(index) / Double(chords)
      let a = 3 * t * (1 - t) * (1 - t)
      let b = 3 * t * t * (1 - t)
      let c = t * t * t
      appendRelative(
        to: start, x: a * first.x + b * second.x + c * end.x,
        y: a * first.y + b * second.y + c * end.y)
    }
    append(x: Int(x), y: Int(y))
  }

  private mutating func appendRelative(to start: Point, x: Double, y: Double) {
    append(x: Int(start.x) + Path.nearest(x), y: Int(start.y) + Path.nearest(y))
  }

  /// Returns the nearest whole number, halves away from 0. Calling the C library for each vertex
  /// would take a seventh of the time of shaping.
  static func nearest(_ value: Double) -> Int { Int(value < 0 ? value - 0.5 : value + 0.5) }

  private func difference(_ x: Int32, _ y: Int32, from start: Point) -> (x: Double, y: Double) {
    (Double(x) - Double(start.x), Double(y) - Double(start.y))
  }

  private func length(_ x: Double, _ y: Double) -> Double {
    (x * x + y * y).squareRoot()
  }

  private func chordCount(_ wanted: Double) -> Int {
    Int(min(max(wanted.rounded(.up), 1), Path.maxChords))
  }
}
