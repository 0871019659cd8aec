import Platform

/// What one point of a heatmap adds to the density around it.
///
/// The Gaussian of MapLibre's heatmap shaders: at d radii from the point the density is
/// weight · intensity / √(2π) · exp(−½ · 3² · d²). It is cut off along each axis where it falls
/// below ``faintest``, so its support is a square.
package struct HeatmapKernel: Hashable, Sendable {
  /// The largest radius in px; larger ones are drawn at this size.
  package static let maxRadius = 2000.0

  /// The density at which a kernel ends: a sixteenth of a step of 255.
  package static let faintest = 1.0 / 255 / 16

  /// 1 / √(2π).
  private static let normalization = 0.398_942_280_401_432_7

  /// Keeps sums of huge weights finite in single precision.
  private static let maxPeak = 1e30

  /// Of the heatmap layer, px.
  let radius: Double

  /// The density at the point itself, in steps of ``DensityScale/one``.
  let peak: Float

  /// How far from the point the kernel ends along each axis, in 1/16 px.
  package let reach: Int

  /// The kernel of a point, `nil` where it adds nothing that could be seen.
  ///
  /// - Parameters:
  ///   - radius: px.
  ///   - weight: how many points the point counts for.
  ///   - intensity: the layer's factor of all weights.
  package init?(radius: Double, weight: Double, intensity: Double) {
    // Comparisons are false for NaN.
    guard radius > 0, weight > 0, intensity > 0 else { return nil }
    let density = min(weight * intensity * Self.normalization, Self.maxPeak)
    guard density > Self.faintest else { return nil }
    self.radius = min(radius, Self.maxRadius)
    peak = Float(density) * DensityScale.one
    let radii = (2 * log(density / Self.faintest)).squareRoot() / 3
    reach = Int((16 * self.radius * radii).rounded(.down))
  }

  /// The pixels along one axis whose centres the kernel reaches from a position in 1/16 px.
  @inline(__always)
  package func pixels(around position: Int) -> Range<Int> {
    let first = (position &- 8 &- reach &+ 15) >> 4
    let last = (position &- 8 &+ reach) >> 4
    return first..<max(first, last &+ 1)
  }

  /// The kernel's decay at a distance of 1/16 px along one axis: 1 at 0, less beyond.
  func decay(_ distance: Int) -> Float {
    let radii = Double(distance) / (16 * radius)
    return Float(exp(-4.5 * radii * radii))
  }

  /// What the kernel adds at a pixel, in steps of ``DensityScale/one``; never more than that.
  ///
  /// - Parameters:
  ///   - dx: from the point to the pixel's centre, 1/16 px.
  ///   - dy: the same southward.
  package func density(dx: Int, dy: Int) -> Float {
    guard abs(dx) <= reach, abs(dy) <= reach else { return 0 }
    return min(DensityScale.rounded(peak * decay(dy) * decay(dx)), DensityScale.one)
  }
}

/// The fixed point in which densities are summed.
///
/// Densities are whole numbers of 2⁻²² held in single precision, which is exact up to 2²⁴, and sums
/// stop at a density of 1: so a sum does not depend on the order of its parts.
package enum DensityScale {
  /// A density of 1, from where the last colour of a ramp shows.
  package static let one: Float = 4_194_304

  /// Added and taken away again, it rounds a positive number below 2²³ to a whole one.
  private static let magic: Float = 8_388_608

  /// A positive number rounded to a whole one, ties to even; one that is 2²³ or more stays as large.
  @inline(__always)
  static func rounded(_ value: Float) -> Float {
    (value + magic) - magic
  }

  /// The entry of a ramp for a sum of densities: the nearest of 0 … 4080.
  @inline(__always)
  package static func index(_ sum: Float) -> Int {
    Int(min(max(sum, 0), one) * (Float(HeatmapRamp.count - 1) / one) + 0.5)
  }
}
