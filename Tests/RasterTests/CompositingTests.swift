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
