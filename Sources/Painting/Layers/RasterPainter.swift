import Features
import Overlays
import Raster
import Scenes
import Tiling

/// A painter of one raster layer's image into tiles; one per worker, with its scratch memory.
final class RasterPainter {
  /// The inputs that determine the painter's pixels, apart from the tile and the paint.
  struct Key: Hashable {
    let source: StableHash
    let kernel: ResamplingKernel
    let side: Int
    let shiftX: Int
    let shiftY: Int
    /// The side of the world and its scaling, which decide the zoom of tiles.
    let worldSide: Double
    let scaling: WorldScaling?

    init(_ scenes: RasterScenes) {
      source = scenes.source.hash
      kernel = scenes.kernel
      side = scenes.grid.tilePixels
      shiftX = scenes.grid.shiftX
      shiftY = scenes.grid.shiftY
      worldSide = scenes.source.tiles == nil ? 0 : scenes.grid.worldSide
      scaling = scenes.source.tiles == nil ? nil : scenes.grid.scaling
    }
  }

  private let warp: any RasterWarp
  private let picture: Pixmap

  /// - Parameter picture: a picture of the tile's size; its contents are lost.
  init(_ source: RasterSource, kernel: ResamplingKernel, grid: PixelGrid, picture: Pixmap) {
    self.picture = picture
    warp = source.painter(kernel: kernel, grid: grid)
  }

  /// Draws a tile's part of the image over the tile's picture.
  ///
  /// - Complexity: O(pixels of the tile + pixels of the image under it).
  func draw(_ tile: TileCoord, paint: RasterPaint, onto pixmap: Pixmap) {
    guard let box = warp.paint(tile, into: picture) else { return }
    paint.apply(to: picture, box: box)
    for y in box.rows {
      let start = y * picture.width
      for index in start + box.columns.lowerBound..<start + box.columns.upperBound {
        let color = picture.pixels[index]
        if color != 0 { pixmap.pixels[index] = sourceOver(color, pixmap.pixels[index]) }
        if color >> 24 >= Pixmap.hidingAlpha, !pixmap.edges.isEmpty { pixmap.edges[index] = 0 }
      }
    }
  }
}
