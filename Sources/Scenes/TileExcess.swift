/// A tileset of more tiles than one archive may have: what is known of each is held in memory, 130
/// bytes and more, until it is written.
package struct TileExcess: Error, Hashable {
  /// What asks for the tiles.
  package enum Cause: Hashable, Sendable {
    case background, image, polygons
    /// Circles, labels and kernels of heatmaps, each counted once for every tile that it reaches.
    case symbols
    /// All zooms together.
    case zooms
  }

  /// The most tiles of an archive, all zooms together: more than the world at zoom 0 to 13 has.
  package static let limit = 100_000_000

  /// The most symbols of one zoom, each counted for every tile that it reaches; 24 bytes each.
  package static let symbolLimit = 300_000_000

  package let cause: Cause

  /// The last zoom that was looked at.
  package let zoom: Int

  /// How many tiles there would be at least.
  package let tiles: Int

  package init(_ cause: Cause, zoom: Int, tiles: Int) {
    self.cause = cause
    self.zoom = zoom
    self.tiles = tiles
  }

  /// Refuses more tiles than the limit.
  package static func check(
    _ cause: Cause, zoom: Int, tiles: Int
  ) throws(TileExcess) {
    if tiles > (cause == .symbols ? symbolLimit : limit) {
      throw TileExcess(cause, zoom: zoom, tiles: tiles)
    }
  }
}
