package import Tiling

/// The box that a background fills around the data, for pipelines that have no bounds of their own.
package struct BackgroundBox: Hashable, Sendable {
  /// The box of the data with a tenth of its longer side on all sides, within the world.
  private let box: WorldBox

  /// - Parameter data: a box that does not cross the antimeridian.
  package init(around data: WorldBox) {
    box = data.widened(by: max(data.east - data.west, data.south - data.north) / 10)
  }

  /// The box in degrees.
  package var degrees: GeoBounds {
    let northWest = LngLat(WorldPoint(x: box.west, y: box.north))
    let southEast = LngLat(WorldPoint(x: box.east, y: box.south))
    return GeoBounds(
      west: northWest.longitude, south: southEast.latitude, east: southEast.longitude,
      north: northWest.latitude)
  }

  /// Returns the tiles of a zoom that are filled: those of the box with half a tile on all sides,
  /// since a screen shows the neighbours of a tile, too.
  package func tiles(_ zoom: Int) -> TileRange {
    TileRange(box.widened(by: UInt32(clamping: UInt64(1) << UInt64(31 - zoom))), zoom: zoom)
  }
}
