import MBTiles
import OrderedCollections
import Overlays
import SystemPackage
import Tilesets
import Tiling
import VectorTiles

/// The layers of a tileset of vector tiles, as its metadata and some of its tiles show them, or the
/// pictures of one of raster tiles.
struct TilesetSurvey {
  /// A layer with what is drawn of it.
  struct Layer {
    let name: String

    /// The names of properties.
    var fields: Set<String> = []

    /// The texts of `class` or `kind`, the properties by which map schemas divide their layers.
    var classes: Set<String> = []

    var hasPoints = false
    var hasLines = false
    var hasAreas = false

    /// Whether the features are of several types, so that layers need a filter.
    var isMixed: Bool { [hasPoints, hasLines, hasAreas].count { $0 } > 1 }

    /// Takes the layer for what its name means in a known schema: its tiles are on a server.
    mutating func assume() {
      (hasPoints, hasLines, hasAreas) = TilesetRole.geometries(of: name)
      classes = TilesetLayerDrafter.knownClasses
    }
  }

  /// A picture of raster tiles.
  struct Picture {
    let format: ImageFormat

    /// The width in pixels.
    let side: Int
  }

  let head: TilesetHead

  /// The box in degrees: that of the metadata, or of the tiles where these name none or the world.
  private(set) var bounds: GeoBounds?

  /// A picture of the tiles; `nil` for vector tiles.
  private(set) var picture: Picture?

  /// The zooms with tiles.
  private(set) var zooms = 0...0

  private(set) var layers: OrderedDictionary<String, Layer> = [:]

  /// The most tiles of a zoom that are looked at.
  private static let tilesOfZoom = 6

  /// The most tiles of a zoom whose box is found.
  private static let listedTiles = 1 << 20

  /// The most features of a layer of a tile that are looked at.
  private static let featureLimit = 400

  /// Looks at some tiles of every zoom, the same in each run.
  ///
  /// - Returns: `nil` for what holds neither vector tiles nor pictures.
  /// - Throws: ``ArchiveError``.
  init?(_ tileset: any Tileset) throws(ArchiveError) {
    head = tileset.head
    for layer in head.vectorLayers {
      layers[layer.id] = Layer(name: layer.id, fields: Set(layer.fields.keys))
    }
    if let template = tileset as? TemplateTileset, template.needsFetching {
      guard !layers.isEmpty else { return nil }
      for name in layers.keys { layers[name]?.assume() }
      zooms = (head.minZoom ?? 0)...max(head.minZoom ?? 0, head.maxZoom ?? Self.lastOfSchemas)
      bounds = head.bounds
      return
    }
    var found: [Int] = []
    var boxes: [TileBox] = []
    for zoom in (head.minZoom ?? 0)...(head.maxZoom ?? Self.deepest) {
      let presence = try tileset.presence(zoom: zoom, in: nil)
      guard presence.count > 0 else { continue }
      found.append(zoom)
      if presence.count <= Self.listedTiles { boxes.append(TileBox(presence)) }
      let step = max(1, presence.count / Self.tilesOfZoom)
      for key in presence.keys(from: step / 2, every: step) {
        try look(at: TileCoord(key, z: zoom), of: tileset)
      }
    }
    guard let first = found.first, let last = found.last,
      picture != nil
        || layers.values.contains(where: { $0.hasPoints || $0.hasLines || $0.hasAreas })
    else { return nil }
    zooms = first...last
    bounds = head.bounds
    if let box = boxes.last, box.zoom == last, head.bounds ?? .world == .world {
      // A world of few zooms around a city is the world.
      bounds = boxes.allSatisfy(box.covers) ? box.degrees : nil
    }
  }

  /// The last zoom of tiles of the schemas whose layers are known, where the metadata do not tell.
  private static let lastOfSchemas = 14

  /// The last zoom that is looked for where the metadata do not tell.
  private static let deepest = 16

  /// Notes the layers of a tile, or its picture; one that is damaged has none.
  private mutating func look(
    at coord: TileCoord, of tileset: any Tileset
  ) throws(ArchiveError) {
    guard let stored = try tileset.storedTile(coord),
      let bytes = PackedTile.unpacked(stored, limit: VectorTileLimits().bytes)
    else { return }
    if let format = unsafe bytes.withUnsafeBytes({ unsafe ImageFormat($0) }) {
      if picture == nil, let image = try? ImageDecoder().decode(bytes) {
        picture = Picture(format: format, side: image.width)
      }
      return
    }
    guard let tile = try? VectorTile(bytes, sparesLayers: true) else { return }
    var feature = VectorTileFeature()
    for layer in tile.layers {
      var facts = layers[layer.name] ?? Layer(name: layer.name)
      facts.fields.formUnion(layer.keys)
      let classes = ["class", "kind"].compactMap { name in
        layer.keys.firstIndex(of: name).map { UInt32($0) }
      }
      for index in 0..<min(layer.count, Self.featureLimit) {
        guard (try? layer.readFeature(index, into: &feature)) != nil else { continue }
        switch feature.type {
        case .point: facts.hasPoints = true
        case .line: facts.hasLines = true
        case .polygon: facts.hasAreas = true
        case .unknown: break
        }
        for tag in stride(from: 0, to: feature.tags.count - 1, by: 2)
        where classes.contains(feature.tags[tag]) {
          guard case .string(let text) = layer.values[Int(feature.tags[tag + 1])] else { continue }
          facts.classes.insert(text)
        }
      }
      layers[layer.name] = facts
    }
  }
}

/// The columns and rows between which the tiles of a zoom lie.
private struct TileBox {
  let zoom: Int
  private var columns = Int.max...Int.max
  private var rows = Int.max...Int.max

  /// - Complexity: O(tiles).
  init(_ presence: TileKeySet) {
    zoom = presence.zoom
    var (west, east, north, south) = (Int.max, 0, Int.max, 0)
    presence.forEach { key in
      let tile = TileCoord(key, z: presence.zoom)
      (west, east) = (min(west, tile.x), max(east, tile.x))
      (north, south) = (min(north, tile.y), max(south, tile.y))
    }
    (columns, rows) = (min(west, east)...east, min(north, south)...south)
  }

  /// Whether the tiles of a zoom no deeper than this one lie over these.
  func covers(_ other: TileBox) -> Bool {
    let levels = zoom - other.zoom
    return columns.lowerBound >> levels <= other.columns.lowerBound
      && columns.upperBound >> levels >= other.columns.upperBound
      && rows.lowerBound >> levels <= other.rows.lowerBound
      && rows.upperBound >> levels >= other.rows.upperBound
  }

  /// The box in degrees; `nil` for one around the world.
  var degrees: GeoBounds? {
    guard columns.count < 1 << zoom else { return nil }
    let first = WorldBox(TileCoord(z: zoom, x: columns.lowerBound, y: rows.lowerBound))
    let last = WorldBox(TileCoord(z: zoom, x: columns.upperBound, y: rows.upperBound))
    return GeoBounds(
      WorldBox(west: first.west, north: first.north, east: last.east, south: last.south))
  }
}
