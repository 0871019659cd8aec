// The union of parts of a block.
extension TapBlock {
  /// Returns the block of the tiles of this part and of another part of the same block.
  ///
  /// A symbol that reaches into tiles of both occurs in both, and each part keeps the drawing order of
  /// the whole: symbols of one part alone stand where they stand in it, between those of both.
  ///
  /// - Complexity: O(symbols + vertices) on average.
  package func union(_ other: TapBlock) -> TapBlock {
    let rest = other.part(of: ~tiles)
    var union = TapBlock(tileSide: tileSide)
    union.tiles = tiles | rest.tiles
    union.appendSymbols(of: self, rest)
    union.appendShapes(of: self, rest)
    return union
  }

  private mutating func appendSymbols(of first: TapBlock, _ second: TapBlock) {
    var numbers: [[TapPrint]: UInt32] = [:]
    func append(_ symbol: Int, of block: TapBlock) {
      let stack = block.stacks[Int(block.symbols.stacks[symbol])]
      let number = numbers[stack] ?? UInt32(truncatingIfNeeded: stacks.count)
      if numbers.updateValue(number, forKey: stack) == nil { stacks.append(stack) }
      symbols.append(
        stack: number, x: block.symbols.xs[symbol], y: block.symbols.ys[symbol],
        feature: block.symbols.features[symbol])
    }
    let (ours, theirs) = (first.placedSymbols, second.placedSymbols)
    let shared = Set(ours)
    let places = Dictionary(
      theirs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var next = 0
    for (symbol, placed) in ours.enumerated() {
      if let place = places[placed], place >= next {
        for between in next..<place where !shared.contains(theirs[between]) {
          append(between, of: second)
        }
        next = place + 1
      }
      append(symbol, of: first)
    }
    for between in next..<theirs.count where !shared.contains(theirs[between]) {
      append(between, of: second)
    }
  }

  /// A symbol by what it hits, whatever the numbers of stacks.
  private struct PlacedSymbol: Hashable {
    let stack: [TapPrint]
    let x: Int32
    let y: Int32
    let feature: UInt64
  }

  private var placedSymbols: [PlacedSymbol] {
    (0..<symbols.count).map {
      PlacedSymbol(
        stack: stacks[Int(symbols.stacks[$0])], x: symbols.xs[$0], y: symbols.ys[$0],
        feature: symbols.features[$0])
    }
  }

  /// Appends the shapes of blocks without common tiles, tile by tile.
  private mutating func appendShapes(of first: TapBlock, _ second: TapBlock) {
    let (ours, theirs) = (first.shapeRuns, second.shapeRuns)
    var next = 0
    for (shape, runs) in ours {
      while next < theirs.count, theirs[next].shape.tile < shape.tile {
        append(theirs[next].shape, theirs[next].runs, of: second)
        next += 1
      }
      append(shape, runs, of: first)
    }
    for (shape, runs) in theirs[next...] { append(shape, runs, of: second) }
  }
}
