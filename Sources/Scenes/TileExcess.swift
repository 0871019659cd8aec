package import Failures

/// An error for more tiles than an archive may have: each tile takes 130 bytes or more of memory
/// until it is written.
package struct TileExcess: Error, Hashable {
  /// The cause of the number of tiles.
  package enum Cause: Hashable, Sendable {
    case background, image, polygons
    /// Circles, labels and kernels of heatmaps, each counted once for every tile that it reaches.
    case symbols
    /// The tiles of all zooms together.
    case zooms
  }

  /// The maximum number of tiles of an archive, all zooms together: more than the world has at zoom
  /// 0 to 13.
  package static let limit = 100_000_000

  /// The maximum number of symbols of one zoom, each counted for every tile that it reaches, at 24
  /// bytes each.
  package static let symbolLimit = 300_000_000

  package let cause: Cause

  /// The last zoom that was examined.
  package let zoom: Int

  /// The minimum number of tiles that there would be.
  package let tiles: Int

  package init(_ cause: Cause, zoom: Int, tiles: Int) {
    self.cause = cause
    self.zoom = zoom
    self.tiles = tiles
  }

  /// Throws an error if there are more tiles than the limit.
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

  /// The error as a sentence without the pipeline; a run that knows the pipeline names the layer
  /// and the zooms that are counted.
  package var sentence: String {
    cause == .symbols
      ? "at zoom \(zoom) the symbols reach \(tiles) tiles, each counted for itself, and "
        + "\(Self.symbolLimit) are the most. Set a smaller radius, stroke or text size."
      : "there would be \(tiles) tiles up to zoom \(zoom), and \(Self.limit) are the most. Set "
        + "'bounds' or a lower 'maxzoom' in 'tiles:'."
  }
}
