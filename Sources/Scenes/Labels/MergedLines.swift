import Styling
import Tiling

/// The lines along which a layer writes: lines with the same text are joined where one ends and
/// another begins, so that a street in pieces has the labels of a whole street.
///
/// The rules are those of MapLibre's `mergeLines`: lines are taken in the order of their features,
/// a line is never reversed, and a merged line has the look of the feature whose line started it.
/// Lines of tiles are merged within their tile, and only the first line of each feature.
struct MergedLines {
  /// The number of a line: the shape that has it, and its place among the shape's lines.
  private typealias LineNumber = UInt64

  /// An end of a line with a text.
  private struct End: Hashable {
    let text: Int
    let tile: TileKey?
    /// The position in ``unit``s.
    let x: Int
    let y: Int
  }

  /// Lines that follow one another. A chain is identified by the line whose look it has.
  private struct Chain {
    var first: LineNumber
    var last: LineNumber
    var end: End
  }

  private let shapes: SymbolShapes

  /// The number of steps of a position along a side of the world: 8,192 to a tile of 512 px, as in
  /// MapLibre.
  private let steps: Double

  /// The numbers of texts, by which ends are compared.
  private var texts: [String: Int] = [:]

  private var chains: [LineNumber: Chain] = [:]
  private var chainsByStart: [End: LineNumber] = [:]
  private var chainsByEnd: [End: LineNumber] = [:]

  /// The line that follows a line in its chain.
  private var followers: [LineNumber: LineNumber] = [:]

  /// The lines that are part of another line's chain.
  private var merged: Set<LineNumber> = []

  /// - Parameter worldSide: the side of the world at the whole zoom, in style px.
  init(_ shapes: SymbolShapes, worldSide: Double) {
    self.shapes = shapes
    steps = worldSide * 16
  }

  /// Adds the lines of a shape.
  ///
  /// - Complexity: O(vertices).
  mutating func add(_ shape: Int, text: String) {
    let number = texts[text] ?? texts.count
    texts[text] = number
    let tile = shapes.tile(of: shape)?.key
    let lines = shapes.lines(of: shape)
    for (place, line) in (tile == nil ? lines[...] : lines.prefix(1)).enumerated() {
      guard let first = line.first, let last = line.last else { continue }
      add(
        Self.number(of: place, in: shape), from: end(first, text: number, tile),
        to: end(last, text: number, tile))
    }
  }

  private static func number(of line: Int, in shape: Int) -> LineNumber {
    UInt64(truncatingIfNeeded: shape) << 32 | UInt64(truncatingIfNeeded: line)
  }

  private func end(_ place: WorldPlace, text: Int, _ tile: TileKey?) -> End {
    End(
      text: text, tile: tile, x: Int((place.x * steps).rounded()),
      y: Int((place.y * steps).rounded()))
  }

  private mutating func add(_ line: LineNumber, from start: End, to end: End) {
    let before = chainsByEnd[start]
    let after = chainsByStart[end]
    if let before, let after, before != after, let next = chains.removeValue(forKey: after) {
      chainsByStart[end] = nil
      chainsByStart[start] = nil
      chainsByEnd[start] = nil
      chainsByEnd[end] = nil
      append(line, to: before, end)
      append(next, of: after, after: line, to: before)
    } else if let before {
      chainsByEnd[start] = nil
      append(line, to: before, end)
    } else if let after, let next = chains[after]?.first {
      chainsByStart[end] = nil
      chainsByStart[start] = after
      followers[line] = next
      chains[after]?.first = line
      merged.insert(line)
    } else {
      chains[line] = Chain(first: line, last: line, end: end)
      chainsByStart[start] = line
      chainsByEnd[end] = line
    }
  }

  /// Appends a line to a chain, which then ends there.
  private mutating func append(_ line: LineNumber, to chain: LineNumber, _ end: End) {
    guard let last = chains[chain]?.last else { return }
    followers[last] = line
    merged.insert(line)
    chains[chain]?.last = line
    chains[chain]?.end = end
    chainsByEnd[end] = chain
  }

  /// Appends a chain to the end of another one.
  private mutating func append(
    _ next: Chain, of number: LineNumber, after line: LineNumber, to chain: LineNumber
  ) {
    if let end = chains[chain]?.end { chainsByEnd[end] = nil }
    followers[line] = next.first
    merged.insert(number)
    chains[chain]?.last = next.last
    chains[chain]?.end = next.end
    chainsByEnd[next.end] = chain
  }

  /// Returns the lines along which the label of a shape is written, without those that belong to
  /// the chain of another shape.
  ///
  /// - Complexity: O(vertices).
  func lines(of shape: Int) -> [[WorldPlace]] {
    shapes.lines(of: shape).enumerated().compactMap { place, line in
      let number = Self.number(of: place, in: shape)
      if merged.contains(number) { return nil }
      guard let chain = chains[number], chain.first != chain.last else { return line }
      return places(of: chain)
    }
  }

  private func places(of chain: Chain) -> [WorldPlace] {
    var places: [WorldPlace] = []
    var number: LineNumber? = chain.first
    while let current = number {
      let lines = shapes.lines(of: Int(current >> 32))
      let place = Int(current & 0xFFFF_FFFF)
      if place < lines.count {
        if !places.isEmpty { places.removeLast() }
        places += lines[place]
      }
      number = current == chain.last ? nil : followers[current]
    }
    return places
  }
}
