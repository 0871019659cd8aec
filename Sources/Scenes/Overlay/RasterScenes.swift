package import Features
package import Overlays
import Tiling

/// The content of one raster layer in the tiles of one zoom, as columns in archive order.
///
/// A tile's pixels follow from its place, the image and the layer, all of which are in ``hashes``:
/// no two tiles of a zoom share one.
package struct RasterScenes: Sendable {
  package let source: RasterSource
  package let grid: PixelGrid

  package let layer: RasterLayer

  /// `column << 22 | TMS row` of each tile in which the layer shows a pixel, ascending.
  package private(set) var tileKeys = ContiguousArray<UInt64>()

  /// The hash of each tile's content.
  package private(set) var hashes = ContiguousArray<StableHash>()

  /// The quadrants of each tile with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  package private(set) var quadrants = ContiguousArray<UInt8>()

  /// Creates the scenes of the tiles of a range in which the layer shows a pixel.
  ///
  /// - Complexity: O(tiles that the image may reach), and O(pixels) for each tile that a glance
  ///   does not decide; on as many threads as given.
  init(
    _ layer: RasterLayer, of source: RasterSource, grid: PixelGrid, range: TileRange, threads: Int
  ) throws(TileExcess) {
    self.layer = layer
    self.source = source
    self.grid = grid
    let search = RasterSearch(layer: layer, source: source, grid: grid, range: range)
    let common = layer.hash(of: source, grid: grid)
    for found in try search.tiles(threads: threads) {
      tileKeys.append(found.key)
      quadrants.append(found.quadrants)
      var hash = common
      hash.combine(grid.zoom)
      hash.combine(found.key)
      hashes.append(hash)
    }
  }

  /// The number of tiles.
  package var count: Int { tileKeys.count }

  /// The kernel of the source, or else of the layer.
  package var kernel: ResamplingKernel { source.kernel ?? layer.kernel }
}
