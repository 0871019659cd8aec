/// A box of world positions. `west > east` (as numbers) means that it crosses the antimeridian.
///
/// Both corners belong to the box: it is the tight box of the positions joined into it.
package struct WorldBox: BitwiseCopyable, Hashable, Sendable {
  package var west: UInt32
  package var north: UInt32
  package var east: UInt32
  package var south: UInt32

  @inlinable
  package init(west: UInt32, north: UInt32, east: UInt32, south: UInt32) {
    self.west = west
    self.north = north
    self.east = east
    self.south = south
  }

  /// Creates the box of one position.
  @inlinable
  package init(_ point: WorldPoint) {
    self.init(west: point.x, north: point.y, east: point.x, south: point.y)
  }

  /// Extends a box that does not cross the antimeridian to include another such box.
  @inlinable
  package mutating func formUnion(_ other: WorldBox) {
    west = min(west, other.west)
    north = min(north, other.north)
    east = max(east, other.east)
    south = max(south, other.south)
  }

  /// Whether a position lies in the box, edges included.
  @inlinable
  package func contains(_ point: WorldPoint) -> Bool {
    guard point.y >= north, point.y <= south else { return false }
    if west <= east { return point.x >= west && point.x <= east }
    return point.x >= west || point.x <= east
  }

  /// Creates the box of a tile: from its north-west corner to the last unit that it owns.
  package init(_ tile: TileCoord) {
    let size = UInt64(1) << UInt64(32 - tile.z)
    let west = UInt64(tile.x) * size
    let north = UInt64(tile.y) * size
    self.init(
      west: UInt32(west), north: UInt32(north), east: UInt32(west + size - 1),
      south: UInt32(north + size - 1))
  }

  /// Creates the world box of a box in degrees, with latitudes clamped to the Mercator square.
  ///
  /// The box in degrees is half-open, as tiles are: its east and south edges do not belong to it,
  /// so the box of a tile means that tile alone. A box without width or height is the line or
  /// point itself.
  package init(_ bounds: GeoBounds) {
    let limit = WorldPoint.maxLatitude
    func row(_ latitude: Double) -> UInt64 {
      if latitude <= -limit { return Self.world }
      let held = LngLat(longitude: 0, latitude: min(latitude, limit))
      return Self.onEdge(WorldPoint(held)?.y ?? 0)
    }
    func column(_ longitude: Double) -> UInt64 {
      let wrapped = LngLat(longitude: longitude, latitude: 0).wrappedLongitude
      return Self.onEdge(WorldPoint.fixed((wrapped + 180) / 360))
    }
    let north = min(row(bounds.north), Self.world - 1)
    let south = max(row(bounds.south), north + 1)
    var (west, east) = (UInt64(0), Self.world)
    if bounds.east - bounds.west < 360 {
      west = column(bounds.west)
      east = column(bounds.east) % Self.world
      // About 10 cm, far more than edges move.
      let isNarrow = !bounds.crossesAntimeridian && bounds.east - bounds.west < 1e-6
      if west == Self.world { west = isNarrow ? Self.world - 1 : 0 }
      if isNarrow, east <= west { east = west + 1 }
      if east == 0 { east = Self.world }
    }
    self.init(
      west: UInt32(west), north: UInt32(north), east: UInt32(east - 1),
      south: UInt32(south - 1))
  }

  /// Returns a box that does not cross the antimeridian with a margin on all sides, within the world.
  package func widened(by margin: UInt32) -> WorldBox {
    WorldBox(
      west: west - min(west, margin), north: north - min(north, margin),
      east: east + min(.max - east, margin), south: south + min(.max - south, margin))
  }

  private static let world = UInt64(1) << 32

  /// Returns a coordinate, moved to the nearest edge of zoom-22 tiles if it lies at most two units
  /// (2 cm) away: the box of a tile in degrees then means that tile, without a sliver of its
  /// neighbour.
  private static func onEdge(_ coordinate: UInt32) -> UInt64 {
    let place = UInt64(coordinate)
    let size = world >> UInt64(TileCoord.maxZoom)
    let nearest = (place + size / 2) / size * size
    return max(nearest, place) - min(nearest, place) <= 2 ? nearest : place
  }
}
