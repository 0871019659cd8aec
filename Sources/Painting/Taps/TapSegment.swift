/// A cell's square in pixels of the tile.
struct TapSquare {
  let left: Double
  let top: Double
  let side: Double

  var right: Double { left + side }
  var bottom: Double { top + side }

  /// Returns the distance of a point from the square, 0 inside.
  func distance(x: Double, y: Double) -> Double {
    let dx = max(left - x, 0, x - right)
    let dy = max(top - y, 0, y - bottom)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A straight line between two points, in pixels of the tile.
struct TapSegment {
  let ax: Double
  let ay: Double
  let bx: Double
  let by: Double

  /// Returns the horizontal range of the line between two heights, ends included, in pixels; `nil`
  /// if empty.
  func stretch(from top: Double, to bottom: Double) -> (low: Double, high: Double)? {
    let (low, high) = (min(ay, by), max(ay, by))
    guard high >= top, low <= bottom else { return nil }
    guard high > low else { return (min(ax, bx), max(ax, bx)) }
    let first = x(at: max(low, top))
    let last = x(at: min(high, bottom))
    return (min(first, last), max(first, last))
  }

  private func x(at y: Double) -> Double {
    if y == ay { return ax }
    if y == by { return bx }
    return ax + (bx - ax) * (y - ay) / (by - ay)
  }

  /// Returns the distance of a point from the line.
  func distance(x: Double, y: Double) -> Double {
    let (dx, dy) = (bx - ax, by - ay)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0
    let (px, py) = (ax + share * dx - x, ay + share * dy - y)
    return (px * px + py * py).squareRoot()
  }

  /// Returns the distance between the line and a square, 0 if they meet.
  func distance(to square: TapSquare) -> Double {
    if meets(square) { return 0 }
    return min(
      square.distance(x: ax, y: ay), square.distance(x: bx, y: by),
      distance(x: square.left, y: square.top), distance(x: square.right, y: square.top),
      distance(x: square.left, y: square.bottom), distance(x: square.right, y: square.bottom))
  }

  /// Returns the distance from the line to the corner of the square that is farthest from it.
  func farthest(of square: TapSquare) -> Double {
    max(
      distance(x: square.left, y: square.top), distance(x: square.right, y: square.top),
      distance(x: square.left, y: square.bottom), distance(x: square.right, y: square.bottom))
  }

  private func meets(_ square: TapSquare) -> Bool {
    guard let stretch = stretch(from: square.top, to: square.bottom) else { return false }
    return stretch.high >= square.left && stretch.low <= square.right
  }

  /// Returns the line shifted to the right of its direction, in pixels; `nil` for a point.
  func moved(by offset: Double) -> TapSegment? {
    let (dx, dy) = (bx - ax, by - ay)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return nil }
    let (x, y) = (-dy / length * offset, dx / length * offset)
    return TapSegment(ax: ax + x, ay: ay + y, bx: bx + x, by: by + y)
  }

  /// Returns whether the path turns to the right at the start of the line that follows this one.
  func turnsRight(into next: TapSegment) -> Bool {
    (bx - ax) * (next.by - next.ay) - (by - ay) * (next.bx - next.ax) > 0
  }
}
