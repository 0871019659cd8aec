package import Raster
import Scenes

extension HeatScenes {
  /// Lays what a tile shows of the layer over a picture.
  ///
  /// - Parameter canvas: of the tile's size; what it holds is lost.
  /// - Complexity: O(pixels that the kernels reach).
  package func draw(_ tile: Int, onto picture: Pixmap, using canvas: HeatmapCanvas) {
    canvas.clear()
    add(entryRange(tile), of: self.tile(tile), to: canvas)
    canvas.draw(points.ramp, onto: picture)
  }
}
