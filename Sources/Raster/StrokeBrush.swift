/// A brush that finds the pixels of the triangles of a line, and calls the shader for them.
///
/// Corners are whole numbers of 1/256 px, and a pixel whose centre lies on a side that two
/// triangles share belongs to exactly one of them. A pixel's value depends only on integer
/// differences between its centre and the corners; the borders of the picture merely exclude
/// pixels.
struct StrokeBrush<Shader: StrokeShader> {
  private(set) var shader: Shader
  private let size: PixelWindow

  /// The pixels that triangles may touch.
  private var window: PixelWindow

  /// The rows shaded so far.
  private(set) var rows = 0..<0

  init(_ shader: Shader, width: Int, height: Int) {
    self.shader = shader
    size = PixelWindow(columns: 0..<width, rows: 0..<height)
    window = size
  }

  /// Restricts drawing to some pixels from now on; `nil` for the whole picture.
  mutating func clip(to window: PixelWindow?) {
    self.window = window?.clamped(to: size) ?? size
  }

  /// A side of a polygon: the pixels inside have a·x + b·y + c ≥ 0, with x and y from the origin.
  private struct Side {
    let a: Int
    let b: Int
    let c: Int
    let inverse: Double

    @inline(__always)
    init(_ from: StrokeCorner, _ to: StrokeCorner, origin: StrokeCorner) {
      let (dx, dy) = (to.x &- from.x, to.y &- from.y)
      // A pixel whose centre lies on a side belongs to the triangle only if this is a top or left
      // side.
      let isOwn = dy < 0 || (dy == 0 && dx > 0)
      a = 0 &- dy
      b = dx
      c = dy &* (from.x &- origin.x) &- dx &* (from.y &- origin.y) &- (isOwn ? 0 : 1)
      inverse = dy == 0 ? 0 : -1 / Double(dy)
    }

    @inline(__always)
    func holds(_ x: Int, _ rest: Int) -> Bool { a &* x &+ rest >= 0 }
  }

  /// Shades a triangle.
  ///
  /// - Complexity: O(pixels).
  mutating func fill(_ a: StrokeCorner, _ b: StrokeCorner, _ c: StrokeCorner) {
    let turn = cross(a, b, c)
    if turn > 0 {
      fill(a, b, c, c, turn: turn)
    } else if turn < 0 {
      fill(a, c, b, b, turn: -turn)
    }
  }

  /// Shades the two triangles between two pairs of corners, right and left.
  ///
  /// - Complexity: O(pixels).
  mutating func fill(
    from: (right: StrokeCorner, left: StrokeCorner), to: (right: StrokeCorner, left: StrokeCorner)
  ) {
    // The line's right side lies below if it leads to the right: this order is clockwise.
    let turn = cross(from.left, to.left, to.right)
    if !Shader.readsAlong || from.left.along == to.left.along, turn > 0,
      cross(from.left, to.right, from.right) > 0, cross(from.left, to.left, from.right) > 0,
      cross(to.left, to.right, from.right) > 0
    {
      // Both triangles form one convex quadrilateral over which values change evenly.
      fill(from.left, to.left, to.right, from.right, turn: turn)
    } else {
      fill(from.right, to.right, from.left)
      fill(to.right, to.left, from.left)
    }
  }

  @inline(__always)
  private func cross(_ a: StrokeCorner, _ b: StrokeCorner, _ c: StrokeCorner) -> Int {
    (b.x &- a.x) &* (c.y &- a.y) &- (b.y &- a.y) &* (c.x &- a.x)
  }

