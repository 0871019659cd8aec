package import Failures

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

extension TileExcess: Failure {
  package var failureCode: FailureCode { .definition }

  /// Where the pipeline is known, the run says which layer it is and over which zooms it counts.
  package var sentence: String {
    cause == .symbols
      ? "at zoom \(zoom) the symbols reach \(tiles) tiles, each counted for itself, and "
        + "\(Self.symbolLimit) are the most. Set a smaller radius, stroke or text size."
      : "there would be \(tiles) tiles up to zoom \(zoom), and \(Self.limit) are the most. Set "
        + "'bounds' or a lower 'maxzoom' in 'tiles:'."
  }
}
