import Definition
import MBTiles
package import Runs
import SystemPackage
import Tilesets
import Tiling

extension ResolvedPipeline {
  /// Replaces the sources of vector tiles by their parts: one for each layer that is drawn at each
  /// zoom of the tiles, named `SOURCE/LAYER/ZOOM`; and each layer that draws them by one for each
  /// part, which stand together in its place.
  ///
  /// A part is only read by a run that draws its zooms, see ``drawnSources``.
  ///
  /// - Parameter lists: whether tiles that no container lists are looked for, and fetched; otherwise
  ///   that waits until it is known what is drawn, see ``zoomed(to:in:)``.
  /// - Throws: ``PipelineError`` where a tileset cannot be opened.
  package mutating func resolveTilesets(lists: Bool = true) throws(PipelineError) {
    var tilesets: [TilesetOfSource] = []
    for source in sources {
      if let tileset = try tileset(of: source) { tilesets.append(tileset) }
    }
    takeDefaults(of: &tilesets)
    for tileset in tilesets { try expand(tileset.source, tileset) }
    if lists { try listTiles(in: definition.tiles.bounds) }
    for index in sources.indices {
      try sources[index].resolveRasterTiles(
        of: definition.tiles, local: localFolder, lists: lists)
      if sources[index].node["attribution"] == nil {
        credit(sources[index].image?.tileset?.attribution)
      }
    }
  }

  /// The folder that addresses with `local://` stand for; `nil` without one.
  private var localFolder: FilePath? {
    definition.material.variables[LocalAddresses.variable].map { FilePath($0) }
  }

  /// Opens the vector tiles of a source; `nil` for another kind, and for data that is absent.
  func tileset(of source: ResolvedSource) throws(PipelineError) -> TilesetOfSource? {
    var source = source
    source.definition.vectorTiles?.localFolder = localFolder
    guard let tiles = source.definition.vectorTiles, tiles.part == nil, source.absence == nil
    else { return nil }
    return try TilesetOfSource(source, tiles)
  }

  /// Finds the tiles that no container lists, of the parts that are drawn.
  ///
  /// - Parameter area: the box that is drawn; `nil` for the world.
  mutating func listTiles(in area: GeoBounds?) throws(PipelineError) {
    var lists: [String: TileListing.Found] = [:]
    for index in sources.indices {
      let source = sources[index]
      guard let origin = source.origin as? TilesetData, let listing = origin.listing,
        var part = source.definition.vectorTiles?.part,
        part.drawnZooms.overlaps(definition.tiles.zooms)
      else { continue }
      part.area = area
      // The tiles of a zoom are the same for all layers.
      let name = "\(source.place) \(part.zoom)"
      var found: TileListing.Found
      if let known = lists[name] {
        found = known
        found.fetched = []
      } else {
        found = try listing.tiles(of: part)
        lists[name] = found
      }
      sources[index].definition.vectorTiles?.part = part
      sources[index].definition.vectorTiles?.found = found.tiles
      sources[index].origin = origin.listed(part, found)
    }
    for name in Set(sources.compactMap(\.tileset)) { shareFound(of: name) }
  }

  /// Lets the parts of a tileset of templates share the tiles that were found, as those of a container
  /// do, and know the box of the closest zoom.
  private mutating func shareFound(of name: String) {
    let own = sources.indices.filter { sources[$0].tileset == name }
    let parts = own.filter { sources[$0].definition.vectorTiles?.found != nil }
    guard let first = parts.first, var tiles = sources[first].definition.vectorTiles,
      let listing = (sources[first].origin as? TilesetData)?.listing
    else { return }
    var (all, deepest): (FoundTiles, [TileCoord]) = (FoundTiles(), [])
    var zooms: Set<Int> = []
    for own in parts.compactMap({ sources[$0].definition.vectorTiles }) {
      guard let zoom = own.part?.zoom, let found = own.found, zooms.insert(zoom).inserted else {
        continue
      }
      all.add(found)
      if zoom > deepest.first?.z ?? -1, !found.files.isEmpty { deepest = Array(found.files.keys) }
    }
    tiles.found = all
    let shared = SharedTiles(
      layers: Set(parts.compactMap { sources[$0].definition.vectorTiles?.part?.layer }),
      limit: SharedTiles.usualLimit
    ) { [tiles] () throws(ArchiveError) in try tiles.tileset(nil) }
    let box = TileExtent(of: deepest)?.box(within: listing.bounds)
    for index in parts {
      sources[index].sharedTiles = shared
      if var data = sources[index].origin as? TilesetData {
        data.box = box
        sources[index].origin = data
      }
    }
    for index in own { sources[index].outline?.box = box }
  }

  /// Adds the attribution that a tileset demands.
  private mutating func credit(_ attribution: String?) {
    guard let attribution, !definition.attribution.contains(attribution) else { return }
    definition.attribution += (definition.attribution.isEmpty ? "" : ", ") + attribution
  }

  private mutating func expand(
    _ source: ResolvedSource, _ tileset: TilesetOfSource
  ) throws(PipelineError) {
    credit(tileset.attribution)
    var parts = TilesetParts(tileset, area: definition.tiles.bounds)
    var layers: [LayerDefinition] = []
    var ids: [String: [String]] = [:]
    for layer in definition.layers {
      guard layer.source == source.name else {
        layers.append(layer)
        continue
      }
      let copies = parts.layers(for: layer, drawnAt: definition.tiles.zooms)
      ids[layer.id] = copies.map(\.id)
      layers += copies
    }
    let used = try parts.sources(of: source, drawnAt: definition.tiles.zooms)
    guard let index = sources.firstIndex(where: { $0.name == source.name }) else { return }
    sources.replaceSubrange(index...index, with: used)
    definition.layers = layers
    // Taps name layers of the file.
    if let named = definition.tiles.interactivity?.layers {
      definition.tiles.interactivity?.layers = named.flatMap { ids[$0] ?? [$0] }
    }
  }
}
