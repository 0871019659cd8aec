import TestSupport
import Testing

@testable import Raster

@Suite("Compositing")
struct CompositingTests {
  @Test("every product of two channels is divided by 255 and rounded to nearest")
  func everyProduct() {
    var wrong = 0
    for a in 0..<256 {
      for b in 0..<256 {
        let expected = UInt32((Double(a * b) / 255).rounded())
        let bits = UInt32(a) * 0x0101_0101
        if PremultipliedColor.scaled(bits, by: UInt32(b)) != expected * 0x0101_0101 { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test("no channel ever exceeds alpha")
  func channelsStayBelowAlpha() {
    var random = SplitMix64(seed: 5)
    func color() -> PremultipliedColor {
      let alpha = UInt32.random(in: 0...255, using: &random)
      var bits = alpha << 24
      for shift: UInt32 in [0, 8, 16] { bits |= .random(in: 0...alpha, using: &random) << shift }
      return PremultipliedColor(bits: bits)
    }
    for _ in 0..<20_000 {
      let above = color().covered(.random(in: 0...255, using: &random))
      let result = above.over(color())
      for channel in [result.red, result.green, result.blue] {
        #expect(channel <= result.alpha)
      }
    }
  }

  @Test(
    "a row of any coverage is composited pixel by pixel, marks of edges included",
    arguments: [0xFF00_00FF, 0xFA0A_0B0C, 0x8010_7080, 0x0100_0100, 0x0000_0000] as [UInt32],
    [(true, false), (false, false), (true, true)])
  func rows(bits: UInt32, rules: (roundsCoverage: Bool, isBlurred: Bool)) {
    let (roundsCoverage, isBlurred) = rules
    let color = PremultipliedColor(bits: bits)
    var random = SplitMix64(seed: 77)
    for width in [1, 7, 8, 9, 31, 300] {
      let below = Pixmap(width: width, height: 1, tracksEdges: true)
      below.roundsCoverage = roundsCoverage
      for x in 0..<width {
        below[x, 0] = PremultipliedColor(bits: random.pick([0, 0xFF80_4020, 0x5010_2030]))
        below.edges[x] = random.pick([0, 0, Pixmap.gradedEdge, Pixmap.mixedEdge, 3])
      }
      // Stretches of one coverage, as inside and outside of shapes, between partial ones.
      var coverage: [UInt8] = []
      while coverage.count < width {
        let isPartial = random.below(2) == 0
        let value = isPartial ? UInt8(random.below(256)) : random.pick([0, 255])
        coverage += [UInt8](repeating: value, count: isPartial ? 1 : 1 + random.below(20))
      }
      coverage.removeLast(coverage.count - width)
      let (whole, plane, single) = (below.copy(), below.copy(), below.copy())
      coverage.withUnsafeBufferPointer { coverage in
        whole.blendRow(coverage, color: color, at: 0, isBlurred: isBlurred)
        var ramp = CoverageRamp()
        plane.blendRow(
          coverage, ramp.entries(of: color, levels: [], on: plane, isBlurred: isBlurred), at: 0)
        for x in 0..<width {
          single.blendRow(
            UnsafeBufferPointer(rebasing: coverage[x...x]), color: color, at: x,
            isBlurred: isBlurred)
          let expected =
            coverage[x] == 255 || isBlurred || !roundsCoverage
            ? color.covered(coverage[x]).over(below[x, 0]) : single[x, 0]
          #expect(single[x, 0] == expected)
        }
      }
      #expect(whole.bits == single.bits && Array(whole.edges) == Array(single.edges))
      #expect(plane.bits == single.bits && Array(plane.edges) == Array(single.edges))
    }
  }

  @Test("compositing opaque over anything gives it, transparent over anything leaves that")
  func identities() {
    let below = PremultipliedColor(bits: 0x9033_2211)
    let solid = PremultipliedColor(bits: 0xFF01_FE80)
    #expect(solid.over(below) == solid)
    #expect(PremultipliedColor.transparent.over(below) == below)
    #expect(below.covered(255) == below && below.covered(0) == .transparent)
  }

  @Test("a mask is clipped at each side of the picture", arguments: -4...6, [-4, -1, 0, 3, 6])
  func clipping(x: Int, y: Int) {
    let mask = CoverageRasterizer().mask(
      of: .rectangle(x: 0, y: 0, width: 768, height: 512), rule: .nonZero)
    let picture = Pixmap(width: 5, height: 5)
    let solid = PremultipliedColor(.black)
    picture.blend(mask, color: solid, x: x, y: y)
    for row in 0..<5 {
      for column in 0..<5 {
        let inside = (x..<x + 3).contains(column) && (y..<y + 2).contains(row)
        #expect(picture[column, row] == (inside ? solid : .transparent))
      }
    }
  }

  @Test("masks beyond any picture are ignored")
  func farPositions() {
    let mask = CoverageRasterizer().mask(
      of: .rectangle(x: 0, y: 0, width: 768, height: 512), rule: .nonZero)
    let picture = Pixmap(width: 2, height: 2)
    for far in [Int.min, Int.max, 1 << 31, -1 << 31] {
      picture.blend(mask, color: PremultipliedColor(.white), x: far, y: 0)
      picture.blend(Pixmap(width: 1, height: 1), x: 0, y: far)
    }
    #expect(picture.bits == [0, 0, 0, 0])
  }

  @Test("a picture over a picture is clipped at the sides and faded by its opacity")
  func pictures() {
    let above = Pixmap(width: 2, height: 2)
    above.clear(to: PremultipliedColor(.white))
    let below = Pixmap(width: 3, height: 3)
    below.clear(to: PremultipliedColor(.black))
    below.blend(above, x: 2, y: -1, opacity: 51)
    #expect(below[2, 0] == PremultipliedColor(bits: 0xFF33_3333))
    #expect(below.bits.count { $0 != PremultipliedColor.black } == 1)
  }
}

extension PremultipliedColor {
  fileprivate static let black: UInt32 = 0xFF00_0000
}

extension Pixmap {
  /// Returns an equal picture with its marks of edges.
  fileprivate func copy() -> Pixmap {
    let copy = Pixmap(width: width, height: height, tracksEdges: !edges.isEmpty)
    _ = copy.pixels.update(fromContentsOf: pixels)
    _ = copy.edges.update(fromContentsOf: edges)
    copy.roundsCoverage = roundsCoverage
    return copy
  }
}
