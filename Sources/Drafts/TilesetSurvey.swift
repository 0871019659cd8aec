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
  }

  /// A picture of raster tiles.
  struct Picture {
    let format: ImageFormat

    /// The width in pixels.
    let side: Int
  }

  let head: TilesetHead

  /// A picture of the tiles; `nil` for vector tiles.
  private(set) var picture: Picture?

  /// The zooms with tiles.
  private(set) var zooms = 0...0

  private(set) var layers: OrderedDictionary<String, Layer> = [:]

  /// The most tiles of a zoom that are looked at.
  private static let tilesOfZoom = 6

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
    var found: [Int] = []
    for zoom in (head.minZoom ?? 0)...(head.maxZoom ?? Self.deepest) {
      let presence = try tileset.presence(zoom: zoom, in: nil)
      guard presence.count > 0 else { continue }
      found.append(zoom)
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
  }

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
