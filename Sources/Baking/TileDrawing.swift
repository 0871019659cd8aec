import Columns
import Definition
import Painting
import Raster
import Reuse
package import Scenes
package import SourceStages
package import Tiling

/// The means of drawing the tiles of one pixel density: a store of sprites with the builder of scenes
/// and the painters that share it.
package struct TileDrawing {
  private let prepared: DrawingSetup
  let tiles: TilesDefinition
  private let scale: Int
  let threads: Int
  private let sprites: SpriteStore

  /// The painters whose training is shared; `nil` to train when the first tile is painted.
  fileprivate(set) var trainer: PainterFactory?

  /// - Parameter scratch: the run's columns, if its memory is limited; sprites then take less, too.
  init(
    _ tiles: TilesDefinition, scale: Int, _ prepared: DrawingSetup, threads: Int,
    _ scratch: Scratch? = nil
  ) {
    self.prepared = prepared
    self.tiles = tiles
    self.scale = scale
    self.threads = threads
    sprites = SpriteStore(
      scale: scale, fonts: prepared.fonts, threads: threads,
      budget: min(SpriteStore.usualBudget, scratch?.limits.work ?? .max))
  }

  /// Returns the builder of the scenes; the sprites belong to one builder.
  ///
  /// - Parameters:
  ///   - bounds: the box of the tiles; `nil` for the box of the pipeline.
  ///   - shift: the distances by which the world is moved, see ``Scenes/PixelGrid/shiftX``.
  package func builder(bounds: WorldBox? = nil, shift: (x: Int, y: Int) = (0, 0)) -> SceneBuilder {
    var builder = SceneBuilder(
      style: prepared.style, tileSize: tiles.tileSize, scale: scale, snap: tiles.snap,
      bounds: bounds ?? WorldBox(tiles.bounds ?? .world), fonts: prepared.fonts, meter: sprites,
      threads: threads, shift: shift)
    builder.keepsFeatures = tiles.interactivity != nil
    return builder
  }

  /// Returns the builder of the scenes of an archive of some sources.
  package func builder(of sources: [ClusteredSource]) -> SceneBuilder {
    var builder = builder()
    builder.backgroundBox = sources.backgroundBox(tiles)
    return builder
  }

  /// Returns the painters of scenes.
  ///
  /// - Parameter clusteredSources: the names of the sources whose points come as clusters.
  func painters(clusteredSources: Set<String>) -> PainterFactory {
    PainterFactory(
      builder(), store: sprites, zooms: tiles.minZoom...tiles.maxZoom, codec: tiles.codec,
      clusteredSources: clusteredSources)
  }
}

extension TileDrawing {
  /// Returns painters that are trained as those of another drawing of the same style.
  func painters(trainedAs other: PainterFactory) throws -> PainterFactory {
    try other.painting(spritesOf: sprites)
  }
}

extension Build {
  /// Returns the means of drawing the tiles of a pixel density.
  package func drawing(scale: Int) -> TileDrawing {
    var drawing = TileDrawing(
      definition.tiles, scale: scale, prepared, threads: threads, context.scratch)
    drawing.trainer = trainers[scale]
    return drawing
  }
}
