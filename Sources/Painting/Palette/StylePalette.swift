import Raster

/// The colours that a style's sparse tiles are written with, made from the style alone.
///
/// Index 0 is the background. Only the colours of antialiased edges are replaced, by an entry at
/// most ``tolerance`` away in any premultiplied channel; if there is none, they are rounded to
/// ``EdgeLattice``. All other colours stay exact. A pixel's colour in the archive therefore
/// follows from its own exact colour, and both sides of a tile's border agree.
package struct StylePalette: Sendable {
  /// The largest error of an edge's channel in steps of 255, as measured by ``distance(_:_:)``: too
  /// little to be visible in a single pixel.
  package static let tolerance = 7

  /// The premultiplied colours; at most ``limit``.
  package let colors: [UInt32]

  /// The same colours with straight alpha, as PNG stores them.
  package var straightColors: [UInt32] {
    colors.map { PremultipliedColor(bits: $0).straightBits }
  }

  /// Creates a palette that brings as much of a histogram as possible within the tolerance.
  ///
  /// Greedy maximum coverage: the exact colours first, then always the colour that brings the most
  /// uncovered weight within reach. Gains only shrink, so a gain that is still the largest after a
  /// refresh is the true maximum.
  ///
  /// - Parameters:
  ///   - exact: colours that must be entries themselves: fills, strokes, texts.
  ///   - histogram: premultiplied colours with their frequencies.
  /// - Complexity: O(n²) in the number of distinct colours, limited to ``candidateLimit``.
  init(background: UInt32, exact: [UInt32], histogram: [UInt32: Int]) {
    var chosen = [background]
    for color in exact where !chosen.contains(color) && chosen.count < Self.exactLimit {
      chosen.append(color)
    }
    let ranked = histogram.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var open = ranked.prefix(Self.candidateLimit).filter { entry in
      !chosen.contains { Self.stands($0, for: entry.key) }
    }
    var gains = open.map { candidate in Self.gain(of: candidate.key, over: open) }
    var candidates = open.map(\.key)
    while chosen.count < Self.limit, !open.isEmpty {
      guard let best = Self.nextBest(&gains, candidates, open) else { break }
      let color = candidates.remove(at: best)
      gains.remove(at: best)
      chosen.append(color)
      open.removeAll { Self.distance(color, $0.key) <= Self.tolerance }
    }
    colors = [background] + chosen.dropFirst().sorted { ($0 >> 24, $0) < ($1 >> 24, $1) }
  }

  /// Creates a palette of known colours; the background is first.
  init(colors: [UInt32]) {
    self.colors = colors
  }

  /// Returns the palette reordered by the first picture that needs each colour.
  ///
  /// A file holds the palette only up to its largest index, so the colours of the likeliest symbols
  /// come first; those of one picture are sorted by alpha, so that tRNS is short.
  func ordered(by pictures: [[UInt32]]) -> StylePalette {
    var matcher = PaletteMatcher(self)
    var order: [Int] = [0]
    var isPlaced = [Bool](repeating: false, count: colors.count)
    isPlaced[0] = true
    for picture in pictures {
      let indexes = Set(picture.map { Int(matcher.index(of: $0) & 0xFF) }).sorted()
      for index in indexes where !isPlaced[index] {
        isPlaced[index] = true
        order.append(index)
      }
    }
    order += colors.indices.filter { !isPlaced[$0] }
    return StylePalette(colors: order.map { colors[$0] })
  }

  /// The maximum number of entries: the rest of a file's 256 is for a tile's own colours.
  private static let limit = 192

  /// The maximum number of exact colours: some room is left for edges.
  private static let exactLimit = 160

  /// The maximum number of colours of the histogram to consider, the most frequent first.
  private static let candidateLimit = 2500

  /// Returns whether an entry can represent a colour; a transparent background only represents
  /// blank pixels.
  private static func stands(_ entry: UInt32, for color: UInt32) -> Bool {
    entry >> 24 == 0 ? entry == color : distance(entry, color) <= tolerance
  }

  private static func gain(of color: UInt32, over open: [(key: UInt32, value: Int)]) -> Int {
    open.reduce(0) { $0 + (distance(color, $1.key) <= tolerance ? $1.value : 0) }
  }

  /// Returns the index of the candidate with the largest true gain; refreshes gains in the process.
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

  /// Returns the largest difference of a premultiplied channel or of a channel composited over
  /// white: over any map between black and white, the visible difference is no larger.
  @inline(__always)
  package static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    let alpha = signedDifference(a, b, 24)
    let red = signedDifference(a, b, 0)
    let green = signedDifference(a, b, 8)
    let blue = signedDifference(a, b, 16)
    let overBlack = max(max(abs(red), abs(green)), max(abs(blue), abs(alpha)))
    let overWhite = max(max(abs(red - alpha), abs(green - alpha)), abs(blue - alpha))
    return max(overBlack, overWhite)
  }

  /// Returns the difference of the channel that starts at a bit.
  @inline(__always)
  private static func signedDifference(_ a: UInt32, _ b: UInt32, _ bit: UInt32) -> Int {
    Int(truncatingIfNeeded: a >> bit & 0xFF) - Int(truncatingIfNeeded: b >> bit & 0xFF)
  }
}

