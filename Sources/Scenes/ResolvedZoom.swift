import Columns
package import SpatialIndex
import Styling

/// A zoom whose features have their looks and are not yet assigned to tiles.
package struct ResolvedZoom: Sendable {
  let binning: SceneBinning
  let symbols: ZoomSymbols

  /// The number of each symbol's sprite, an index into ``sprites``.
  let symbolSprites: Column<UInt32>

  /// The sprites and looks that were known when the zoom was resolved.
  let sprites: [SpriteMeasure]
  let looks: LookTable

  let shapes: ResolvedShapes
  let heats: [HeatScenes]
  let rasters: [RasterScenes]

  /// The source of each set of ``ShapeScenes/pieces``, as an index among the sources of the build.
  let shapeSources: [UInt32]

  /// Returns the scenes of the zoom's tiles.
  ///
  /// - Parameter sorter: the sorter whose buffers are used; one for each thread.
  /// - Complexity: see ``SceneBinning`` and ``ShapeSceneBuilder``.
  package func scenes(sorter: inout RadixSorter) throws(TileExcess) -> ZoomScenes {
    var scenes = try binning.scenes(
      of: symbols, looks: looks, symbolSprites: symbolSprites, sprites: sprites, sorter: &sorter)
    scenes.symbolFeatures = symbols.features
    scenes.add(try shapes.scenes(), heats, rasters, isStopped: binning.isStopped)
    scenes.shapeSources = shapeSources
    return scenes
  }
}
