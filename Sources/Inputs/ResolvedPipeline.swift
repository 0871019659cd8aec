package import Definition
package import Fetching
package import Runs
package import Tiling

/// A pipeline whose data is found: what a run takes.
package struct ResolvedPipeline: Sendable {
  /// The values of the pipeline file; its sources are those of ``sources``.
  package internal(set) var definition: PipelineDefinition

  package var sources: [ResolvedSource] {
    didSet { definition.sources = sources.map(\.definition) }
  }

  package var sprites: [ResolvedSprite]

  /// The rule that decides how fine GDAL warps images follows from the definition's tiles.
  package init(
    _ definition: PipelineDefinition, sources: [ResolvedSource], sprites: [ResolvedSprite]
  ) {
    self.definition = definition
    self.sources = sources
    self.sprites = sprites
    self.definition.sources = sources.map(\.definition)
    self.definition.sprites = sprites.map(\.definition)
  }

  /// The sources that are read: all but the parts of tilesets for zooms that are not drawn.
  package var drawnSources: [ResolvedSource] {
    sources.filter { source in
      source.definition.vectorTiles?.part?.drawnZooms.overlaps(definition.tiles.zooms) ?? true
    }
  }

  /// Returns the pipeline drawn at other zooms, whatever its bounds.
  ///
  /// - area: the box that is drawn, in which tiles of templates are looked for; `nil` for the
  ///   pipeline's box.
  /// - only: whether containers, too, are read nowhere but there.
  /// - Throws: ``PipelineError`` where such tiles are too many, or cannot be fetched.
  package func zoomed(
    to zoom: Int, in area: WorldBox? = nil, only: Bool = false
  ) throws(PipelineError) -> ResolvedPipeline {
    var zoomed = self
    (zoomed.definition.tiles.minZoom, zoomed.definition.tiles.maxZoom) = (zoom, zoom)
    zoomed.definition.tiles.bounds = nil
    if let area { try zoomed.listTiles(in: GeoBounds(area)) }
    for index in zoomed.sources.indices
    where (only || zoomed.sources[index].definition.vectorTiles?.part?.area != nil)
      && zoomed.sources[index].definition.vectorTiles?.found == nil
    {
      zoomed.sources[index].definition.vectorTiles?.part?.area =
        only ? area.map { GeoBounds($0) } : nil
      let tiles = zoomed.sources[index].origin as? TilesetData
      if let tiles { zoomed.sources[index].origin = tiles.unbounded() }
    }
    return zoomed
  }

  /// Returns the pipeline with other layers of the same sources.
  package func drawing(_ layers: [LayerDefinition]) -> ResolvedPipeline {
    var drawing = self
    drawing.definition.layers = layers
    return drawing
  }

  /// Returns the pipeline with the zooms and the format of a choice; `nil` if this pipeline does
  /// not offer it.
  package func taking(_ choice: TileBudget.Choice) -> ResolvedPipeline? {
    guard let taking = definition.taking(choice) else { return nil }
    return ResolvedPipeline(
      taking,
      // Fewer zooms need coarser pixels.
      sources: sources.map { source in
        var source = source
        source.warped = source.warped?.to(finest: taking.finestZoom)
        return source
      }, sprites: sprites)
  }

  /// The files that were fetched, in the order of the sources, then those of sprites.
  package var fetchedFiles: [FetchedFile] { sources.flatMap(\.origin.fetched) + fetchedSprites }

  /// The files of sprites and images that were fetched.
  package var fetchedSprites: [FetchedFile] {
    sprites.flatMap(\.parts).compactMap(\.fetched)
  }

  /// Whether all data can be read a second time.
  package var canBeReadAgain: Bool { sources.allSatisfy(\.canBeReadAgain) }

  /// The number of bytes that the readers of all sources will count; `nil` where one of them cannot
  /// know.
  package var inputBytes: Int? {
    drawnSources.reduce(0) { sum, source in
      sum.flatMap { sum in source.origin.readBytes.map { sum + $0 } }
    }
  }
}

extension PipelineDefinition {
  /// The zoom of 256-pixel tiles whose pixels are at least as fine as those of any tile.
  var finestZoom: Int {
    let side = tiles.tileSize * (tiles.scales.max() ?? 1)
    var zoom = tiles.maxZoom
    while 256 << (zoom - tiles.maxZoom) < side { zoom += 1 }
    return zoom
  }
}
