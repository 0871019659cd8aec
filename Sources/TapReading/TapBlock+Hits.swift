// The hit test, which finds the topmost feature at a position: by layer; within a layer areas above
// specks, specks above outlines; then by drawing order.
extension TapBlock {
  /// Returns the feature at a position; `nil` where there is none, and in tiles that do not answer
  /// taps.
  ///
  /// - Parameters:
  ///   - x: the position in pixels eastward from the block's west edge.
  ///   - y: the position in pixels southward from its north edge.
  /// - Complexity: O(symbols + vertices).
  package func feature(x: Double, y: Double) -> UInt64? {
    let side = Double(tileSide)
    let (column, row) = ((x / side).rounded(.down), (y / side).rounded(.down))
    let range = 0..<Double(Self.side)
    guard range.contains(column), range.contains(row) else { return nil }
    let tile = Int(row) << Self.sideBits | Int(column)
    guard tiles >> UInt64(tile) & 1 != 0 else { return nil }
    var best: (layer: Int32, priority: Int, feature: UInt64)?
    for symbol in 0..<symbols.count {
      for print in stacks[Int(symbols.stacks[symbol])]
      where print.layer >= best?.layer ?? 0 && placed(print, symbol).contains(x: x, y: y) {
        best = (print.layer, 0, symbols.features[symbol])
      }
    }
    var run = 0
    for shape in shapes {
      let runs = run..<run + Int(shape.runs)
      run = runs.upperBound
      guard Int(shape.tile) == tile else { continue }
      if let best, (best.layer, best.priority) > (shape.layer, shape.kind.priority) { continue }
      if contains(shape, runs, x: x, y: y) {
        best = (shape.layer, shape.kind.priority, shape.feature)
      }
    }
    return best?.feature
  }

  /// Returns a print at its symbol's position.
  package func placed(_ print: TapPrint, _ symbol: Int) -> PlacedTapPrint {
    var (x, y) = (symbols.xs[symbol], symbols.ys[symbol])
    if print.isOnPixel {
      // A pixel has 16 units, also west and north of 0.
      (x, y) = (x & ~15, y & ~15)
    }
    let (left, top) = (Double(x) / Double(Self.steps), Double(y) / Double(Self.steps))
    let fine = Double(Self.fineSteps)
    return PlacedTapPrint(
      isDisc: print.isDisc, left: left + Double(print.left) / fine,
      top: top + Double(print.top) / fine, right: left + Double(print.right) / fine,
      bottom: top + Double(print.bottom) / fine)
  }

  /// Whether a shape contains a position in its tile.
  package func contains(_ shape: TapShape, _ runs: Range<Int>, x: Double, y: Double) -> Bool {
    let (x, y) = (x * Double(Self.steps), y * Double(Self.steps))
    switch shape.kind {
    case .wholeTile: return true
    case .area: return runs.reduce(false) { $0 != isOdd($1, x, y) }
    case .speck:
      guard let run = runs.first else { return false }
      let corner = vertices[vertexRange(ofRun: run).lowerBound]
      return (Double(corner.x)..<Double(corner.x + 16)).contains(x)
        && (Double(corner.y)..<Double(corner.y + 16)).contains(y)
    case .line, .outline:
      let scale = Double(Self.fineSteps / Self.steps)
      let distance = runs.reduce(Double.infinity) { min($0, self.distance(of: $1, x, y)) }
      return distance < Double(shape.half) / scale
        && (shape.gap == 0 || distance > Double(shape.gap) / scale)
    }
  }

  /// Whether a ring winds an odd number of times around a position, in units.
  private func isOdd(_ run: Int, _ x: Double, _ y: Double) -> Bool {
    let range = vertexRange(ofRun: run)
    guard var last = vertices[range].last else { return false }
    var isOdd = false
    for vertex in vertices[range] {
      let (ay, by) = (Double(last.y), Double(vertex.y))
      if (ay <= y) != (by <= y) {
        let (ax, bx) = (Double(last.x), Double(vertex.x))
        if ax + (bx - ax) * (y - ay) / (by - ay) <= x { isOdd.toggle() }
      }
      last = vertex
    }
    return isOdd
  }

  /// Returns the distance of a position from a run, in units.
  private func distance(of run: Int, _ x: Double, _ y: Double) -> Double {
    let range = vertexRange(ofRun: run)
    guard var last = vertices[range].first else { return .infinity }
    var least = Double.infinity
    for vertex in vertices[range] {
      let (dx, dy) = (Double(vertex.x - last.x), Double(vertex.y - last.y))
      let (px, py) = (x - Double(last.x), y - Double(last.y))
      let length = dx * dx + dy * dy
      let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
      let (ex, ey) = (px - share * dx, py - share * dy)
      least = min(least, ex * ex + ey * ey)
      last = vertex
    }
    return least.squareRoot()
  }
}

/// A print in pixels of its block.
package struct PlacedTapPrint {
  package let isDisc: Bool
  package let left: Double
  package let top: Double
  package let right: Double
  package let bottom: Double

  package func contains(x: Double, y: Double) -> Bool {
    guard isDisc else { return x >= left && x < right && y >= top && y < bottom }
    let radius = (right - left) / 2
    let (dx, dy) = (x - (left + right) / 2, y - (top + bottom) / 2)
    return dx * dx + dy * dy < radius * radius
  }
}
