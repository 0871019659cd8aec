import Platform
import Tiling

/// Latitudes on the Web Mercator square: y = ½ − asinh(tan φ)/2π and its inverse, not clamped to
/// its edges.
enum MercatorScale {
  /// Returns the world y of a latitude in degrees: negative or above 1 beyond ±85.0511°, and at the
  /// poles, where Mercator is infinite, some large number.
  ///
  /// The square's edges are exactly 0 and 1, for latitudes within 0.1 mm of them.
  static func y(latitude: Double) -> Double {
    if abs(abs(latitude) - WorldPoint.maxLatitude) < 1e-9 { return latitude > 0 ? 0 : 1 }
    return 0.5 - asinh(tan(latitude * (Double.pi / 180))) / (2 * Double.pi)
  }

  /// Returns the world y of a latitude in degrees; beyond ±85.0511°, the y of the square's edge.
  static func edgeY(latitude: Double) -> Double {
    let limit = WorldPoint.maxLatitude
    return y(latitude: min(max(latitude, -limit), limit))
  }

  /// Returns the latitude in degrees of a world y.
  static func latitude(y: Double) -> Double {
    atan(sinh(Double.pi * (1 - 2 * y))) * (180 / Double.pi)
  }
}
