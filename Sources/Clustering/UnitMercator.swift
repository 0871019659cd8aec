import Platform
import Tiling

/// Web Mercator as fractions of the world in double precision, computed in exactly the steps of
/// supercluster: clusters by radius equal its own only if every rounding does.
enum UnitMercator {
  /// Returns the fraction eastward from 180° W. Longitudes beyond ±180° are wrapped first; 180°
  /// itself stays in the east.
  static func x(longitude: Double) -> Double {
    let inside = abs(longitude) <= 180
    let wrapped = inside ? longitude : LngLat(longitude: longitude, latitude: 0).wrappedLongitude
    return wrapped / 360 + 0.5
  }

  /// Returns the fraction southward from 85.0511° N, clamped to the square.
  static func y(latitude: Double) -> Double {
    let sine = sin(latitude * Double.pi / 180)
    let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / Double.pi
    return y < 0 ? 0 : y > 1 ? 1 : y
  }

  static func longitude(x: Double) -> Double { (x - 0.5) * 360 }

  static func latitude(y: Double) -> Double {
    360 * atan(exp((180 - y * 360) * Double.pi / 180)) / Double.pi - 90
  }

  /// Returns the fixed-point position; the east edge is the west edge.
  static func position(x: Double, y: Double) -> WorldPoint {
    WorldPoint(x: x >= 1 ? 0 : WorldPoint.fixed(x), y: WorldPoint.fixed(y))
  }
}