/// A lookup of palette indexes of colours that remembers recent ones; one per worker.
struct PaletteMatcher {
  /// The bit that is set in a result if the nearest entry is out of tolerance.
  static let outOfTolerance: UInt16 = 0x100

  /// The bit that is set in a remembered result if the nearest entry is another colour.
  private static let isOther: UInt16 = 0x200

  private let background: UInt32
  private let colors: [UInt32]

  /// The number of entries.
  var count: Int { colors.count }
  private let blocks: [PaletteBlock]
  private var knownColors: ContiguousArray<UInt32>
  private var knownIndexes: ContiguousArray<UInt16>

  init(_ palette: StylePalette) {
    background = palette.colors[0]
    colors = palette.colors
    var entries: [UInt32?] = palette.colors
    // A transparent background does not match any other colour.
    if palette.colors[0] >> 24 == 0 { entries[0] = nil }
    blocks = stride(from: 0, to: entries.count, by: PaletteBlock.width).map {
      PaletteBlock(Array(entries[$0..<min($0 + PaletteBlock.width, entries.count)]))
    }
    // 8,192 slots of 6 bytes stay in L2; hotel tiles show about 2,000 different colours.
    knownColors = ContiguousArray(repeating: palette.colors[0], count: 8192)
    knownIndexes = ContiguousArray(repeating: 0, count: 8192)
  }

  /// Returns the index of the entry that represents a colour: the nearest entry for an edge, the
  /// colour itself for any other pixel. ``outOfTolerance`` is set if there is no such entry.
  @inline(__always)
  mutating func index(of color: UInt32, isEdge: Bool) -> UInt16 {
    let known = known(color)
    // The second bit, shifted to the position of the first.
    let lacks = isEdge ? 0 : (known & Self.isOther) >> 1
    return (known | lacks) & ~Self.isOther
  }

  /// Returns the colour that an antialiased pixel has in the archive.
  @inline(__always)
  mutating func edgeColor(for color: UInt32) -> UInt32 {
    let index = index(of: color)
    return index & Self.outOfTolerance == 0
      ? colors[Int(index)] : EdgeLattice.nearest(to: color)
  }

  /// Returns the index of the nearest entry, with ``outOfTolerance`` set if it is too far.
  ///
  /// - Complexity: O(1) for a recently seen colour, otherwise O(palette).
  @inline(__always)
  mutating func index(of color: UInt32) -> UInt16 { known(color) & ~Self.isOther }

  /// Returns the index of the nearest entry, with both bits.
  @inline(__always)
  private mutating func known(_ color: UInt32) -> UInt16 {
    if color == background { return 0 }
    let slot = Int((color &* 0x9E37_79B1) >> 19)
    if knownColors[slot] == color { return knownIndexes[slot] }
    let index = search(color)
    knownColors[slot] = color
    knownIndexes[slot] = index
    return index
  }

