import MBTiles
import OrderedCollections
import Runs
import Tilesets
import Tiling
import VectorTiles

/// The content of the vector tiles of a tileset, counted.
struct TilesetCensus {
  /// The counts of features by the type of their geometry.
  struct Kinds {
    private(set) var points = 0
    private(set) var lines = 0
    private(set) var polygons = 0
    /// Features of a type that the format does not know.
    private(set) var others = 0

    var all: Int { points + lines + polygons + others }

    mutating func add(_ type: VectorTileFeature.GeometryType) {
      switch type {
      case .point: points += 1
      case .line: lines += 1
      case .polygon: polygons += 1
      case .unknown: others += 1
      }
    }

    static func += (kinds: inout Kinds, more: Kinds) {
      kinds.points += more.points
      kinds.lines += more.lines
      kinds.polygons += more.polygons
      kinds.others += more.others
    }
  }

  /// The features of a layer in the tiles that were read; one that several tiles hold counts in each.
  struct Layer {
    var zooms: ClosedRange<Int>
    var kinds = Kinds()
    /// The properties in the order in which they occur first, with the types of their values.
    var fields: OrderedDictionary<String, FieldTypes> = [:]
  }

  struct Zoom {
    let zoom: Int
    /// The number of tiles; `nil` for more than can be listed.
    var tiles: Int?
    var tilesRead = 0
    /// The bytes of the tiles that were read, as they are stored.
    var bytes = 0
    var features = 0
    /// The largest tile as it is stored.
    var largest: Tile?
  }

  /// A tile that was read.
  struct Tile {
    let tile: TileCoord
    /// Bytes as they are stored, and unpacked.
    let stored: Int
    let unpacked: Int
    var features = 0
    /// The layer with the most features, and their number.
    var first: (name: String, features: Int)?
  }

  /// Maximum number of tiles that are read of a zoom, evenly spread over it.
  static let tileLimit = 1 << 14

  /// Maximum number of ``largest`` tiles.
  private static let largestCount = 5

  private(set) var layers: OrderedDictionary<String, Layer> = [:]
  private(set) var zooms: [Zoom] = []

  /// The largest tiles of all zooms as they are stored, descending.
  private(set) var largest: [Tile] = []

  /// The number of tiles that cannot be read, and of such features in others.
  private(set) var brokenTiles = 0
  private(set) var brokenFeatures = 0

  /// The error of the first of them.
  private(set) var example: VectorTileError?

  private let limits = VectorTileLimits()
  private var feature = VectorTileFeature()

  /// Reads the tiles.
  ///
  /// - Parameter limit: the maximum number of tiles of a zoom.
  /// - Complexity: O(bytes of the tiles that are read), and O(tiles) for their addresses.
  init(
    _ tileset: any Tileset, limit: Int = TilesetCensus.tileLimit, checkpoint: () throws -> Void
  ) throws {
    for zoom in tileset.head.possibleZooms {
      try checkpoint()
      let presence: TileKeySet
      do throws(ArchiveError) {
        presence = try tileset.presence(zoom: zoom)
      } catch {
        guard error.code == .badArchive else { throw error }
        zooms.append(Zoom(zoom: zoom, tiles: nil))
        continue
      }
      guard presence.count > 0 else { continue }
      zooms.append(Zoom(zoom: zoom, tiles: presence.count))
      for key in presence.keys(from: 0, every: (presence.count + limit - 1) / limit) {
        try checkpoint()
        let tile = TileCoord(key, z: zoom)
        if let stored = try tileset.storedTile(tile) { add(tile, stored) }
      }
    }
  }

  private mutating func add(_ tile: TileCoord, _ stored: [UInt8]) {
    let last = zooms.count - 1
    zooms[last].tilesRead += 1
    zooms[last].bytes += stored.count
    var counted = Tile(tile: tile, stored: stored.count, unpacked: 0)
    do throws(VectorTileError) {
      let bytes = try Self.unpacked(stored, limits)
      counted = Tile(tile: tile, stored: stored.count, unpacked: bytes.count)
      for layer in try VectorTile(bytes, limits: limits).layers { add(layer, to: &counted) }
    } catch {
      brokenTiles += 1
      note(error, tile)
    }
    zooms[last].features += counted.features
    if zooms[last].largest.map({ $0.stored < stored.count }) ?? true {
      zooms[last].largest = counted
    }
    let place = largest.firstIndex { $0.stored < stored.count } ?? largest.count
    largest.insert(counted, at: place)
    if largest.count > Self.largestCount { largest.removeLast() }
  }

  /// Returns the bytes of a tile as it is decoded.
  static func unpacked(
    _ stored: [UInt8], _ limits: VectorTileLimits
  ) throws(VectorTileError) -> [UInt8] {
    guard let bytes = PackedTile.unpacked(stored, limit: limits.bytes) else {
      throw VectorTileError(.packing, byte: 0)
    }
    return bytes
  }

  private mutating func add(_ layer: VectorTileLayer, to tile: inout Tile) {
    var types = [FieldTypes](repeating: [], count: layer.keys.count)
    let valueTypes = layer.values.map { FieldTypes($0) }
    var kinds = Kinds()
    for index in 0..<layer.count {
      do throws(VectorTileError) {
        try layer.readFeature(index, into: &feature)
      } catch {
        brokenFeatures += 1
        note(error, tile.tile)
        continue
      }
      kinds.add(feature.type)
      for tag in stride(from: 0, to: feature.tags.count, by: 2) {
        types[Int(feature.tags[tag])].insert(valueTypes[Int(feature.tags[tag + 1])])
      }
    }
    tile.features += kinds.all
    if kinds.all > tile.first?.features ?? 0 { tile.first = (layer.name, kinds.all) }
    let zoom = tile.tile.z
    var sum = layers[layer.name] ?? Layer(zooms: zoom...zoom)
    sum.zooms = min(sum.zooms.lowerBound, zoom)...max(sum.zooms.upperBound, zoom)
    sum.kinds += kinds
    for (name, types) in zip(layer.keys, types) where !types.isEmpty {
      sum.fields[name, default: []].formUnion(types)
    }
    layers[layer.name] = sum
  }

  private mutating func note(_ error: VectorTileError, _ tile: TileCoord) {
    guard example == nil else { return }
    example = error
    example?.tile = tile
  }
}

/// The types of the values of a property, under the words of `vector_layers`.
struct FieldTypes: OptionSet, CustomStringConvertible {
  let rawValue: UInt8

  static let string = FieldTypes(rawValue: 1)
  static let number = FieldTypes(rawValue: 2)
  static let boolean = FieldTypes(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ value: VectorTileValue) {
    self =
      switch value {
      case .string: .string
      case .bool: .boolean
      case .float, .double, .int, .uint, .sint: .number
      }
  }

  var description: String {
    [(FieldTypes.string, "String"), (.number, "Number"), (.boolean, "Boolean")]
      .filter { contains($0.0) }.map(\.1).joined(separator: " or ")
  }
}

extension TilesetHead {
  /// The zooms that may have tiles.
  var possibleZooms: ClosedRange<Int> {
    let first = minZoom ?? 0
    return first...max(first, maxZoom ?? TileCoord.maxZoom)
  }
}
