import Definition
import Failures
import Fetching
import MBTiles
import Runs
import Styling
import SystemPackage
import Tilesets
import Tiling

/// The tileset of a source, and what its metadata say.
struct TilesetOfSource {
  var source: ResolvedSource
  let tiles: VectorTileSource

  /// The tileset; `nil` where an earlier run has read its parts.
  let tileset: (any Tileset)?

  let path: FilePath?

  /// The facts from which the parts follow; the box of the tiles is not known yet.
  let outline: TilesetOutline

  init(_ source: ResolvedSource, _ tiles: VectorTileSource) throws(PipelineError) {
    self.source = source
    self.tiles = tiles
    if let outline = source.outline {
      (tileset, path, self.outline) = (nil, nil, outline)
      return
    }
    let path = try source.container(of: tiles)
    self.path = path
    let address = source.origin.fetched.first.map(\.uri)
    let (opened, zooms) = try source.definition.reading { () throws(ArchiveError) in
      let tileset = try tiles.tileset(path, address: address)
      return (tileset, try tileset.zooms(from: tiles.minZoom, to: tiles.maxZoom))
    }
    tileset = opened
    outline = TilesetOutline(
      zooms: zooms, layers: opened.head.vectorLayers.map(\.id), bounds: opened.head.bounds,
      attribution: opened.head.attribution)
  }

  /// The zooms that tiles are read from.
  var zooms: ClosedRange<Int> { outline.zooms }

  /// Returns the end of a note on a layer that the metadata do not list; `nil` if they list it or
  /// list none. The list need not be complete.
  func words(onUnlisted name: String) -> String? {
    let known = outline.layers
    guard !known.isEmpty, !known.contains(name) else { return nil }
    return "the layer '\(name)' of source '\(source.name)', which its metadata do not list"
      + "\(NameSuggestion.question(name, among: known)) They list \(known.joined(separator: ", "))."
  }

  /// The attribution that the tileset demands; the pipeline's source may have one as well.
  var attribution: String? {
    source.node["attribution"] == nil ? outline.attribution : nil
  }

  /// The search for tiles that templates name; `nil` for a container.
  var listing: TileListing? {
    (tileset as? TemplateTileset).map {
      TileListing(of: source.definition, tiles, $0, fetch: source.tileFetch)
    }
  }
}

/// The parts of a tileset that layers draw, in the order in which they are first drawn.
struct TilesetParts {
  private let tileset: TilesetOfSource
  private let area: GeoBounds?
  private var parts: [VectorTileSource.Part] = []
  private var names: Set<VectorTileSource.Part> = []

  /// The notes on layers that the tileset does not list.
  private var notes: [String] = []

  init(_ tileset: TilesetOfSource, area: GeoBounds?) {
    self.tileset = tileset
    self.area = area
  }

  /// Returns the layers that draw the parts of a layer.
  ///
  /// - Parameter zooms: the zooms of the run; the legend has the layer of the last.
  mutating func layers(
    for layer: LayerDefinition, drawnAt zooms: ClosedRange<Int>
  ) -> [LayerDefinition] {
    note(layer)
    var layers: [LayerDefinition] = []
    let named = layer.sourceLayer.map { [$0] } ?? tileset.outline.layers
    for name in named {
      var shown: Int?
      for zoom in tileset.zooms {
        let isLast = zoom == tileset.zooms.upperBound
        var copy = layer
        copy.minZoom = max(layer.minZoom, Double(zoom))
        if !isLast { copy.maxZoom = min(layer.maxZoom, Double(zoom + 1)) }
        guard copy.minZoom < copy.maxZoom else { continue }
        let part = VectorTileSource.Part(
          layer: name, zoom: zoom, use: layer.useOfTiles,
          drawnZooms: zoom...(isLast ? max(zoom, TileCoord.maxZoom) : zoom), area: area)
        if names.insert(part).inserted { parts.append(part) }
        copy.source = part.name(in: tileset.source.name)
        copy.id = "\(layer.id)/\(layer.sourceLayer == nil ? "\(name)/" : "")\(zoom)"
        copy.writtenID = layer.id
        copy.writtenSource = tileset.source.name
        copy.sourceLayer = name
        copy.isInLegend = false
        if part.drawnZooms.overlaps(zooms) { shown = layers.count }
        layers.append(copy)
      }
      if let shown { layers[shown].isInLegend = layer.isInLegend }
    }
    return layers
  }

