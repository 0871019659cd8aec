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
  package init(_ bounds: GeoBounds) {
    let limit = WorldPoint.maxLatitude
    let north = min(max(bounds.north, -limit), limit)
    let south = min(max(bounds.south, -limit), limit)
    let nw = WorldPoint(LngLat(longitude: bounds.west, latitude: north))
    let se = WorldPoint(LngLat(longitude: bounds.east, latitude: south))
    let whole = bounds.east - bounds.west >= 360
    self.init(
      west: whole ? 0 : nw?.x ?? 0, north: nw?.y ?? 0,
      east: whole || bounds.east == 180 ? .max : se?.x ?? .max, south: se?.y ?? .max)
  }
}
