import Baking
import Definition
import Pipeline
import Preview
import Runs
import Tiling
import Workers

/// The tiles of a pipeline, painted on all cores when clients ask for them.
struct PaintingQueue: PaintedTiles {
  let description: PaintedDescription
  private let tiles: TilesOnDemand
  private let queue: ClientQueue

  /// The seconds that a search may take.
  private static let searchSeconds = 1.0

  /// Reads the data of a pipeline.
  ///
  /// - Parameter attribution: the authors where the pipeline names none.
  /// - Throws: ``PipelineError`` of the pipeline or its data.
  init(_ definition: PipelineDefinition, attribution: String = "") throws(PipelineError) {
    let tiles = try PipelineRunner.tilesOnDemand(
      definition, cancellation: Cancellation(), progress: { _ in })
    try self.init(tiles, on: ClientQueue(), attribution: attribution)
    var isServed = false
    for _ in 0..<Processors.available {
      isServed = WorkerThreads.run { [queue] in queue.serve() } || isServed
    }
    guard isServed else {
      throw PipelineError(.inputOutput, "the system starts no further thread.")
    }
  }

  private init(
    _ tiles: TilesOnDemand, on queue: ClientQueue, attribution: String
  ) throws(PipelineError) {
    (self.tiles, self.queue) = (tiles, queue)
    var description = try Self.describe(tiles)
    if description.attribution.isEmpty { description.attribution = attribution }
    self.description = description
  }

  func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles {
    try PaintingQueue(
      try tiles.repainted(overlay), on: queue, attribution: description.attribution)
  }

  func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8] {
    let view = MapView(
      center: view.center, zoom: view.zoom, width: view.width, height: view.height,
      ratio: view.ratio)
    return try queue.done(for: client) { [tiles] in try tiles.picture(of: view) }
  }

  private static func describe(
    _ tiles: TilesOnDemand
  ) throws(PipelineError) -> PaintedDescription {
    let definition = tiles.definition
    var description = PaintedDescription(
      name: definition.name, bounds: tiles.bounds, positions: tiles.positions(limit: 100_000),
      zooms: definition.tiles.minZoom...definition.tiles.maxZoom,
      tileSize: definition.tiles.tileSize, answersTaps: tiles.answersTaps)
    description.description = definition.description
    description.attribution = definition.attribution
    description.legend = try tiles.legend(scale: PaintedDescription.legendScale)
    return description
  }

  func picture(_ tile: TileCoord, scale: Int, for client: PreviewClient) throws -> [UInt8]? {
    try queue.done(for: client) { [tiles] in try tiles.picture(tile, scale: scale) }
  }

  func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]? {
    try queue.done(for: client) { [tiles] in try tiles.grid(tile) }
  }

  func records(
    limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
  ) throws -> [(json: [UInt8], place: LngLat)] {
    try queue.done(for: client) { [tiles] in
      let end = ContinuousClock.now + .seconds(Self.searchSeconds)
      var found: [(json: [UInt8], place: LngLat)] = []
      tiles.forEachRecord { json, place in
        if matching(json) { found.append((json, place)) }
        return found.count < limit && ContinuousClock.now < end
      }
      return found
    }
  }
}
