import Platform

/// The contribution of one point of a heatmap to the density around it.
///
/// The Gaussian of MapLibre's heatmap shaders: at d radii from the point the density is weight ·
/// intensity / √(2π) · exp(−½ · 3² · d²). The kernel ends along each axis where it falls below
/// ``faintest``, so its support is a square.
package struct HeatmapKernel: Hashable, Sendable {
  /// Maximum radius in pixels; larger ones are drawn at this size.
  package static let maxRadius = 2000.0

  /// The density at which a kernel ends: a sixteenth of a step of 255.
  package static let faintest = 1.0 / 255 / 16

  /// The normalization 1 / √(2π).
  private static let normalization = 0.398_942_280_401_432_7

  /// Maximum peak, which keeps sums of huge weights finite in single precision.
  private static let maxPeak = 1e30

  /// The radius of the heatmap layer, in pixels.
  let radius: Double

  /// The density at the point itself, in steps of ``DensityScale/one``.
  let peak: Float

  /// The distance from the point at which the kernel ends along each axis, in 1/16 px.
  package let reach: Int

  /// Creates the kernel of a point, `nil` if its contribution is not visible.
  ///
  /// - Parameters:
  ///   - radius: the radius in pixels.
  ///   - weight: the number of points that the point counts for.
  ///   - intensity: the layer's factor for all weights.
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

  /// Returns the pixels along one axis whose centres the kernel reaches from a position in 1/16 px.
  @inline(__always)
  package func pixels(around position: Int) -> Range<Int> {
    let first = (position &- 8 &- reach &+ 15) >> 4
    let last = (position &- 8 &+ reach) >> 4
    return first..<max(first, last &+ 1)
  }

  /// Returns the kernel's decay at a distance in 1/16 px along one axis: 1 at 0, less beyond.
  func decay(_ distance: Int) -> Float {
    let radii = Double(distance) / (16 * radius)
    return Float(exp(-4.5 * radii * radii))
  }

  /// Returns the kernel's contribution at a pixel, in steps of ``DensityScale/one``; never more
  /// than that.
  ///
  /// - Parameters:
  ///   - dx: the distance from the point to the pixel's centre, in 1/16 px.
  ///   - dy: the distance southward, likewise.
  package func density(dx: Int, dy: Int) -> Float {
    guard abs(dx) <= reach, abs(dy) <= reach else { return 0 }
    return min(DensityScale.rounded(peak * decay(dy) * decay(dx)), DensityScale.one)
  }
}

/// The fixed-point scale in which densities are summed.
///
/// Densities are whole numbers of 2⁻²² stored in single precision, which is exact up to 2²⁴, and
/// sums stop at a density of 1: so a sum does not depend on the order of its parts.
package enum DensityScale {
  /// A density of 1, from which on the last colour of a ramp is used.
  package static let one: Float = 4_194_304

  /// A number that, added and subtracted again, rounds a positive number below 2²³ to a whole one.
  private static let magic: Float = 8_388_608

  /// Returns a positive number rounded to a whole one, ties to even; one of 2²³ or more is
  /// unchanged in size.
  @inline(__always)
  static func rounded(_ value: Float) -> Float {
    (value + magic) - magic
  }

  /// Returns the entry of a ramp for a sum of densities: the nearest of 0 … 4080.
  @inline(__always)
  package static func index(_ sum: Float) -> Int {
    Int(min(max(sum, 0), one) * (Float(HeatmapRamp.count - 1) / one) + 0.5)
  }
}
