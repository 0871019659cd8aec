import Columns
package import SpatialIndex
import Styling

/// A zoom whose features have looks but are not assigned to tiles yet.
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

  /// The source of each set of ``ShapeScenes/pieces``.
  let shapeSources: [ShapeOrigin]

  /// The hashes of the symbols by blocks; see ``ZoomScenes/symbolBlocks``.
  let symbolBlocks: SymbolBlocks?

  /// The part of the zoom that must be made; the zoom then has only its symbols. `nil` for the
  /// whole zoom.
  let part: ScenePart?

  /// Returns the scenes of the zoom's tiles.
  ///
  /// - Parameter sorter: the sorter whose buffers are used; one for each thread.
  /// - Complexity: see ``SceneBinning`` and ``ShapeSceneBuilder``.
  package func scenes(sorter: inout RadixSorter) throws(TileExcess) -> ZoomScenes {
    var scenes = try binning.scenes(
      of: symbols, looks: looks, symbolSprites: symbolSprites, sprites: sprites, sorter: &sorter)
    scenes.symbolFeatures = symbols.features
    scenes.symbolBlocks = symbolBlocks
    if let part { scenes.complete(from: part) }
    scenes.add(try shapes.scenes(), heats, rasters, isStopped: binning.isStopped)
    scenes.shapeSources = shapeSources
    return scenes
  }
}
