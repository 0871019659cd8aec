import Foundation
import PlainPainting
import Raster
import TestSupport
import Testing

@testable import Styling

/// One fact of painting each, as pictures in text: alpha in sixteenths, `.` where nothing shows.
///
/// `make bless` records them anew.
@Suite("A golden picture")
struct GoldenTests {
  /// A picture's name, its side, and what is in its middle or where it says.
  struct Picture: Sendable, CustomTestStringConvertible {
    var name: String
    var side = 16
    var scale = 1
    var stack: LookStack
    /// The centre in sixteenths of a px; the middle of the picture unless given.
    var center: (x: Int, y: Int)?

    var testDescription: String { name }
  }

  private static func circle(
    _ radius: Double, alpha: Double = 1, blur: Double = 0, stroke: Double = 0,
    translate: (Double, Double) = (0, 0), layer: Int = 0
  ) -> StackedLook {
    StackedLook(
      layer: layer,
      look: .circle(
        CircleLook(
          radius: radius, blur: blur, color: Color.black.faded(alpha), strokeWidth: stroke,
          strokeColor: Color.black.faded(0.5), translateX: translate.0, translateY: translate.1)))
  }

  private static func text(_ text: String, halo: Double = 0, color: Color = .black) -> StackedLook {
    StackedLook(
      layer: 1,
      look: .text(
        TextLook(
          text: text, style: TextStyle(fontStack: ["DejaVu Sans Bold"], size: 10), color: color,
          haloColor: Color.black.faded(0.5), haloWidth: halo)))
  }

  /// A text in glyphs of their own, on a slope and beyond.
  private static let climbing: StackedLook = {
    var look = TextLook(
      text: "ab", style: TextStyle(fontStack: ["DejaVu Sans Bold"], size: 10), color: .black,
      haloColor: Color.black.faded(0.3), haloWidth: 1)
    look.poses = [
      GlyphPose(x: -3, y: 2, cosine: 0.8, sine: -0.6), GlyphPose(x: 3, y: -2, cosine: 0, sine: -1),
    ]
    return StackedLook(layer: 1, look: .text(look))
  }()

  private static let sections = StackedLook(
    layer: 1,
    look: .text(
      TextLook(
        sections: [
          TextSection("1"), TextSection("2", scale: 0.7, color: Color.black.faded(0.5)),
        ], style: TextStyle(fontStack: ["DejaVu Sans Bold"], size: 12), color: .black)))

  private static func icon(
    _ image: StyleImage, size: Double = 1, _ change: (inout IconLook) -> Void = { _ in }
  ) -> StackedLook {
    var icon = SampleImages.icon(image, size: size)
    change(&icon)
    return StackedLook(layer: 2, look: .icon(icon))
  }

  static let pictures = [
    Picture(name: "icon-pixel-by-pixel", stack: [icon(SampleImages.arrow())], center: (133, 131)),
    Picture(name: "icon-cut-by-the-edge", stack: [icon(SampleImages.arrow())], center: (0, 130)),
    Picture(name: "icon-enlarged", stack: [icon(SampleImages.arrow(), size: 1.5)]),
    Picture(name: "icon-reduced", stack: [icon(SampleImages.disc, size: 0.5)]),
    Picture(
      name: "icon-turned-and-faded",
      stack: [
        icon(SampleImages.arrow()) {
          $0.rotate = 30
          $0.opacity = 0.5
        }
      ]),
    Picture(
      name: "icon-at-density-two", scale: 2, stack: [icon(SampleImages.arrow(pixelRatio: 2))]),
    Picture(
      name: "icon-stretched-around-a-text",
      stack: [
        icon(SampleImages.frame) {
          $0.columns = [(0, -7), (2, -5), (4, 5), (6, 7)].map {
            IconLook.Stop(texel: $0.0, place: $0.1)
          }
          $0.rows = [(0, -5), (2, -3), (4, 3), (6, 5)].map {
            IconLook.Stop(texel: $0.0, place: $0.1)
          }
        }
      ]),
    Picture(
      name: "icon-of-a-distance-field-with-halo",
      stack: [
        icon(SampleImages.disc) {
          $0.haloColor = Color.black.faded(0.4)
          $0.haloWidth = 2
        }
      ]),
    Picture(name: "disc-on-a-pixel-corner", stack: [circle(4)]),
    Picture(name: "disc-on-a-pixel-middle", stack: [circle(4)], center: (136, 136)),
    Picture(name: "disc-cut-by-the-edge", stack: [circle(4)], center: (0, 128)),
    Picture(name: "stroke-outside-of-the-disc", stack: [circle(4, stroke: 2)]),
    Picture(name: "stroke-alone", stack: [circle(5, alpha: 0, stroke: 1)]),
    Picture(name: "blur-fades-inward", stack: [circle(6, blur: 0.5)]),
    Picture(name: "translate-moves-south-east", stack: [circle(2, translate: (3, 4))]),
    Picture(name: "density-two-doubles", scale: 2, stack: [circle(3)]),
    Picture(name: "text-in-the-middle", stack: [text("42")]),
    Picture(name: "halo-around-a-text", stack: [text("4", halo: 1.5)]),
    Picture(
      name: "translucent-text-over-its-halo",
      stack: [text("4", halo: 1.5, color: Color.black.faded(0.5))]),
    Picture(name: "glyphs-climb-along-a-line", stack: [climbing]),
    Picture(name: "sections-of-two-sizes-and-colours", stack: [sections]),
    Picture(
      name: "layers-add-up", stack: [circle(6, alpha: 0.5), circle(3, alpha: 0.5, layer: 1)]),
  ]

  @Test("a golden picture equals its recording", arguments: pictures)
  func golden(picture: Picture) throws {
    let center = picture.center ?? (picture.side * 8, picture.side * 8)
    let pixmap = try PlainPainter(fonts: fonts.get()).paint(
      PlainScene(
        size: picture.side, scale: picture.scale,
        symbols: [PlainScene.Symbol(stack: picture.stack, x: center.x, y: center.y)]))
    let text = Self.text(of: pixmap)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens/\(picture.name).txt")
    if blessesGoldens { try text.write(to: file, atomically: true, encoding: .utf8) }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }

  /// Alpha of each pixel as one digit: `0` for up to 15, `f` for 240 and more.
  private static func text(of pixmap: Pixmap) -> String {
    (0..<pixmap.height).map { y in
      (0..<pixmap.width).map { x in
        let alpha = pixmap[x, y].alpha
        return alpha == 0 ? "." : String(alpha >> 4, radix: 16)
      }.joined() + "\n"
    }.joined()
  }
}
