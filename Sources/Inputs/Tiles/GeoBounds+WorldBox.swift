import Tiling

extension GeoBounds {
  /// Creates the box in degrees of a world box.
  init(_ box: WorldBox) {
    let northWest = LngLat(WorldPoint(x: box.west, y: box.north))
    let southEast = LngLat(WorldPoint(x: box.east, y: box.south))
    self.init(
      west: northWest.longitude, south: southEast.latitude, east: southEast.longitude,
      north: northWest.latitude)
  }
}
