import SpatialIndex

// The cells of a canvas that a shape fills: a disc, a box or a line fills the cells whose squares
// it reaches into, an area those whose middles it covers.
extension TapCanvas {
  /// Adds a disc, in pixels of the tile.
  func addDisc(x: Double, y: Double, radius: Double, number: UInt32) {
    for row in rowRange(from: y - radius, to: y + radius) {
      let top = originY + Double(row) * cell
      // The vertical distance from the row to the centre.
      let dy = max(top - y, 0, y - top - cell)
      let half = (radius * radius - dy * dy).squareRoot()
      guard half > 0 else { continue }
      let columns = columnRange(from: x - half, to: x + half)
      fill(row: row, from: columns.lowerBound, to: columns.upperBound, with: number)
    }
  }

  /// Adds an upright box, in pixels of the tile.
  func addBox(left: Double, top: Double, right: Double, bottom: Double, number: UInt32) {
    guard left < right, top < bottom else { return }
    let columns = columnRange(from: left, to: right)
    for row in rowRange(from: top, to: bottom) {
      fill(row: row, from: columns.lowerBound, to: columns.upperBound, with: number)
    }
  }

  /// Adds a straight line with round ends, in pixels of the tile.
  ///
  /// - Parameters:
  ///   - half: half of the line's width.
  ///   - gap: half of the gap along the line's middle, in which taps are ignored.
  func addSegment(_ segment: TapSegment, half: Double, gap: Double, number: UInt32) {
    let (low, high) = (min(segment.ay, segment.by), max(segment.ay, segment.by))
    for row in rowRange(from: low - half, to: high + half) {
      let top = originY + Double(row) * cell
      guard let stretch = segment.stretch(from: top - half, to: top + cell + half) else { continue }
      for column in columnRange(from: stretch.low - half, to: stretch.high + half) {
        let square = TapSquare(left: originX + Double(column) * cell, top: top, side: cell)
        guard segment.distance(to: square) < half else { continue }
        if gap > 0, segment.farthest(of: square) <= gap { continue }
        fill(row: row, from: column, to: column + 1, with: number)
      }
    }
  }

  /// Adds the cells that an edge crosses, in 1/256 pixels of the tile, with an offset applied.
  func addEdge(_ a: ShapeVertex, _ b: ShapeVertex, dx: Int, dy: Int, number: UInt32) {
    let segment = TapSegment(
      ax: Double(Int(a.x) + dx) / 256, ay: Double(Int(a.y) + dy) / 256,
      bx: Double(Int(b.x) + dx) / 256, by: Double(Int(b.y) + dy) / 256)
    let (low, high) = (min(segment.ay, segment.by), max(segment.ay, segment.by))
    guard high >= originY, low < originY + Double(rows) * cell else { return }
    let first = max(Int(((low - originY) / cell).rounded(.down)), 0)
    let last = min(Int(((high - originY) / cell).rounded(.down)), rows - 1)
    guard first <= last else { return }
    for row in first...last {
      let top = originY + Double(row) * cell
      guard let stretch = segment.stretch(from: top, to: top + cell) else { continue }
      let start = ((stretch.low - originX) / cell).rounded(.down)
      let end = ((stretch.high - originX) / cell).rounded(.down) + 1
      guard end > 0, start < Double(columns) else { continue }
      fill(
        row: row, from: Int(max(start, 0)), to: Int(min(end, Double(columns))), with: number)
    }
  }

  /// Adds the cells whose middles lie inside contours, by the even-odd rule.
  ///
  /// - Parameter scratch: a buffer for the crossings of each row; only its memory is reused.
  /// - Complexity: O(vertices + crossings · log crossings + cells).
  func addArea(
    _ area: ShapePieces.Area, dx: Int, dy: Int, number: UInt32, scratch: inout [TapCrossing]
  ) {
    scratch.removeAll(keepingCapacity: true)
    var start = 0
    for end in area.ends {
      appendCrossings(
        of: UnsafeBufferPointer(rebasing: area.vertices[start..<Int(end)]), dx: dx, dy: dy,
        to: &scratch)
      start = Int(end)
    }
    scratch.sort { ($0.row, $0.x) < ($1.row, $1.x) }
    var index = 0
    while index + 1 < scratch.count {
      let (enter, leave) = (scratch[index], scratch[index + 1])
      let first = ((enter.x - originX) / cell - 0.5).rounded(.up)
      let end = ((leave.x - originX) / cell - 0.5).rounded(.up)
      if first < Double(columns), end > 0 {
        fill(
          row: Int(enter.row), from: Int(max(first, 0)), to: Int(min(end, Double(columns))),
          with: number)
      }
      index += 2
    }
  }

  /// Appends the crossings of a contour's edges with the middles of rows; each row gets an even
  /// number of them.
  private func appendCrossings(
    of contour: UnsafeBufferPointer<ShapeVertex>, dx: Int, dy: Int,
    to crossings: inout [TapCrossing]
  ) {
    guard var last = contour.last else { return }
    for vertex in contour {
      defer { last = vertex }
      let (ay, by) = (Double(Int(last.y) + dy) / 256, Double(Int(vertex.y) + dy) / 256)
      guard ay != by else { continue }
      let (low, high) = (min(ay, by), max(ay, by))
      // Rows whose middle m satisfies low <= m < high.
      let first = max(((low - originY) / cell - 0.5).rounded(.up), 0)
      let end = min(((high - originY) / cell - 0.5).rounded(.up), Double(rows))
      guard first < end else { continue }
      let (ax, bx) = (Double(Int(last.x) + dx) / 256, Double(Int(vertex.x) + dx) / 256)
      for row in Int(first)..<Int(end) {
        let y = originY + (Double(row) + 0.5) * cell
        crossings.append(TapCrossing(row: Int32(row), x: ax + (bx - ax) * (y - ay) / (by - ay)))
      }
    }
  }

  /// Adds all cells.
  func addAll(number: UInt32) {
    for row in 0..<rows { fill(row: row, from: 0, to: columns, with: number) }
  }
}

/// A crossing of an edge with the middle of a row of cells.
struct TapCrossing: BitwiseCopyable {
  let row: Int32
  /// The horizontal position, in pixels of the tile.
  let x: Double
}
