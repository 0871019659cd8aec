import TestSupport
import Testing

@testable import Overlays

@Suite("The order of colours")
struct ColorOrderTests {
  @Test(
    "colours are ordered by the luminance of the premultiplied colour, then by opacity",
    arguments: [
      // Red, green, blue and white as premultiplied RGBA bytes, red in the lowest.
      (0xFF00_00FF, 0xFF00_FF00), (0xFFFF_0000, 0xFF00_00FF), (0xFF00_FF00, 0xFFFF_FFFF),
      (0x8000_8000, 0xFF00_FF00), (0x8000_0000, 0xFF00_0000),
    ] as [(UInt32, UInt32)])
  func order(darker: UInt32, brighter: UInt32) {
    #expect(Channels.brighter(darker, brighter) == brighter)
    #expect(Channels.brighter(brighter, darker) == brighter)
    #expect(Channels.darker(darker, brighter) == darker)
    #expect(Channels.darker(brighter, darker) == darker)
  }

  @Test("the order of colours is total, so the brightest of many does not depend on their order")
  func total() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<200 {
      // Few different channels, so that some colours are equally bright.
      let colors = (0..<9).map { _ in
        (0..<4).reduce(UInt32(0)) { bits, shift in
          bits | UInt32(random.next() % 3) << UInt32(8 * shift)
        }
      }
      let found = colors.reduce(colors[0], Channels.brighter)
      #expect(colors.contains(found))
      #expect(colors.reversed().reduce(colors[8], Channels.brighter) == found)
      #expect(colors.sorted().reduce(colors[4], Channels.brighter) == found)
    }
  }
}
