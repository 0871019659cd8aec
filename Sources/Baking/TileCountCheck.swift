package import Definition
package import Runs
import Scenes
package import Styling
import Tiling

// The refusal of more tiles than an archive may have, as early as their number is known.
extension PipelineDefinition {
  /// Refuses a background that would draw too many tiles, which is known without records.
  ///
  /// - Throws: ``PipelineError`` with the place of the layer.
  package func requireFewTiles(_ style: Style) throws(PipelineError) {
    let box = WorldBox(tiles.bounds ?? .world)
    var count = 0
    for zoom in tiles.minZoom...tiles.maxZoom where style.hasBackground(at: Double(zoom)) {
      count += TileRange(box, zoom: zoom).count
      do throws(TileExcess) {
        try TileExcess.check(.background, zoom: zoom, tiles: count)
      } catch {
        throw self.error(error)
      }
    }
  }

  /// Returns the error of too many tiles, with the layer's place where one layer is the cause.
  func error(_ excess: TileExcess) -> PipelineError {
    if excess.cause == .symbols { return errorOfSymbols(excess) }
    let layer = layers.first { layer in
      switch excess.cause {
      case .background: layer.type == .background
      case .image: layer.type == .raster
      case .polygons: layer.type == .fill
      case .symbols, .zooms: false
      }
    }
    let (subject, isOfOneZoom) =
      switch excess.cause {
      case .background: ("the background", false)
      case .image: ("the image", true)
      case .polygons: ("the polygons", true)
      case .symbols, .zooms: ("the layers", false)
      }
    let zooms =
      isOfOneZoom || excess.zoom == tiles.minZoom
      ? "zoom \(excess.zoom)" : "zoom \(tiles.minZoom) to \(excess.zoom)"
    return PipelineError(
      .definition,
      "\(subject) would fill \(ReportNumber.count(excess.tiles)) tiles at \(zooms), and an archive has"
        + " \(ReportNumber.count(TileExcess.limit)) at most. Set 'bounds' or a lower 'maxzoom' in"
        + " 'tiles:'.",
      at: layer?.place ?? DocumentPlace(file: file))
  }

  /// Returns the error of symbols that are so large that they reach too many tiles.
  private func errorOfSymbols(_ excess: TileExcess) -> PipelineError {
    PipelineError(
      .definition,
      "at zoom \(excess.zoom) the symbols reach \(ReportNumber.count(excess.tiles)) tiles, each counted"
        + " for itself, and \(ReportNumber.count(TileExcess.symbolLimit)) are the most. Set a smaller"
        + " radius, stroke or text size, 'bounds', or a lower 'maxzoom' in 'tiles:'.",
      at: DocumentPlace(file: file))
  }
}
