/// A counter of the symbols of tokens, weighted by picture.
struct SymbolCounter: TokenSink {
  private(set) var literals = [UInt64](repeating: 0, count: DeflateSymbol.literalCount)
  private(set) var distances = [UInt64](repeating: 0, count: DeflateSymbol.distanceCount)
  private let rowDistance: Int

  /// The weight of the next tokens.
  var weight: UInt64 = 1

  init(rowSize: Int) {
    rowDistance = DeflateSymbol(distance: rowSize).symbol
  }

  mutating func literal(_ byte: UInt8) { literals[Int(byte)] &+= weight }

  mutating func run(_ length: Int) {
    literals[DeflateSymbol(length: length).symbol] &+= weight
    distances[0] &+= weight
  }

  mutating func above(_ length: Int) {
    literals[DeflateSymbol(length: length).symbol] &+= weight
    distances[rowDistance] &+= weight
  }

  mutating func longestRuns(_ count: Int) {
    literals[DeflateSymbol(length: DeflateSymbol.longestMatch).symbol] &+= weight &* UInt64(count)
    distances[0] &+= weight &* UInt64(count)
  }

  /// Counts the tile that shows a sprite alone in its middle, or the part of it that fits.
  mutating func count(_ sprite: IndexedSprite, on canvas: IndexedCanvas) {
    canvas.clear()
    canvas.draw(
      sprite, x: (canvas.width - sprite.width) / 2, y: (canvas.height - sprite.height) / 2)
    let rowSize = canvas.width + 1
    let end = canvas.withRows { $0.write(into: &self, rowSize: rowSize).end }
    blank(rowSize * canvas.height - end)
    literals[DeflateSymbol.endOfBlock] &+= weight
  }

  var frequencies: SymbolFrequencies {
    SymbolFrequencies(literals: literals, distances: distances)
  }

  /// Ensures a code for every symbol that a picture with this palette can need.
  mutating func coverAll(paletteCount: Int) {
    for symbol in literals.indices where symbol < paletteCount || symbol >= 256 {
      literals[symbol] = max(literals[symbol], 1)
    }
    distances[0] = max(distances[0], 1)
    distances[rowDistance] = max(distances[rowDistance], 1)
  }
}

/// The frequencies of the symbols of tokens, from which a Huffman code is made.
package struct SymbolFrequencies: Hashable, Sendable {
  /// Those of bytes, the end of a block, and lengths.
  package let literals: [UInt64]
  package let distances: [UInt64]

  package init(literals: [UInt64], distances: [UInt64]) {
    self.literals = literals
    self.distances = distances
  }

  /// Whether every symbol that a picture of this row size can need has a frequency.
  func coverAll(rowSize: Int) -> Bool {
    guard literals.count == DeflateSymbol.literalCount, literals.allSatisfy({ $0 > 0 }),
      distances.count == DeflateSymbol.distanceCount
    else { return false }
    return distances[0] > 0 && distances[DeflateSymbol(distance: rowSize).symbol] > 0
  }
}
