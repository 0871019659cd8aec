import Definition
import Runs
package import Tiling

/// The scope of the tiles that a run reads from its tilesets.
package enum TileScope: Sendable {
  /// The tiles that the map shows.
  case map

  /// The tiles that a view shows, which is known later: templates are not fetched before.
  case view

  /// The tiles that a query names.
  case selection(RequestedTiles)
}

/// The vector tiles that a query reads: layers at one zoom.
package struct RequestedTiles: Hashable, Sendable {
  /// The layers of the tiles; empty for those that the pipeline draws.
  package var layers: [String] = []

  /// The zoom of the tiles; `nil` for the last one.
  package var zoom: Int?

  /// The box whose tiles are read, with those next to them; `nil` for that of the pipeline's tiles.
  package var bounds: GeoBounds?

  package init() {}
}

extension ResolvedPipeline {
  /// Replaces the sources of vector tiles by the layers that a query reads, each at one zoom.
  ///
  /// - Parameter names: the sources that are read; empty for all.
  /// - Throws: ``PipelineError`` where a tileset cannot be opened or has no such zoom.
  mutating func resolveTilesets(
    for selection: RequestedTiles, of names: [String]
  ) throws(PipelineError) {
    var isFound = false
    for source in sources where names.isEmpty || names.contains(source.name) {
      guard let tileset = try tileset(of: source) else { continue }
      isFound = true
      let layers = try self.layers(of: tileset, selection)
      var parts = TilesetParts(tileset, area: selection.bounds ?? definition.tiles.bounds)
      try parts.add(layers, zoom: zoom(of: tileset, selection))
      var selected = try parts.sources(of: tileset.source, drawnAt: definition.tiles.zooms)
      selected[0].notes += selection.layers.compactMap { tileset.words(onUnlisted: $0) }
        .map { "--source-layer names \($0)" }
      guard let index = sources.firstIndex(where: { $0.name == source.name }) else { continue }
      sources.replaceSubrange(index...index, with: selected)
      definition.layers.removeAll { $0.source == source.name }
    }
    guard isFound || (selection.layers.isEmpty && selection.zoom == nil) else {
      throw PipelineError(
        .usage, "--source-layer and --zoom choose vector tiles, and no source that is read has any."
      )
    }
  }

  /// Returns the selected layers, otherwise those that the pipeline draws, otherwise all that the
  /// metadata list.
  private func layers(
    of tileset: TilesetOfSource, _ selection: RequestedTiles
  ) throws(PipelineError) -> [String] {
    var names: [String] = []
    func add(_ more: [String]) {
      for name in more where !names.contains(name) { names.append(name) }
    }
    add(selection.layers)
    if names.isEmpty {
      for layer in definition.layers where layer.source == tileset.source.name {
        add(layer.sourceLayer.map { [$0] } ?? tileset.outline.layers)
      }
    }
    if names.isEmpty { add(tileset.outline.layers) }
    guard !names.isEmpty else {
      throw PipelineError(
        .usage,
        "the metadata of \(tileset.source.dataName) list no layers. Name one with --source-layer; "
          + "'quadrille inspect' finds them.")
    }
    return names
  }

  private func zoom(
    of tileset: TilesetOfSource, _ selection: RequestedTiles
  ) throws(PipelineError) -> Int {
    guard let zoom = selection.zoom else { return tileset.zooms.upperBound }
    guard zoom >= tileset.zooms.lowerBound else {
      throw PipelineError(
        .usage,
        "\(tileset.source.dataName) has tiles from zoom \(tileset.zooms.lowerBound) on, not of zoom "
          + "\(zoom).")
    }
    return min(zoom, tileset.zooms.upperBound)
  }
}
