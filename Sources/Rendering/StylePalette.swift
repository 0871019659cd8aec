import Raster

/// The colours with which a style's sparse tiles are written, made from the style alone.
///
/// Index 0 is the background. A pixel whose nearest entry is further than ``tolerance`` away in any
/// premultiplied channel is not written with the palette at all: its tile takes the exact path.
package struct StylePalette: Sendable {
  /// The largest error of a channel, in premultiplied steps of 255. DESIGN.md section 9 allows 8;
  /// one step is left for the rounding to straight alpha in the file.
  package static let tolerance = 7

  /// Premultiplied colours; at most 256.
  package let colors: [UInt32]

  /// The same colours as PNG stores them, straight alpha.
  package var straightColors: [UInt32] {
    colors.map { PremultipliedColor(bits: $0).straightBits }
  }

  /// Chooses colours so that as much of a histogram as possible lies within the tolerance.
  ///
  /// Greedy maximum coverage: the exact colours first, then always the colour that brings most
  /// uncovered weight within reach. Gains only shrink, so a stale gain that still leads is right.
  ///
  /// - Parameters:
  ///   - exact: colours that must be entries themselves: fills, strokes, texts.
  ///   - histogram: premultiplied colours and how often they occur.
  /// - Complexity: O(n²) in the number of distinct colours, of which ``candidateLimit`` count.
  init(background: UInt32, exact: [UInt32], histogram: [UInt32: Int]) {
    var chosen = [background]
    for color in exact where !chosen.contains(color) && chosen.count < 64 { chosen.append(color) }
    let ranked = histogram.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var open = ranked.prefix(Self.candidateLimit).filter { entry in
      !chosen.contains { Self.distance($0, entry.key) <= Self.tolerance }
    }
    var gains = open.map { candidate in Self.gain(of: candidate.key, over: open) }
    var candidates = open.map(\.key)
    while chosen.count < 256, !open.isEmpty {
      guard let best = Self.nextBest(&gains, candidates, open) else { break }
      let color = candidates.remove(at: best)
      gains.remove(at: best)
      chosen.append(color)
      open.removeAll { Self.distance(color, $0.key) <= Self.tolerance }
    }
    colors = [background] + Self.mostTransparentFirst(Array(chosen.dropFirst()))
  }

  /// Colours of the histogram that are looked at, the most frequent first.
  private static let candidateLimit = 1500

  private static func gain(of color: UInt32, over open: [(key: UInt32, value: Int)]) -> Int {
    open.reduce(0) { $0 + (distance(color, $1.key) <= tolerance ? $1.value : 0) }
  }

  /// The index of the candidate with the largest true gain; refreshes gains on the way.
  private static func nextBest(
    _ gains: inout [Int], _ candidates: [UInt32], _ open: [(key: UInt32, value: Int)]
  ) -> Int? {
    while let best = gains.indices.max(by: { (gains[$0], $1) < (gains[$1], $0) }) {
      if gains[best] == 0 { return nil }
      let fresh = gain(of: candidates[best], over: open)
      if fresh == gains[best] { return best }
      gains[best] = fresh
    }
    return nil
  }

  /// Orders by alpha, so that tRNS ends early; equal alphas by value.
  private static func mostTransparentFirst(_ colors: [UInt32]) -> [UInt32] {
    colors.sorted { ($0 >> 24, $0) < ($1 >> 24, $1) }
  }

  /// The largest difference of a premultiplied channel.
  @inline(__always)
  package static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    let redGreen = max(difference(a, b, 0), difference(a, b, 8))
    let blueAlpha = max(difference(a, b, 16), difference(a, b, 24))
    return max(redGreen, blueAlpha)
  }

  /// The difference of the channel that begins at a bit.
  @inline(__always)
  static func difference(_ a: UInt32, _ b: UInt32, _ bit: UInt32) -> Int {
    abs(Int(truncatingIfNeeded: a >> bit & 0xFF) - Int(truncatingIfNeeded: b >> bit & 0xFF))
  }
}

/// Finds the palette index of colours and remembers recent ones; one per worker.
struct PaletteMatcher {
  /// Set in a result where the nearest entry is out of tolerance.
  static let outOfTolerance: UInt16 = 0x100

  private let colors: [UInt32]
  private var knownColors: ContiguousArray<UInt32>
  private var knownIndexes: ContiguousArray<UInt16>

  init(_ palette: StylePalette) {
    colors = palette.colors
    // 8,192 slots of 6 bytes stay in L2; hotel tiles show some 2,000 different colours.
    knownColors = ContiguousArray(repeating: palette.colors[0], count: 8192)
    knownIndexes = ContiguousArray(repeating: 0, count: 8192)
  }

  /// The index of the nearest entry, with ``outOfTolerance`` set where it is too far.
  ///
  /// - Complexity: O(1) for a colour seen lately, else O(palette).
  @inline(__always)
  mutating func index(of color: UInt32) -> UInt16 {
    let slot = Int((color &* 0x9E37_79B1) >> 19)
    if knownColors[slot] == color { return knownIndexes[slot] }
    let index = search(color)
    knownColors[slot] = color
    knownIndexes[slot] = index
    return index
  }

  /// Nearest by the largest difference of a channel, which the tolerance bounds, then by the sum of
  /// squared differences; ties go to the lower index.
  private func search(_ color: UInt32) -> UInt16 {
    var best = 0
    var bestDistance = Int.max
    for (index, entry) in colors.enumerated() {
      let red = StylePalette.difference(entry, color, 0)
      let green = StylePalette.difference(entry, color, 8)
      let blue = StylePalette.difference(entry, color, 16)
      let alpha = StylePalette.difference(entry, color, 24)
      let squares = red * red + green * green + blue * blue + alpha * alpha
      let distance = StylePalette.distance(entry, color) << 20 | squares
      if distance < bestDistance {
        best = index
        bestDistance = distance
      }
    }
    let near = StylePalette.distance(colors[best], color) <= StylePalette.tolerance
    return UInt16(best) | (near ? 0 : Self.outOfTolerance)
  }
}