  private var rowsNote: [String] {
    [tileset.tileset?.head.rowsNote(of: tileset.source)].compactMap(\.self)
  }

  /// Notes that the tileset does not list a layer; its list need not be complete.
  private mutating func note(_ layer: LayerDefinition) {
    guard let words = layer.sourceLayer.flatMap({ tileset.words(onUnlisted: $0) }) else { return }
    notes.append("\(layer.place): layer '\(layer.id)' draws \(words)")
  }

  /// Adds layers whose features are queried at one zoom.
  mutating func add(_ layers: [String], zoom: Int) {
    parts += layers.map { layer in
      VectorTileSource.Part(
        layer: layer, zoom: zoom, use: .query, drawnZooms: 0...TileCoord.maxZoom, area: area)
    }
  }

  /// Returns a source for each part.
  ///
  /// - Parameter zooms: the zooms of the run.
  func sources(
    of source: ResolvedSource, drawnAt zooms: ClosedRange<Int>
  ) throws(PipelineError) -> [ResolvedSource] {
    let shared = SharedTiles(
      layers: Set(parts.map(\.layer)), limit: SharedTiles.usualLimit
    ) { [tiles = tileset.tiles, path = tileset.path] () throws(ArchiveError) in
      try tiles.tileset(path)
    }
    var files = TilesetFiles(tileset.tileset)
    let listing = tileset.listing
    var outline = tileset.outline
    if tileset.tileset != nil, listing == nil {
      outline.box = try PipelineError.wrapping { try self.box(shared, drawnAt: zooms) }
    }
    var sources: [ResolvedSource] = []
    var zoomsCounted: Set<Int> = []
    for var part in parts {
      part.countsTiles = zoomsCounted.insert(part.zoom).inserted
      var own = source
      own.definition.name = part.name(in: source.name)
      own.definition.vectorTiles?.part = part
      own.layerName = part.layer
      own.tileset = source.name
      own.notes = sources.isEmpty ? source.notes + rowsNote + notes : []
      own.outline = outline
      if let listing {
        own.origin = TilesetData(
          source.origin, part, listing, found: nil, isFirst: sources.isEmpty)
        sources.append(own)
        continue
      }
      if tileset.tileset != nil { own.sharedTiles = shared }
      let found = try source.definition.reading { () throws(ArchiveError) in
        try files.files(of: part, tileset.tiles)
      }
      own.origin = TilesetData(
        source.origin, part, files: found, box: outline.box, isFirst: sources.isEmpty)
      sources.append(own)
    }
    return sources
  }

  /// Returns the box of the tiles of the closest zoom that is drawn, or the part of it that the
  /// metadata name: the box of the features would be known only when all are read.
  private func box(
    _ shared: SharedTiles, drawnAt zooms: ClosedRange<Int>
  ) throws(ArchiveError) -> GeoBounds? {
    let drawn = parts.filter { $0.drawnZooms.overlaps(zooms) }
    guard let part = drawn.max(by: { $0.zoom < $1.zoom }) else { return nil }
    let ranges = tileset.tiles.ranges(of: part)
    var tiles: [TileCoord] = []
    func isRead(_ tile: TileCoord) -> Bool { ranges.allSatisfy { $0.contains(tile) } }
    var present = try shared.presence(zoom: part.zoom, in: ranges.first)
    for square in present.squares {
      let (first, last) = square.corners(ofZoom: part.zoom)
      guard isRead(first), isRead(last) else { continue }
      tiles += [first, last]
      present.remove(square)
    }
    var extent = TileExtent(of: tiles)
    present.forEach { key in
      let tile = TileCoord(key, z: part.zoom)
      if !isRead(tile) { return }
      if extent == nil { extent = TileExtent(tile) }
      extent?.include(tile)
    }
    return extent?.box(within: tileset.outline.bounds)
  }
}

