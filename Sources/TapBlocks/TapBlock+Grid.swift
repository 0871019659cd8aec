// A tile's answers on a grid of cells, for clients that support UTFGrid.
extension TapBlock {
  /// Maximum number of tests of a position against a print or vertex that a grid may take.
  private static let workLimit = 1 << 28

  /// Maximum number of prints and shapes of a tile that a grid may have.
  private static let candidateLimit = 1 << 21

  /// A print or shape that a tile may show.
  private struct Candidate {
    let layer: Int32
    let priority: Int
    let feature: UInt64
    /// The print at its symbol's position; `nil` for a shape.
    var print: PlacedTapPrint?
    var shape = 0
    var runs = 0..<0
  }

  /// Returns the feature at the middle of each cell of a tile, row by row from the north-west;
  /// `nil` where there is none.
  ///
  /// - Parameters:
  ///   - tile: the index of the tile in the block.
  ///   - side: the number of cells along each side.
  /// - Throws: if that would take more than a second or two; fewer cells take less.
  /// - Complexity: O(cells that each print or shape reaches, times its vertices).
  package func grid(ofTile tile: Int, side: Int) throws(TapFault) -> [UInt64?] {
    var cells = [UInt64?](repeating: nil, count: side * side)
    guard tiles >> UInt64(tile) & 1 != 0 else { return cells }
    let width = Double(tileSide)
    let west = Double(tile & (TapBlockCoord.side - 1)) * width
    let north = Double(tile >> TapBlockCoord.sideBits) * width
    let cell = width / Double(side)
    func range(_ low: Double, _ high: Double, _ origin: Double) -> Range<Int> {
      let first = min(max(((low - origin) / cell - 1).rounded(.down), 0), Double(side))
      let end = min(max(((high - origin) / cell + 1).rounded(.up), first), Double(side))
      return Int(first)..<Int(end)
    }
    var work = 0
    for candidate in try candidates(ofTile: tile, west: west, north: north) {
      let (box, cost) = extent(of: candidate, west: west, north: north)
      let (columns, rows) = (range(box.left, box.right, west), range(box.top, box.bottom, north))
      work += columns.count * rows.count * cost
      guard work <= Self.workLimit else { throw TapFault("holds too much for a grid") }
      for row in rows {
        let y = north + (Double(row) + 0.5) * cell
        for column in columns {
          let x = west + (Double(column) + 0.5) * cell
          let isHit =
            candidate.print?.contains(x: x, y: y)
            ?? contains(shapes[candidate.shape], candidate.runs, x: x, y: y)
          if isHit { cells[row * side + column] = candidate.feature }
        }
      }
    }
    return cells
  }

  /// Returns the prints and shapes that may reach into a tile, the lowest first.
  private func candidates(
    ofTile tile: Int, west: Double, north: Double
  ) throws(TapFault) -> [Candidate] {
    var candidates: [Candidate] = []
    let width = Double(tileSide)
    for symbol in 0..<symbols.count {
      for print in stacks[Int(symbols.stacks[symbol])] {
        let placed = placed(print, symbol)
        guard placed.right > west, placed.left < west + width, placed.bottom > north,
          placed.top < north + width
        else { continue }
        guard candidates.count < Self.candidateLimit else {
          throw TapFault("hold too much for a grid")
        }
        candidates.append(
          Candidate(
            layer: print.layer, priority: 0, feature: symbols.features[symbol], print: placed))
      }
    }
    var run = 0
    for (index, shape) in shapes.enumerated() {
      let runs = run..<run + Int(shape.runs)
      run = runs.upperBound
      guard Int(shape.tile) == tile else { continue }
      guard candidates.count < Self.candidateLimit else {
        throw TapFault("hold too much for a grid")
      }
      candidates.append(
        Candidate(
          layer: shape.layer, priority: shape.kind.priority, feature: shape.feature, shape: index,
          runs: runs))
    }
    // The sort is only stable because it includes the position.
    return candidates.enumerated().sorted {
      ($0.element.layer, $0.element.priority, $0.offset)
        < ($1.element.layer, $1.element.priority, $1.offset)
    }.map(\.element)
  }

  /// Returns the box of a candidate in pixels of the block, and the number of vertices that a test
  /// of it examines.
  private func extent(
    of candidate: Candidate, west: Double, north: Double
  ) -> (box: (left: Double, top: Double, right: Double, bottom: Double), cost: Int) {
    if let print = candidate.print {
      return ((print.left, print.top, print.right, print.bottom), 1)
    }
    let shape = shapes[candidate.shape]
    let width = Double(tileSide)
    guard shape.kind != .wholeTile else {
      return ((west, north, west + width, north + width), 1)
    }
    var (left, top, right, bottom) = (Int32.max, Int32.max, Int32.min, Int32.min)
    var count = 1
    for run in candidate.runs {
      let range = vertexRange(ofRun: run)
      count += range.count
      for vertex in vertices[range] {
        (left, right) = (min(left, vertex.x), max(right, vertex.x))
        (top, bottom) = (min(top, vertex.y), max(bottom, vertex.y))
      }
    }
    guard left <= right else { return ((west, north, west, north), 1) }
    let steps = Double(Self.steps)
    let reach = shape.kind == .speck ? 1 : Double(shape.half) / Double(Self.fineSteps)
    return (
      (
        Double(left) / steps - reach, Double(top) / steps - reach, Double(right) / steps + reach,
        Double(bottom) / steps + reach
      ), count
    )
  }
}
