import Platform

/// A position in the Web Mercator unit square as fixed point, in units of 2⁻³² of the world.
///
/// `x` runs east from the antimeridian and wraps around; `y` runs south from the north edge. One
/// unit is 9.3 mm at the equator, a quarter of a pixel of a 256 px tile at zoom 22.
@usableFromInline
package struct WorldPoint: BitwiseCopyable, Hashable, Sendable {
  /// The distance eastward from 180° W, in 2⁻³² of the world's width.
  @usableFromInline
  package var x: UInt32

  /// The distance southward from 85.0511° N, in 2⁻³² of the world's height.
  @usableFromInline
  package var y: UInt32

  @inlinable
  package init(x: UInt32, y: UInt32) {
    self.x = x
    self.y = y
  }

  /// The latitude of the square's north edge, atan(sinh π) in degrees.
  package static let maxLatitude = 85.051_128_779_806_59

  /// Creates the world position of a geographic one, or `nil` outside ±85.0511° latitude or if not
  /// finite.
  ///
  /// Formula: spherical Web Mercator (EPSG:3857), y = ½ − ln((1 + sin φ)/(1 − sin φ))/4π.
  package init?(_ position: LngLat) {
    let latitude = position.latitude
    guard position.longitude.isFinite, abs(latitude) <= Self.maxLatitude else { return nil }
    let sine = sin(latitude * (Double.pi / 180))
    let north = 0.5 - log((1 + sine) / (1 - sine)) / (4 * Double.pi)
    let east = (position.wrappedLongitude + 180) / 360
    self.init(x: Self.fixed(east), y: Self.fixed(north))
  }

  /// Returns a fraction of the world (0 ..< 1, clamped) in fixed point, rounded down.
  @inlinable
  package static func fixed(_ fraction: Double) -> UInt32 {
    let scaled = fraction * 4_294_967_296
    if scaled <= 0 { return 0 }
    return scaled >= 4_294_967_295 ? .max : UInt32(scaled)
  }
}

extension LngLat {
  /// Creates the geographic position of a world position, at the centre of its fixed-point unit.
  package init(_ point: WorldPoint) {
    let east = (Double(point.x) + 0.5) / 4_294_967_296
    let south = (Double(point.y) + 0.5) / 4_294_967_296
    self.init(
      longitude: east * 360 - 180,
      latitude: atan(sinh(Double.pi * (1 - 2 * south))) * (180 / Double.pi))
  }
}
