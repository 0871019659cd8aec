import Raster
import TestSupport
import Testing

@testable import Painting

@Suite("A style's palette")
struct StylePaletteTests {
  /// Premultiplied colours with random weights.
  private func histogram(_ count: Int, seed: UInt64) -> [UInt32: Int] {
    var random = SplitMix64(seed: seed)
    var histogram: [UInt32: Int] = [:]
    for _ in 0..<count {
      let color = Color(
        red: random.number(in: 0..<1), green: random.number(in: 0..<0.3), blue: 0,
        alpha: random.number(in: 0..<1))
      histogram[PremultipliedColor(color).bits, default: 0] += 1 + random.below(100)
    }
    return histogram
  }

  @Test("a style's palette begins with the background and has each exact colour once, at most 256")
  func invariants() {
    let exact: [UInt32] = [0xFFFF_FFFF, 0xFF2A_5FFF, 0xFF00_0000]
    let palette = StylePalette(
      background: 0, exact: exact, histogram: histogram(400, seed: 1))
    #expect(palette.colors[0] == 0)
    #expect(palette.colors.count <= 256)
    #expect(Set(palette.colors).count == palette.colors.count)
    #expect(Set(exact).isSubset(of: palette.colors))
    // Most transparent first, so that tRNS is short.
    let alphas = palette.colors.dropFirst().map { $0 >> 24 }
    #expect(alphas == alphas.sorted())
  }

  @Test("a style's palette has every colour of a small histogram within its tolerance")
  func covers() {
    let histogram = histogram(60, seed: 2)
    let palette = StylePalette(background: 0, exact: [], histogram: histogram)
    for color in histogram.keys {
      // What can be seen is never matched with the transparent background.
      let entries = color == 0 ? palette.colors : Array(palette.colors.dropFirst())
      let nearest = entries.map { StylePalette.distance($0, color) }.min() ?? 256
      #expect(nearest <= StylePalette.tolerance)
    }
  }

  @Test("a style's palette does not depend on the order of a dictionary")
  func isDeterministic() {
    let one = histogram(150, seed: 3)
    var two: [UInt32: Int] = [:]
    two.reserveCapacity(5000)
    for (color, weight) in one.sorted(by: { $0.key > $1.key }) { two[color] = weight }
    let palettes = [one, two].map { StylePalette(background: 0, exact: [], histogram: $0).colors }
    #expect(palettes[0] == palettes[1])
  }

  @Test("a style's palette matches like a scan of every entry, repeatedly")
  func matching() {
    let histogram = histogram(120, seed: 4)
    let palette = StylePalette(background: 0, exact: [], histogram: histogram)
    var matcher = PaletteMatcher(palette)
    var random = SplitMix64(seed: 9)
    let known = histogram.keys.sorted()
    for _ in 0..<600 {
      let color =
        random.below(2) == 0
        ? random.pick(known)
        : PremultipliedColor(
          Color(
            red: random.number(in: 0..<1), green: random.number(in: 0..<1), blue: 0.5,
            alpha: random.number(in: 0..<1))
        ).bits
      let result = matcher.index(of: color)
      // What can be seen is never matched with the transparent background.
      let entries = color == 0 ? palette.colors : Array(palette.colors.dropFirst())
      let nearest = entries.map { StylePalette.distance($0, color) }.min() ?? 256
      let index = Int(result & 0xFF)
      #expect(StylePalette.distance(palette.colors[index], color) == nearest)
      let isOut = result & PaletteMatcher.outOfTolerance != 0
      #expect(isOut == (nearest > StylePalette.tolerance))
    }
  }

  @Test("over white, a lighter red and a higher alpha are further apart than either")
  func overWhite() {
    #expect(StylePalette.distance(0x0102_0304, 0x0A02_0301) == 12)
    #expect(StylePalette.distance(0x4000_0000, 0x3900_0007) == 14)
  }

  @Test("the distance of colours is the largest difference of a channel")
  func distance() {
    #expect(StylePalette.distance(0x0102_0304, 0x0102_0304) == 0)
    #expect(StylePalette.distance(0x8002_0304, 0x8002_0A04) == 7)
    #expect(StylePalette.distance(0xFF00_0000, 0x0000_0000) == 255)
  }
}
