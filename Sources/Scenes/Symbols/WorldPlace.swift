import Tiling

/// A position in the Mercator square as fractions of the world, x eastward from 180° W and not
/// wrapped: a shape that runs over the antimeridian goes on beyond 0 or 1.
package struct WorldPlace: BitwiseCopyable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  /// The number of turns round the world that a shape may take; farther positions are moved by
  /// whole turns.
  private static let turnLimit = 4.0

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Creates a place; latitudes beyond the square are clamped to its edge.
  init(_ position: LngLat) {
    let latitude = min(max(position.latitude, -WorldPoint.maxLatitude), WorldPoint.maxLatitude)
    guard
      let point = WorldPoint(LngLat(longitude: position.longitude, latitude: latitude))
    else {
      self.init(x: 0, y: 0)
      return
    }
    let turns = ((position.longitude - position.wrappedLongitude) / 360).rounded()
    self.init(
      x: Double(point.x) / 0x1p32 + min(max(turns, -Self.turnLimit), Self.turnLimit),
      y: Double(point.y) / 0x1p32)
  }

  /// The position on the globe, wrapped.
  var point: WorldPoint {
    WorldPoint(x: WorldPoint.fixed(x - x.rounded(.down)), y: WorldPoint.fixed(y))
  }
}
