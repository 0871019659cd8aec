import Definition
import PNG
import Painting
import Raster
package import Runs
import Scenes
package import Tiling

extension Build {
  /// Returns one tile as a PNG, with the same scenes and painting as in an archive.
  package func tile(_ tile: TileCoord, scale: Int) throws(PipelineError) -> [UInt8] {
    let made = try zoomView(zoom: tile.z, scale: scale, bounds: WorldBox(tile))
    let side = definition.tiles.tileSize * scale
    guard let index = made.scenes.index(of: tile) else {
      return PNGEncoder.transparent(width: side, height: side)
    }
    do {
      var bytes: [UInt8] = []
      try made.painters.painter().paint(index, of: made.scenes, into: &bytes)
      return bytes
    } catch {
      throw PipelineError(wrapping: error)
    }
  }
}
