package import Definition
package import Inputs
package import Overlays
package import Runs
import Scenes
import SourceStages
package import Styling
import SystemPackage
import Tiling

extension PipelineDefinition {
  /// Returns whether a background shows in the tiles of some zoom.
  package func hasBackground(_ style: Style) -> Bool {
    (tiles.minZoom...tiles.maxZoom).contains { style.hasBackground(at: Double($0)) }
  }
}

// The refusal of more tiles than an archive may have, as early as their number is known.
extension ResolvedPipeline {
  /// Refuses a background, or images that the pipeline places, that would draw too many tiles, which
  /// is known without any data.
  ///
  /// - Throws: ``PipelineError`` with the place of the layer.
  package func requireFewTiles(_ style: Style) throws(PipelineError) {
    let tiles = definition.tiles
    if !tiles.backgroundAwaitsData {
      let box = WorldBox(tiles.bounds ?? .world)
      try definition.requireFewTiles(ofBackgroundOf: style, tiles.minZoom...tiles.maxZoom) { zoom in
        TileRange(box, zoom: zoom)
      }
    }
    let boxes = sources.compactMap { source in source.placedBox.map { (source.name, $0) } }
    try definition.requireFewTiles(
      ofImages: Dictionary(boxes, uniquingKeysWith: { $1 }), style, tiles.minZoom...tiles.maxZoom)
  }
}

extension PipelineDefinition {
  /// Refuses a background that fills more tiles of some zooms than an archive may have.
  ///
  /// - Parameter range: returns the tiles of a zoom that it fills.
  /// - Throws: ``PipelineError`` with the place of the layer.
  func requireFewTiles(
    ofBackgroundOf style: Style, _ zooms: ClosedRange<Int>, range: (Int) -> TileRange
  ) throws(PipelineError) {
    var count = 0
    for zoom in zooms where style.hasBackground(at: Double(zoom)) {
      count += range(zoom).count
      do throws(TileExcess) {
        try TileExcess.check(.background, zoom: zoom, tiles: count)
      } catch {
        throw self.error(error)
      }
    }
  }

  /// Refuses images whose boxes reach more tiles of some zooms than an archive may have.
  ///
  /// - Parameter boxes: the box of the image of each source.
  /// - Throws: ``PipelineError`` with the place of the layer.
  /// - Complexity: O(zooms · layers).
  package func requireFewTiles(
    ofImages boxes: [String: ImageExtent], _ style: Style, _ zooms: ClosedRange<Int>
  ) throws(PipelineError) {
    let box = WorldBox(tiles.bounds ?? .world)
    let count = zooms.reduce(0) { count, zoom in
      count + style.tilesOfImages(in: TileRange(box, zoom: zoom), boxes: boxes)
    }
    do throws(TileExcess) {
      try TileExcess.check(.image, zoom: zooms.upperBound, tiles: count)
    } catch {
      throw self.error(error)
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
      case .image: ("the image", false)
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

extension ResolvedSource {
  /// The box of an image, or of the frames of a series, to which the pipeline itself gives its
  /// place; `nil` for other sources.
  fileprivate var placedBox: ImageExtent? {
    // The metadata of a table of tiles give the bounds of the part that is read.
    guard !isPacked, image?.table == nil,
      origin.storedFile.map({ Self.isDatabase($0.string) }) != true
    else { return nil }
    return try? (image ?? series?.image)?.placement()?.extent
  }
}

extension [ClusteredSource] {
  /// The box of the image of each source that is one.
  package var imageBoxes: [String: ImageExtent] {
    let boxes = compactMap(\.source.image?.source).map { ($0.id, $0.extent) }
    return Dictionary(boxes, uniquingKeysWith: { $1 })
  }
}
