import Overlays
import PNG
import Raster
import TestSupport
import Testing

@Suite("The paint of a raster layer")
struct RasterPaintTests {
  /// The shader of MapLibre in numbers of 0 … 1, written out channel by channel.
  private static func shader(_ color: PremultipliedColor, _ paint: RasterPaint) -> [Double] {
    let alpha = Double(color.alpha)
    let rgb = [color.red, color.green, color.blue].map { Double($0) / alpha }
    let turns = paint.hueRotate / 360
    // A turn about the gray axis by Rodrigues' formula.
    let (c, s) = cosineAndSine(turns)
    let mean = (rgb[0] + rgb[1] + rgb[2]) / 3
    let root = 3.0.squareRoot()
    let cross = [rgb[2] - rgb[1], rgb[0] - rgb[2], rgb[1] - rgb[0]].map { $0 / root }
    var turned = (0..<3).map { rgb[$0] * c + cross[$0] * s + mean * (1 - c) }
    let saturation =
      paint.saturation > 0 ? 1 - 1 / (1.001 - paint.saturation) : -paint.saturation
    turned = turned.map { $0 + (mean - $0) * saturation }
    let contrast = paint.contrast > 0 ? 1 / (1 - paint.contrast) : 1 + paint.contrast
    turned = turned.map { ($0 - 0.5) * contrast + 0.5 }
    turned = turned.map { paint.brightnessMin + $0 * (paint.brightnessMax - paint.brightnessMin) }
    let cut = turned.map { min(max($0, 0), 1) * alpha * paint.opacity }
    return cut + [alpha * paint.opacity]
  }

  /// By series, so that nothing is shared with the code under test.
  private static func cosineAndSine(_ turns: Double) -> (Double, Double) {
    let angle = turns.remainder(dividingBy: 1) * 2 * Double.pi
    var (c, s, term) = (1.0, 0.0, 1.0)
    for n in 1..<40 {
      term *= angle / Double(n)
      switch n % 4 {
      case 1: s += term
      case 2: c -= term
      case 3: s -= term
      default: c += term
      }
    }
    return (c, s)
  }

  @Test("the default raster paint changes nothing")
  func identity() {
    let pixmap = Pixmap(width: 2, height: 1)
    pixmap.pixels[0] = 0x8040_2010
    RasterPaint().apply(to: pixmap)
    #expect(RasterPaint().isIdentity && pixmap.pixels[0] == 0x8040_2010 && pixmap.pixels[1] == 0)
  }

  @Test("raster paint follows the formulas of MapLibre's shader")
  func formulas() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<500 {
      var paint = RasterPaint()
      paint.opacity = random.number(in: 0.2..<1)
      if random.below(2) == 0 { paint.hueRotate = random.number(in: -400..<400) }
      if random.below(2) == 0 { paint.saturation = random.number(in: -1..<0.99) }
      if random.below(2) == 0 { paint.contrast = random.number(in: -1..<0.95) }
      if random.below(2) == 0 { paint.brightnessMin = random.number(in: 0..<1) }
      if random.below(2) == 0 { paint.brightnessMax = random.number(in: 0..<1) }
      let straight = UInt32(truncatingIfNeeded: random.next()) | 0x1000_0000
      let color = PremultipliedColor(straightBits: straight)
      let expected = Self.shader(color, paint)
      let found = paint.color(color)
      for (channel, value) in [found.red, found.green, found.blue, found.alpha].enumerated() {
        #expect(abs(Double(value) - expected[channel]) < 0.52, "\(paint) \(color)")
      }
      #expect(max(found.red, found.green, found.blue) <= found.alpha)
    }
  }

  @Test("raster paint rotates red to green to blue by 120°, and gives gray without saturation")
  func hue() {
    var paint = RasterPaint()
    paint.hueRotate = 120
    #expect(paint.color(PremultipliedColor(bits: 0xFF00_00FF)).bits == 0xFF00_FF00)
    #expect(paint.color(PremultipliedColor(bits: 0xFF00_FF00)).bits == 0xFFFF_0000)
    paint = RasterPaint()
    paint.saturation = -1
    #expect(paint.color(PremultipliedColor(bits: 0xFF00_00FF)).bits == 0xFF55_5555)
    paint = RasterPaint()
    paint.contrast = 1
    #expect(paint.color(PremultipliedColor(bits: 0xFF80_7F90)).bits == 0xFFFF_00FF)
  }

  @Test("raster paint leaves transparent pixels and those outside the box alone")
  func box() {
    let pixmap = Pixmap(width: 3, height: 1)
    for x in 1..<3 { pixmap.pixels[x] = 0xFF00_00FF }
    var paint = RasterPaint()
    paint.brightnessMin = 1
    paint.apply(to: pixmap, box: PaintedBox(columns: 0..<2, rows: 0..<1))
    #expect(Array(pixmap.pixels) == [0, 0xFFFF_FFFF, 0xFF00_00FF])
  }

  @Test("raster paint supports the names of MapLibre's resampling")
  func resampling() {
    #expect(ResamplingKernel(rasterResampling: "linear") == .bilinear)
    #expect(ResamplingKernel(rasterResampling: "nearest") == .nearest)
    #expect(ResamplingKernel(rasterResampling: "cubic") == nil)
  }
}
