package import Tiling

/// The box that a background fills around the data, for pipelines that have no bounds of their own.
package struct BackgroundBox: Hashable, Sendable {
  /// The box of the data, widened on all sides by a tenth of its longer side, at least by a tile
  /// of the last zoom, within the world.
  private let box: WorldBox

  /// - Parameters:
  ///   - data: a box that does not cross the antimeridian.
  ///   - last: the last zoom.
  package init(around data: WorldBox, last: Int) {
    let side = max(data.east - data.west, data.south - data.north)
    box = data.widened(by: max(side / 10, UInt32(clamping: UInt64(1) << UInt64(32 - last))))
  }

  /// The box in degrees.
  package var degrees: GeoBounds { GeoBounds(box) }

  /// Returns the tiles of a zoom that are filled.
  package func tiles(_ zoom: Int) -> TileRange { TileRange(box, zoom: zoom) }
}
