import Features
import PNG
import Raster
import Rendering
import Tiling

extension Build {
  /// One tile as a PNG, by the same scenes and paint as an archive's.
  func tile(_ tile: TileCoord, scale: Int) throws(PipelineError) -> [UInt8] {
    var single = definition
    single.tiles.minZoom = tile.z
    single.tiles.maxZoom = tile.z
    single.tiles.bounds = nil
    let style = try single.style()
    let fonts = try loadFonts()
    let clock = StageClock(progress: progress, cancellation: cancellation)
    let build = Build(
      definition: single, options: options, cancellation: cancellation, progress: progress)
    let sources = try build.readAndCluster(style, clock)
    return try clock.stage("tile", unit: .tiles) { _ in
      var builder = try SceneBuilder(
        style: style, tileSize: single.tiles.tileSize, scale: scale, snap: single.tiles.snap,
        bounds: WorldBox(tile), fonts: fonts,
        clusteredSources: Set(sources.filter { $0.pyramid != nil }.map(\.source.definition.name)),
        zooms: definition.tiles.minZoom...definition.tiles.maxZoom, threads: threads)
      let scenes = try builder.scenes(
        of: sources.map { $0.symbols(at: tile.z) }, zoom: tile.z)
      let side = single.tiles.tileSize * scale
      guard let index = (0..<scenes.count).first(where: { scenes.tile($0) == tile }) else {
        return PNGEncoder.transparent(width: side, height: side)
      }
      var bytes: [UInt8] = []
      try builder.painters.painter().paint(index, of: scenes, into: &bytes)
      return bytes
    }
  }
}
