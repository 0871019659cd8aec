import Tiling

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Latitudes on the Web Mercator square: y = ½ − asinh(tan φ)/2π and back, not cut at its edges.
enum MercatorScale {
  /// World y of a latitude in degrees; beyond ±85.0511° it is that of the square's edge.
  static func y(latitude: Double) -> Double {
    if latitude >= WorldPoint.maxLatitude { return 0 }
    if latitude <= -WorldPoint.maxLatitude { return 1 }
    return 0.5 - asinh(tan(latitude * (Double.pi / 180))) / (2 * Double.pi)
  }

  /// Latitude in degrees of a world y.
  static func latitude(y: Double) -> Double {
    atan(sinh(Double.pi * (1 - 2 * y))) * (180 / Double.pi)
  }
}