  /// Shades a convex polygon of four corners in clockwise order; the last two of a triangle are equal.
  ///
  /// - Parameter turn: the cross product of its first two sides.
  @inline(__always)
  private mutating func fill(
    _ a: StrokeCorner, _ b: StrokeCorner, _ c: StrokeCorner, _ d: StrokeCorner, turn: Int
  ) {
    let top = min(min(a.y, b.y), min(c.y, d.y))
    let bottom = max(max(a.y, b.y), max(c.y, d.y))
    let first = max((top &+ 127) >> 8, window.rows.lowerBound)
    let end = min(((bottom &- 128) >> 8) &+ 1, window.rows.upperBound)
    guard first < end else { return }
    let left = max((min(min(a.x, b.x), min(c.x, d.x)) &+ 127) >> 8, window.columns.lowerBound)
    let right = min(
      ((max(max(a.x, b.x), max(c.x, d.x)) &- 128) >> 8) &+ 1, window.columns.upperBound)
    guard left < right else { return }
    let slopes = slopes(a, b, c, turn: turn)
    let isTriangle = c.x == d.x && c.y == d.y
    let sides = (
      Side(a, b, origin: a), Side(b, c, origin: a), Side(isTriangle ? c : d, a, origin: a)
    )
    let fourth = isTriangle ? nil : Side(c, d, origin: a)
    for row in first..<end {
      let y = row &* 256 &+ 128 &- a.y
      var columns = (lower: left, upper: right)
      clip(&columns, sides.0, y, a.x)
      clip(&columns, sides.1, y, a.x)
      clip(&columns, sides.2, y, a.x)
      if let fourth { clip(&columns, fourth, y, a.x) }
      guard columns.lower < columns.upper else { continue }
      let height = Double(y)
      shader.shade(
        StrokeSpan(
          row: row, columns: columns.lower..<columns.upper,
          x: Double(columns.lower &* 256 &+ 128 &- a.x),
          across: (slopes.across.value(y: height), slopes.across.dx),
          beyond: slopes.beyond.map { ($0.value(y: height), $0.dx) } ?? (0, 0),
          along: slopes.along.map { ($0.value(y: height), $0.dx) } ?? (0, 0)))
    }
    rows =
      rows.isEmpty
      ? first..<end : min(rows.lowerBound, first)..<max(rows.upperBound, end)
  }

  /// Clips columns to one side of a polygon, in a row `y` below the origin.
  @inline(__always)
  private func clip(
    _ columns: inout (lower: Int, upper: Int), _ side: Side, _ y: Int, _ originX: Int
  ) {
    let rest = side.b &* y &+ side.c
    guard side.a != 0 else {
      if rest < 0 { columns.upper = columns.lower }
      return
    }
    // The column nearest to the crossing of side and row as a first guess; then the exact one.
    let place = (Double(originX &- 128) - Double(rest) * side.inverse) / 256
    var column = nearestInt(min(max(place, Double(columns.lower) - 1), Double(columns.upper) + 1))
    let isInside = side.holds(column &* 256 &+ 128 &- originX, rest)
    if side.a > 0 {
      if !isInside { column &+= 1 }
      columns.lower = max(columns.lower, column)
    } else {
      if isInside { column &+= 1 }
      columns.upper = min(columns.upper, column)
    }
  }

  private typealias Slopes = (across: StrokeSlope, beyond: StrokeSlope?, along: StrokeSlope?)

  /// Returns how values change over a triangle.
  @inline(__always)
  private func slopes(
    _ a: StrokeCorner, _ b: StrokeCorner, _ c: StrokeCorner, turn: Int
  ) -> Slopes {
    let sides = (
      x1: Double(b.x &- a.x), y1: Double(b.y &- a.y), x2: Double(c.x &- a.x), y2: Double(c.y &- a.y)
    )
    let area = Double(turn)
    let isRound = a.beyond + b.beyond + c.beyond > 0
    return (
      StrokeSlope((a.across, b.across, c.across), sides, area: area),
      isRound ? StrokeSlope((a.beyond, b.beyond, c.beyond), sides, area: area) : nil,
      Shader.readsAlong ? StrokeSlope((a.along, b.along, c.along), sides, area: area) : nil
    )
  }
}
