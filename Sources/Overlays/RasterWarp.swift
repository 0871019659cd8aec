package import Features
package import Raster
package import Tiling

/// A painter of what a raster layer shows into tiles; one per worker, which reuses its memory from
/// tile to tile.
///
/// The tiles of a zoom, put together, are one large picture, pixel for pixel.
package protocol RasterWarp: AnyObject {
  /// Side of a tile in pixels.
  var tilePixels: Int { get }

  /// Replaces the pixels of a tile; those that nothing reaches become transparent.
  ///
  /// - Returns: the tight box of visible pixels, `nil` for a fully transparent tile.
  @discardableResult
  func paint(_ tile: TileCoord, into pixmap: Pixmap) -> PaintedBox?

  /// Returns which quadrants of a tile show a pixel, as far as can be told without drawing it;
  /// `nil` if it is fully transparent.
  ///
  /// - Parameter opacity: the opacity that will be applied to the tile, 0 … 1.
  func glance(at tile: TileCoord, opacity: Double) -> QuadrantTest?

  /// Returns the hash of what decides the pixels of a tile, apart from what all tiles have in
  /// common; `nil` if the tile's position alone decides them.
  func contentHash(of tile: TileCoord) -> StableHash?
}

extension WarpPainter {
  package func contentHash(of tile: TileCoord) -> StableHash? { nil }
}
