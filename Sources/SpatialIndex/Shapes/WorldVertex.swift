import Platform
package import Tiling

/// A vertex of the world plane as fixed point, in units of 2⁻⁴² of the world's width.
///
/// `x` runs east from 180° W and does not wrap: a shape that crosses the antimeridian continues
/// beyond 0 ..< 2⁴². `y` runs south from 85.0511° N; it is negative north of it. The upper bits are
/// those of ``WorldPoint``: `x >> 10` and `y >> 10`.
package struct WorldVertex: BitwiseCopyable, Hashable, Sendable {
  package var x: Int
  package var y: Int

  @inlinable
  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The base-2 logarithm of the width of the world in units.
  package static let worldBits = 42

  /// The width of the world: one turn.
  package static let turn = 1 << worldBits

  /// The latitude in degrees to which vertices are clamped. It is beyond the world's edge, so that
  /// shapes that extend to a pole are cut by the last row of tiles and not outlined along the edge.
  package static let latitudeLimit = 89.9

  /// The number of turns from Greenwich within which longitudes are kept unwrapped.
  private static let turnLimit = 1000.0

  /// Creates the vertex of a position, not unwrapped; infinite and NaN coordinates are at 0.
  ///
  /// Formula: spherical Web Mercator (EPSG:3857), as for ``WorldPoint``.
  package init(_ position: LngLat) {
    let longitude = position.longitude.isFinite ? position.longitude : 0
    let wrapped = LngLat(longitude: longitude, latitude: 0).wrappedLongitude
    let turns = ((longitude + 180) / 360).rounded(.down)
    let size = Double(Self.turn)
    let east = ((wrapped + 180) / 360 * size).rounded(.down)
    x = Int(east) + (abs(turns) <= Self.turnLimit ? Int(turns) * Self.turn : 0)
    let limit = Self.latitudeLimit
    let latitude = position.latitude.isFinite ? min(max(position.latitude, -limit), limit) : 0
    let sine = sin(latitude * (Double.pi / 180))
    let south = 0.5 - log((1 + sine) / (1 - sine)) / (4 * Double.pi)
    y = Int((south * size).rounded(.down))
  }

  /// The `x` within the world, 0 ..< 2⁴².
  var wrappedX: Int { x & (Self.turn - 1) }

  /// Whether the position on the globe precedes another's: row by row, then eastward.
  func precedes(_ other: WorldVertex) -> Bool {
    y != other.y ? y < other.y : wrappedX < other.wrappedX
  }

  /// Whether both are the same position on the globe.
  func isSamePlace(as other: WorldVertex) -> Bool {
    y == other.y && wrappedX == other.wrappedX
  }

  /// A hash that is the same for equal positions on the globe and almost always different for
  /// others.
  ///
  /// Mixing: D. Stafford's 13th variant of the finalizer of MurmurHash3.
  var placeHash: UInt64 {
    var hash = UInt64(truncatingIfNeeded: wrappedX) &* 0x9E37_79B9_7F4A_7C15
    hash ^= UInt64(truncatingIfNeeded: y) &* 0xD6E8_FEB8_6659_FD93
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return hash ^ hash >> 31
  }
}
