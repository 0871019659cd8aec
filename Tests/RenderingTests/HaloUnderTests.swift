import Painting
import Raster
import Testing

@testable import Styling

@Suite("Halos under translucent symbols")
struct HaloUnderTests {
  private static let blue = Color(red: 0, green: 0, blue: 1)
  private static let yellow = Color(red: 1, green: 1, blue: 0)

  /// The premultiplied colour at a pixel beside the anchor, 0 … 255.
  private func pixel(_ look: Look, _ x: Int, _ y: Int) throws -> [Int] {
    let sprite = try SpriteFactory(scale: 1, fonts: fonts.get()).sprite(
      of: look, phaseX: 0, phaseY: 0)
    let bits = sprite.pixels[(y - sprite.originY) * sprite.width + x - sprite.originX]
    return [0, 8, 16, 24].map { Int(bits >> $0 & 255) }
  }

  /// The colour of half of a blue over half of a yellow, and of half a blue over a yellow: a fill
  /// over its halo as MapLibre Native draws them.
  @Test(
    "a halo lies under the whole of a translucent icon or text",
    arguments: [
      (0.5, 1.0, [64, 64, 128, 191]), (1, 0.5, [128, 128, 128, 255]), (1, 0, [255, 255, 0, 255]),
    ])
  func under(opacity: Double, alpha: Double, expected: [Int]) throws {
    var icon = SampleImages.icon(SampleImages.disc)
    icon.color = Self.blue.faded(alpha)
    icon.opacity = opacity
    icon.haloColor = Self.yellow
    icon.haloWidth = 2
    let text = TextLook(
      sections: [TextSection("\u{25A0}")],
      style: TextStyle(fontStack: ["DejaVu Sans"], size: 60),
      color: Self.blue.faded(alpha * opacity), haloColor: Self.yellow.faded(opacity), haloWidth: 2)
    for look in [Look.icon(icon), .text(text)] {
      let found = try pixel(look, 0, 0)
      #expect(
        zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found) instead of \(expected)")
    }
  }
}
