import Platform
package import Tiling

/// The shortest way between two places on a sphere.
package struct GreatCircle {
  private let start: LngLat
  private let end: LngLat

  /// The longest piece of the way that is drawn as a straight line, in radians: half a degree, 1 px
  /// beside its arc at zoom 9.
  private static let step = Double.pi / 360

  package init(from start: LngLat, to end: LngLat) {
    (self.start, self.end) = (start, end)
  }

  /// The positions from one place to the other. Across the antimeridian longitudes continue beyond
  /// ±180; positions beyond the map's end lie on it.
  ///
  /// Formula: spherical linear interpolation (K. Shoemake, SIGGRAPH 1985).
  package var positions: [LngLat] {
    let (one, other) = (Self.vector(start), Self.vector(end))
    let cross = [
      one.y * other.z - one.z * other.y, one.z * other.x - one.x * other.z,
      one.x * other.y - one.y * other.x,
    ]
    let sine = cross.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let angle = atan2(sine, one.x * other.x + one.y * other.y + one.z * other.z)
    // Between opposite places every way is the shortest.
    let count = sine < 1e-9 ? 1 : max(Int((angle / Self.step).rounded(.up)), 1)
    var positions = [start]
    for place in 1...count {
      var next = end
      if place < count {
        let share = Double(place) / Double(count)
        let (left, right) = (sin((1 - share) * angle) / sine, sin(share * angle) / sine)
        let (x, y, z) = (
          left * one.x + right * other.x, left * one.y + right * other.y,
          left * one.z + right * other.z
        )
        next = LngLat(
          longitude: atan2(y, x) * 180 / .pi,
          latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi)
      }
      let last = positions[positions.count - 1].longitude
      let longitude = next.longitude + ((last - next.longitude) / 360).rounded() * 360
      let limit = WorldPoint.maxLatitude
      positions.append(
        LngLat(longitude: longitude, latitude: min(max(next.latitude, -limit), limit)))
    }
    return positions
  }

  /// Returns a place on the unit sphere; z points north.
  private static func vector(_ place: LngLat) -> (x: Double, y: Double, z: Double) {
    let (longitude, latitude) = (place.longitude * .pi / 180, place.latitude * .pi / 180)
    return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }
}