  /// Returns the index of the nearest entry, with both bits. Distance is the largest difference of
  /// a channel, which the tolerance bounds, then the sum of differences in steps of 16; ties go to
  /// the lower index.
  ///
  /// A pixel that is visible on a transparent background, however faintly, never matches the
  /// background: a tile must not turn blank.
  private func search(_ color: UInt32) -> UInt16 {
    let wanted = PaletteColor(color)
    var best = 0
    var bestDistance = Int16.max
    for (block, entries) in blocks.enumerated() {
      let distances = entries.distances(to: wanted)
      guard PaletteBlock.hasLess(than: bestDistance, distances) else { continue }
      let least = PaletteBlock.least(of: distances)
      bestDistance = least
      for lane in 0..<PaletteBlock.width where distances[lane] == least {
        best = block * PaletteBlock.width + lane
        break
      }
    }
    let near = Int(bestDistance >> 6) <= StylePalette.tolerance
    return UInt16(best) | (near ? 0 : Self.outOfTolerance)
      | (colors[best] == color ? 0 : Self.isOther)
  }
}

/// The channels of a colour as numbers: red, green, blue, alpha.
private struct PaletteColor {
  let values: SIMD4<Int16>

  init(_ color: UInt32) {
    values = SIMD4(
      Int16(color & 0xFF), Int16(color >> 8 & 0xFF), Int16(color >> 16 & 0xFF), Int16(color >> 24))
  }
}

/// Sixteen palette entries, channel by channel.
private struct PaletteBlock {
  static let width = 16

  private var red = SIMD16<Int16>()
  private var green = SIMD16<Int16>()
  private var blue = SIMD16<Int16>()
  private var alpha = SIMD16<Int16>()

  /// - Parameter colors: at most sixteen; lanes without a colour are far from every colour.
  init(_ colors: [UInt32?]) {
    for lane in 0..<Self.width {
      let color = lane < colors.count ? colors[lane] : nil
      let values = color.map { PaletteColor($0).values } ?? SIMD4(repeating: 2000)
      (red[lane], green[lane], blue[lane], alpha[lane]) = (
        values[0], values[1], values[2], values[3]
      )
    }
  }

  /// Returns for each entry the largest difference · 64 + the sum of differences / 16; at most
  /// 16,383 among colours.
  @inline(__always)
  func distances(to color: PaletteColor) -> SIMD16<Int16> {
    let (dr, dg) = (red &- color.values[0], green &- color.values[1])
    let (db, da) = (blue &- color.values[2], alpha &- color.values[3])
    let (r, g, b, a) = (
      Self.magnitude(dr), Self.magnitude(dg), Self.magnitude(db), Self.magnitude(da)
    )
    let overBlack = Self.greater(Self.greater(r, g), Self.greater(b, a))
    let overWhite = Self.greater(
      Self.greater(Self.magnitude(dr &- da), Self.magnitude(dg &- da)), Self.magnitude(db &- da))
    let capped = Self.lesser(Self.greater(overBlack, overWhite), SIMD16(repeating: 500))
    return capped &* 64 &+ (r &+ g &+ b &+ a) &>> 4
  }

  // Plain arithmetic on whole vectors: `pointwiseMax` and `min()` are calls that go lane by lane.

  @inline(__always)
  private static func magnitude(_ values: SIMD16<Int16>) -> SIMD16<Int16> {
    let signs = values &>> 15
    return (values ^ signs) &- signs
  }

  /// Returns the greater of two values in each lane; their differences fit 16 bits.
  @inline(__always)
  private static func greater(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
    let difference = b &- a
    return a &+ (difference & ~(difference &>> 15))
  }

  @inline(__always)
  private static func lesser(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
    let difference = b &- a
    return a &+ (difference & (difference &>> 15))
  }

  /// Whether one of some values is less than a limit; none of them is negative.
  @inline(__always)
  static func hasLess(than limit: Int16, _ values: SIMD16<Int16>) -> Bool {
    let words = unsafeBitCast(values &- SIMD16(repeating: limit), to: SIMD4<UInt64>.self)
    return (words.x | words.y | words.z | words.w) & 0x8000_8000_8000_8000 != 0
  }

  /// Returns the least of values of at most 16,383.
  @inline(__always)
  static func least(of values: SIMD16<Int16>) -> Int16 {
    @inline(__always)
    func lesser<Lanes: SIMD>(_ a: Lanes, _ b: Lanes) -> Lanes where Lanes.Scalar == Int16 {
      let difference = b &- a
      return a &+ (difference & (difference &>> 15))
    }
    let eight = lesser(values.lowHalf, values.highHalf)
    let four = lesser(eight.lowHalf, eight.highHalf)
    let two = lesser(four.lowHalf, four.highHalf)
    return min(two.x, two.y)
  }
}
