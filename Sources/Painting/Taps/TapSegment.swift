/// A cell's square in px of the tile.
struct TapSquare {
  let left: Double
  let top: Double
  let side: Double

  var right: Double { left + side }
  var bottom: Double { top + side }

  /// The distance of a point from the square, 0 inside.
  func distance(x: Double, y: Double) -> Double {
    let dx = max(left - x, 0, x - right)
    let dy = max(top - y, 0, y - bottom)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A straight line between two points, in px of the tile.
struct TapSegment {
  let ax: Double
  let ay: Double
  let bx: Double
  let by: Double

  /// The columns of px that the line passes between two heights, ends included; `nil` for none.
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

  /// The distance of a point from the line.
  func distance(x: Double, y: Double) -> Double {
    let (dx, dy) = (bx - ax, by - ay)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0
    let (px, py) = (ax + share * dx - x, ay + share * dy - y)
    return (px * px + py * py).squareRoot()
  }

  /// The distance between the line and a square, 0 where they meet.
  func distance(to square: TapSquare) -> Double {
    if meets(square) { return 0 }
    return min(
      square.distance(x: ax, y: ay), square.distance(x: bx, y: by),
      distance(x: square.left, y: square.top), distance(x: square.right, y: square.top),
      distance(x: square.left, y: square.bottom), distance(x: square.right, y: square.bottom))
  }

  /// The distance of the square's corner that is farthest from the line.
  func farthest(of square: TapSquare) -> Double {
    max(
      distance(x: square.left, y: square.top), distance(x: square.right, y: square.top),
      distance(x: square.left, y: square.bottom), distance(x: square.right, y: square.bottom))
  }

  private func meets(_ square: TapSquare) -> Bool {
    guard let stretch = stretch(from: square.top, to: square.bottom) else { return false }
    return stretch.high >= square.left && stretch.low <= square.right
  }

  /// The same moved to the right of its direction, in px; `nil` for a point.
  func moved(by offset: Double) -> TapSegment? {
    let (dx, dy) = (bx - ax, by - ay)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return nil }
    let (x, y) = (-dy / length * offset, dx / length * offset)
    return TapSegment(ax: ax + x, ay: ay + y, bx: bx + x, by: by + y)
  }

  /// Whether the way turns to the right where another line goes on from this one.
  func turnsRight(into next: TapSegment) -> Bool {
    (bx - ax) * (next.by - next.ay) - (by - ay) * (next.bx - next.ax) > 0
  }
}
