import SpatialIndex

/// A window onto the pieces of a shape: a box in 1/256 px, both ends included.
struct PieceWindow {
  let left: Int
  let top: Int
  let right: Int
  let bottom: Int

  init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Creates the window of a whole tile (index 4) or of one quadrant: NW, NE, SW, SE (0 … 3).
  ///
  /// - Parameter side: the side of the tile, in px.
  init(quadrant: Int, side: Int) {
    let whole = side * 256
    let half = whole / 2
    let isWhole = quadrant == 4
    let west = isWhole ? 0 : (quadrant & 1) * half
    let north = isWhole ? 0 : (quadrant >> 1) * half
    let size = isWhole ? whole : half
    self.init(left: west, top: north, right: west + size - 1, bottom: north + size - 1)
  }

  /// Returns the window grown on all sides and moved.
  func grown(by reach: Int, dx: Int = 0, dy: Int = 0) -> PieceWindow {
    PieceWindow(
      left: left - reach + dx, top: top - reach + dy, right: right + reach + dx,
      bottom: bottom + reach + dy)
  }

  /// Returns whether a straight edge has a point in the window; products stay below 2⁶² for
  /// coordinates within ± 2²⁹.
  @inline(__always)
  func meets(_ a: ShapeVertex, _ b: ShapeVertex) -> Bool {
    let (ax, ay, bx, by) = (Int(a.x), Int(a.y), Int(b.x), Int(b.y))
    guard max(ax, bx) >= left, min(ax, bx) <= right, max(ay, by) >= top, min(ay, by) <= bottom
    else { return false }
    let (dx, dy) = (bx - ax, by - ay)
    if dx == 0 || dy == 0 { return true }
    // The pair of corners that an edge of this slope separates first and last.
    let rises = (dx > 0) == (dy > 0)
    let first = dx * ((rises ? bottom : top) - ay) - dy * (left - ax)
    let second = dx * ((rises ? top : bottom) - ay) - dy * (right - ax)
    return (first > 0) != (second > 0) || first == 0 || second == 0
  }

  /// Returns whether one of the edges of a contour meets the window.
  func meets(_ contour: UnsafeBufferPointer<ShapeVertex>, isClosed: Bool) -> Bool {
    guard var last = isClosed ? contour.last : contour.first else { return false }
    for point in contour {
      if meets(last, point) { return true }
      last = point
    }
    return false
  }

  /// Returns whether the middle of the window lies inside a contour, by the even-odd rule; the
  /// results for the contours of one area are combined by exclusive or.
  func isMiddleInside(_ contour: UnsafeBufferPointer<ShapeVertex>) -> Bool {
    guard var last = contour.last else { return false }
    let (x, y) = ((left + right) / 2, (top + bottom) / 2)
    var isInside = false
    for point in contour {
      let (ay, by) = (Int(last.y), Int(point.y))
      if (ay > y) != (by > y) {
        let side = (Int(point.x) - Int(last.x)) * (y - ay) - (x - Int(last.x)) * (by - ay)
        if (side > 0) == (by > ay) { isInside.toggle() }
      }
      last = point
    }
    return isInside
  }
}
