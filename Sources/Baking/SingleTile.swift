import Definition
import Painting
package import Runs
import Scenes
import TileCodecs
package import Tiling

extension Build {
  /// Returns one tile in the format of the tiles, with the same scenes and painting as in an archive.
  ///
  /// - Parameter note: receives the notes of a build, a sentence each.
  package func tile(
    _ tile: TileCoord, scale: Int, note: (String) -> Void = { _ in }
  ) throws(PipelineError) -> [UInt8] {
    let made = try zoomView(ZoomWindow(tile), scale: scale)
    try notes(on: made).forEach(note)
    return try PipelineError.wrapping {
      try made.picture(tile)
        ?? definition.tiles.codec.blank(side: definition.tiles.tileSize * scale)
    }
  }
}