extension TileExtent {
  /// Creates the extent of some tiles of one zoom; `nil` for none.
  init?(of tiles: [TileCoord]) {
    guard let first = tiles.first else { return nil }
    self.init(first)
    for tile in tiles { include(tile) }
  }

  /// Returns the box of its tiles in degrees, or the part of it that the metadata name.
  func box(within named: GeoBounds?) -> GeoBounds {
    guard let named, !named.crossesAntimeridian else { return box }
    let common = GeoBounds(
      west: max(box.west, named.west), south: max(box.south, named.south),
      east: min(box.east, named.east), north: min(box.north, named.north))
    return common.west < common.east && common.south < common.north ? common : box
  }

  /// The box of its tiles, in degrees.
  private var box: GeoBounds {
    func latitude(_ row: Int) -> Double {
      row == 1 << zoom
        ? -WorldPoint.maxLatitude
        : LngLat(WorldPoint(x: 0, y: UInt32(row) << (32 - UInt32(zoom)))).latitude
    }
    func longitude(_ column: Int) -> Double { Double(column) / Double(1 << zoom) * 360 - 180 }
    return GeoBounds(
      west: longitude(columns.lowerBound), south: latitude(rows.upperBound + 1),
      east: longitude(columns.upperBound + 1), north: latitude(rows.lowerBound))
  }
}

extension LayerDefinition {
  /// The use that the layer makes of vector tiles.
  fileprivate var useOfTiles: VectorTileSource.Part.Use {
    switch type {
    case .symbol, .chart, .circle: .symbols
    case .heatmap: .heat
    default: .shapes
    }
  }
}

extension VectorTileSource.Part {
  /// Returns the name of the part of a source.
  fileprivate func name(in source: String) -> String {
    let end =
      switch use {
      case .query, .shapes: ""
      case .symbols: "/labels"
      case .heat: "/heat"
      }
    return "\(source)/\(layer)/\(zoom)\(end)"
  }
}

/// The files of the tiles of a folder, found once for each zoom.
private struct TilesetFiles {
  private let folder: FolderTileset?
  private var tiles: [Int: [InputFile]] = [:]

  init(_ tileset: (any Tileset)?) {
    folder = tileset as? FolderTileset
  }

  /// Returns the files of a part and of the metadata; `nil` for a tileset that is one file.
  mutating func files(
    of part: VectorTileSource.Part, _ source: VectorTileSource
  ) throws(ArchiveError) -> [InputFile]? {
    guard let folder else { return nil }
    if let known = tiles[part.zoom] { return known }
    var files: [InputFile] = []
    if let head = folder.headFile { files.append(InputFile(.data, path: head.string)) }
    for tile in try source.tiles(of: part, in: folder) {
      guard let file = folder.file(of: tile) else { continue }
      files.append(InputFile(.data, path: file.string, name: "\(tile)"))
    }
    tiles[part.zoom] = files
    return files
  }
}

extension TilesetHead {
  /// Returns the note on the order of rows of a source's tiles; `nil` where it is known.
  func rowsNote(of source: ResolvedSource) -> String? {
    guard assumesRows else { return nil }
    return
      "\(source.place): nothing beside the tiles of source '\(source.nameInFile)' says whether rows count "
      + "from the north or from the south; they are taken from the north. If the map lies upside down, "
      + "set 'scheme: tms'; 'scheme: xyz' confirms it."
  }
}
