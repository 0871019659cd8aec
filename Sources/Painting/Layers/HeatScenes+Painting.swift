package import Raster
import Scenes

extension HeatScenes {
  /// Draws a tile's part of the layer over a picture.
  ///
  /// - Parameter canvas: a canvas of the tile's size; its contents are lost.
  /// - Complexity: O(pixels within reach of the kernels).
  package func draw(_ tile: Int, onto picture: Pixmap, using canvas: HeatmapCanvas) {
    canvas.clear()
    add(entryRange(tile), of: self.tile(tile), to: canvas)
    canvas.draw(points.ramp, onto: picture)
  }
}
