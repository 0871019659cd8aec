// A part of a block.
extension TapBlock {
  /// Returns the block reduced to some of its tiles: without the shapes of the others, and without
  /// symbols that reach into none of them.
  ///
  /// - Parameter wanted: a bit for each tile, as in ``tiles``.
  /// - Complexity: O(symbols + vertices).
  package func part(of wanted: UInt64) -> TapBlock {
    var part = TapBlock(tileSide: tileSide)
    part.tiles = tiles & wanted
    part.stacks = stacks
    for symbol in 0..<symbols.count where reaches(symbol, into: part.tiles) {
      part.symbols.append(
        stack: symbols.stacks[symbol], x: symbols.xs[symbol], y: symbols.ys[symbol],
        feature: symbols.features[symbol])
    }
    for (shape, runs) in shapeRuns where part.tiles >> UInt64(shape.tile) & 1 != 0 {
      part.append(shape, runs, of: self)
    }
    return part
  }

  /// The shapes with the numbers of their runs.
  var shapeRuns: [(shape: TapShape, runs: Range<Int>)] {
    var end = 0
    return shapes.map { shape in
      let start = end
      end += Int(shape.runs)
      return (shape, start..<end)
    }
  }

  /// Appends a shape of another block with its runs.
  mutating func append(_ shape: TapShape, _ runs: Range<Int>, of block: TapBlock) {
    shapes.append(shape)
    for run in runs {
      vertices.append(contentsOf: block.vertices[block.vertexRange(ofRun: run)])
      runEnds.append(UInt32(truncatingIfNeeded: vertices.count))
    }
  }

  /// Whether a print of a symbol reaches into one of the tiles.
  private func reaches(_ symbol: Int, into tiles: UInt64) -> Bool {
    stacks[Int(symbols.stacks[symbol])].contains { print in
      let box = placed(print, symbol)
      let (columns, rows) = (range(box.left, box.right), range(box.top, box.bottom))
      return rows.contains { row in
        columns.contains { column in
          tiles >> UInt64(row << TapBlockCoord.sideBits | column) & 1 != 0
        }
      }
    }
  }

  /// Returns the columns or rows of tiles that a range of pixels reaches into.
  private func range(_ low: Double, _ high: Double) -> Range<Int> {
    let (side, count) = (Double(tileSide), Double(TapBlockCoord.side))
    let first = min(max((low / side).rounded(.down), 0), count)
    let end = min(max((high / side).rounded(.down) + 1, first), count)
    return Int(first)..<Int(end)
  }
}
