import Platform
import Tiling

/// Latitudes on the Web Mercator square: y = ½ − asinh(tan φ)/2π and back, not cut at its edges.
enum MercatorScale {
  /// World y of a latitude in degrees: negative or above 1 beyond ±85.0511°, and at the poles some
  /// number far off, where Mercator has none.
  ///
  /// The square's edges are exactly 0 and 1, for latitudes that are theirs within 0.1 mm.
  static func y(latitude: Double) -> Double {
    if abs(abs(latitude) - WorldPoint.maxLatitude) < 1e-9 { return latitude > 0 ? 0 : 1 }
    return 0.5 - asinh(tan(latitude * (Double.pi / 180))) / (2 * Double.pi)
  }

  /// World y of a latitude in degrees; beyond ±85.0511° it is that of the square's edge.
  static func edgeY(latitude: Double) -> Double {
    let limit = WorldPoint.maxLatitude
    return y(latitude: min(max(latitude, -limit), limit))
  }

  /// Latitude in degrees of a world y.
  static func latitude(y: Double) -> Double {
    atan(sinh(Double.pi * (1 - 2 * y))) * (180 / Double.pi)
  }
}
