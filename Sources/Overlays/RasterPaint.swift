import Platform
package import Raster

/// The paint properties of a `raster` layer, with the names and ranges of the MapLibre style
/// specification.
///
/// Colours are changed in straight sRGB in the order of MapLibre's shader: hue, saturation,
/// contrast, brightness. Channels are clamped to 0 … 1 before they are premultiplied again, where
/// the shader would let a translucent pixel exceed its alpha.
package struct RasterPaint: Hashable, Sendable {
  /// The opacity, 0 … 1.
  package var opacity = 1.0

  /// The rotation of hues in degrees around the colour wheel; any number.
  package var hueRotate = 0.0

  /// The value that black maps to, 0 … 1.
  package var brightnessMin = 0.0

  /// The value that white maps to, 0 … 1.
  package var brightnessMax = 1.0

  /// The saturation, −1 (gray) … 1.
  package var saturation = 0.0

  /// The contrast, −1 (flat gray) … 1.
  package var contrast = 0.0

  package init() {}

  /// Whether the paint changes no pixel.
  package var isIdentity: Bool { self == RasterPaint() }

  /// Paints a picture in place.
  ///
  /// - Parameter box: the pixels that are not transparent; `nil` examines all.
  /// - Complexity: O(pixels of the box).
  package func apply(to pixmap: Pixmap, box: PaintedBox? = nil) {
    if isIdentity { return }
    let shade = RasterShade(self)
    let columns = (box?.columns ?? 0..<pixmap.width).clamped(to: 0..<pixmap.width)
    let rows = (box?.rows ?? 0..<pixmap.height).clamped(to: 0..<pixmap.height)
    // Neighbours are often equal, so the last colour and its result are kept.
    var (last, painted) = (UInt32(0), UInt32(0))
    for y in rows {
      let start = y &* pixmap.width
      for x in columns {
        let color = pixmap.pixels[start &+ x]
        if color != last { (last, painted) = (color, shade.color(color)) }
        pixmap.pixels[start &+ x] = painted
      }
    }
  }

  /// Returns the painted form of a premultiplied colour.
  package func color(_ color: PremultipliedColor) -> PremultipliedColor {
    isIdentity ? color : PremultipliedColor(bits: RasterShade(self).color(color.bits))
  }
}

/// The parameters of ``RasterPaint`` as the shader uses them.
///
/// Formulas: MapLibre GL JS, raster_program.ts and raster.fragment.glsl.
private struct RasterShade {
  private let opacity: Float
  private let spin: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  private let saturation: Float
  private let contrast: Float
  private let low: Float
  private let high: Float

  init(_ paint: RasterPaint) {
    func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Float {
      Float(min(max(value.isNaN ? 0 : value, range.lowerBound), range.upperBound))
    }
    opacity = bounded(paint.opacity, 0...1)
    (low, high) = (bounded(paint.brightnessMin, 0...1), bounded(paint.brightnessMax, 0...1))
    let wanted = bounded(paint.saturation, -1...1)
    saturation = wanted > 0 ? 1 - 1 / (1.001 - wanted) : -wanted
    // At 1 the shader's factor is infinite; a number beyond all channels has the same effect.
    let step = bounded(paint.contrast, -1...1)
    contrast = step > 0 ? min(1 / (1 - step), 1e6) : 1 + step
    let angle = paint.hueRotate.isFinite ? paint.hueRotate * (Double.pi / 180) : 0
    let (s, c, root) = (sin(angle), cos(angle), 3.0.squareRoot())
    let weights = [2 * c + 1, -root * s - c + 1, root * s - c + 1].map { Float($0 / 3) }
    let (a, b, d) = (weights[0], weights[1], weights[2])
    spin = (SIMD4(a, d, b, 0), SIMD4(b, a, d, 0), SIMD4(d, b, a, 0))
  }

  func color(_ bits: UInt32) -> UInt32 {
    guard bits >> 24 != 0 else { return 0 }
    let channels = Channels.unpacked(bits)
    let alpha = channels.w
    let straight = channels / alpha
    let average = (straight.x + straight.y + straight.z) / 3
    var rgb = spin.0 * straight.x + spin.1 * straight.y + spin.2 * straight.z
    rgb += (average - rgb) * saturation
    rgb = (rgb - 0.5) * contrast + 0.5
    rgb = low + rgb * (high - low)
    rgb *= alpha * opacity
    rgb.w = alpha * opacity
    return Channels.packedBounded(rgb)
  }
}
