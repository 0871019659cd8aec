import Features
import Raster
import Testing

@testable import Painting
@testable import Styling

@Suite("A circle's pixels")
struct CircleLookTests {
  /// The premultiplied pixel of a sprite at a place relative to the anchor pixel.
  private func pixel(_ sprite: SymbolSprite, _ x: Int, _ y: Int) -> UInt32 {
    let (column, row) = (x - sprite.originX, y - sprite.originY)
    guard (0..<sprite.width).contains(column), (0..<sprite.height).contains(row) else { return 0 }
    return sprite.pixels[row * sprite.width + column]
  }

  private func smoothstep(_ from: Double, _ to: Double, _ value: Double) -> Double {
    let t = min(max((value - from) / (to - from), 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// MapLibre's circle shader: opacity_t · mix(color · opacity, stroke · strokeOpacity, color_t),
  /// as red and alpha of 0 … 1 where the fill is red and the stroke blue.
  private func shader(
    _ distance: Int, opacity: Double, strokeOpacity: Double
  ) -> (red: Double, blue: Double) {
    let (radius, strokeWidth, blur) = (7.0, 4.0, 0.3)
    let extrude = Double(distance) / (radius + strokeWidth)
    let whole = smoothstep(0, -blur, extrude - 1)
    let share = smoothstep(-blur, 0, extrude - radius / (radius + strokeWidth))
    return (whole * (1 - share) * opacity, whole * share * strokeOpacity)
  }

  @Test(
    "a circle's pixels mix fill and stroke, each with its own opacity, like MapLibre's shader",
    arguments: [1, 0.6, 0], [1, 0.25, 0])
  func opacities(opacity: Double, strokeOpacity: Double) throws {
    let text = #"""
      {"id": "a", "type": "circle", "source": "s", "paint": {
        "circle-radius": 7, "circle-stroke-width": 4, "circle-blur": 0.3,
        "circle-color": "rgba(255, 0, 0, 0.5)", "circle-opacity": \#(opacity),
        "circle-stroke-color": "blue", "circle-stroke-opacity": \#(strokeOpacity)}}
      """#
    var lists = 0
    let resolver = LookResolver(
      try layer(text), index: 0, zoom: 3, shaper: TextShaper(fonts: try fonts.get()),
      nextList: &lists)
    guard let look = try resolver.look(of: SampleFeature()) else {
      #expect(opacity == 0 && strokeOpacity == 0)
      return
    }
    let sprite = try SpriteFactory(scale: 1, fonts: fonts.get())
      .sprite(of: look, phaseX: 8, phaseY: 8)
    for distance in 0...12 {
      let found = pixel(sprite, distance, 0)
      let (red, blue) = shader(distance, opacity: opacity * 0.5, strokeOpacity: strokeOpacity)
      #expect(abs(Double(found & 0xFF) - 255 * red) <= 1.5, "\(distance)")
      #expect(abs(Double(found >> 16 & 0xFF) - 255 * blue) <= 1.5, "\(distance)")
      #expect(abs(Double(found >> 24) - 255 * (red + blue)) <= 2.5, "\(distance)")
    }
  }
}
