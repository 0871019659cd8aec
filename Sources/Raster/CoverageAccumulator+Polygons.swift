extension CoverageAccumulator {
  /// Adds every edge of closed contours; the clip's first pixel is (`originX`, `originY`) of their
  /// coordinates.
  ///
  /// - Parameter contourEnds: the index after the last vertex of each contour, ascending; an index
  ///   beyond `points` is clamped.
  /// - Complexity: O(vertices + cells that edges cross within the clip).
  mutating func add(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    originX: Int, originY: Int
  ) {
    forEachEdge(of: points, contourEnds: contourEnds, originX, originY) {
      (accumulator: inout Self, fromX, fromY, toX, toY) in
      accumulator.addEdge(fromX, fromY, toX, toY)
    }
  }

  /// Like ``add(_:contourEnds:originX:originY:)``, but a pixel is covered fully or not at all,
  /// depending on whether its centre lies inside.
  ///
  /// A centre on an edge belongs to the polygon at its right, so neighbours never share one.
  ///
  /// - Complexity: O(vertices + rows that edges cross within the clip).
  mutating func addCenters(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    originX: Int, originY: Int
  ) {
    forEachEdge(of: points, contourEnds: contourEnds, originX, originY) {
      (accumulator: inout Self, fromX, fromY, toX, toY) in
      if fromY <= toY {
        accumulator.countCenters(fromX, fromY, toX, toY, sign: 1)
      } else {
        accumulator.countCenters(toX, toY, fromX, fromY, sign: -1)
      }
    }
  }

  @inline(__always)
  private mutating func forEachEdge(
    of points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    _ originX: Int, _ originY: Int, _ body: (inout Self, Int, Int, Int, Int) -> Void
  ) {
    var first = 0
    for contourEnd in contourEnds {
      let end = min(Int(contourEnd), points.count)
      guard end > first else { continue }
      defer { first = end }
      guard end - first >= 2 else { continue }
      var x = Int(points[end - 1].x) &- originX &* 256
      var y = Int(points[end - 1].y) &- originY &* 256
      for index in first..<end {
        let nextX = Int(points[index].x) &- originX &* 256
        let nextY = Int(points[index].y) &- originY &* 256
        body(&self, x, y, nextX, nextY)
        x = nextX
        y = nextY
      }
    }
  }

  /// Adds one winding to every centre on a falling edge or to the right of it, in the rows whose
  /// centre lies at or below `y0` and above `y1`.
  private mutating func countCenters(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, sign: Int32) {
    let firstRow = max((y0 &+ 127) >> 8, 0)
    let endRow = min((y1 &+ 127) >> 8, height)
    guard firstRow < endRow else { return }
    for row in firstRow..<endRow {
      let (whole, rest) = ((row &* 256 &+ 128 &- y0) &* (x1 &- x0))
        .quotientAndRemainder(dividingBy: y1 &- y0)
      // The crossing rounded up to 1/256 px, and the first centre from there on.
      let crossing = x0 &+ whole &+ (rest > 0 ? 1 : 0)
      let column = max((crossing &+ 127) >> 8, 0)
      guard column < width else { continue }
      touch(row: row, from: column, through: column)
      let cell = row &* stride &+ column
      cells[cell] = cells[cell] &+ sign &* CoverageAccumulator.fullCell
    }
  }

  /// Calls `body` with a row's covered ranges under the even-odd rule, and empties it.
  ///
  /// - Parameter body: receives columns and their common area, 1 … ``fullCell``, in ascending
  ///   order.
  /// - Returns: the columns that may be covered.
  /// - Complexity: O(columns between the row's first edge and its last).
  @inline(__always)
  mutating func sweepAreas(row: Int, _ body: (Range<Int>, UInt32) -> Void) -> Range<Int> {
    let lower = Int(touched[row].lower)
    let upper = min(Int(touched[row].upper), width)
    guard lower < upper, let line = cells.baseAddress.map({ $0 + row &* stride }) else {
      clear(row: row)
      return 0..<0
    }
    let full = UInt32(CoverageAccumulator.fullCell)
    var sum: Int32 = 0
    var column = lower
    var covered = lower
    while column < upper {
      sum &+= line[column]
      line[column] = 0
      var area = sum.magnitude & (2 &* full &- 1)
      if area > full { area = 2 &* full &- area }
      var end = column &+ 1
      while end &+ 4 <= upper, CoverageAccumulator.leaveUnchanged(line + end) { end &+= 4 }
      if end >= upper { end = width }
      if area > 0 {
        body(column..<end, area)
        covered = end
      }
      column = end
    }
    line[width] = 0
    touched[row] = Touched()
    return lower..<covered
  }
}
