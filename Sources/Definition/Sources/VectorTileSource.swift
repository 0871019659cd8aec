package import Features
package import Ingest
package import MBTiles
package import Runs
package import SystemPackage
package import Tilesets
package import Tiling

/// Mapbox Vector Tiles in a container: a whole tileset, as a pipeline names it, or one of its layers at
/// one of its zooms.
///
/// A tileset has other features at every zoom, and a source of records has one list of them. Before
/// anything is read, each source is therefore replaced by one for each ``Part`` that is drawn.
package struct VectorTileSource: FeatureSource, TiledSource {
  package static let type = "vector"
  package static let version = 1
  package static let endings = [".mbtiles", ".pmtiles"]
  package static let containers = "an MBTiles or PMTiles file, a folder or a TileJSON"
  package static let opensFiles = true
  package static let opensFolders = true
  package static let ownsIDs = true

  /// The keys of its sources are ``sourceKeys``: a tileset has no records that could be selected.
  package static let keys: [KeySpecification] = []

  /// The features of one layer in the tiles of one zoom.
  package struct Part: Hashable, Sendable {
    package var layer: String

    /// The zoom of the tiles.
    package var zoom: Int

    /// The kinds of layers that draw the features of a part.
    package enum Use: String, Sendable {
      /// None: they are queried.
      case query
      /// Fill and line layers.
      case shapes
      /// Symbol and circle layers.
      case symbols
      /// Heatmaps.
      case heat
    }

    package var use: Use

    /// The zooms of the map that are drawn from these tiles.
    package var drawnZooms: ClosedRange<Int>

    /// The box of the map; `nil` for the world. The tiles around it are read, too.
    package var area: GeoBounds?

    /// Whether this part counts tiles that cannot be read: only the first part of a zoom does.
    package var countsTiles = true

    /// The block of tiles that is read; `nil` for all of the area.
    package var block: Block?

    /// A block of tiles, which is read on its own.
    package struct Block: Hashable, Sendable {
      /// The tiles that are read.
      package let tiles: TileRange

      /// The tiles among ``tiles`` whose faults count; `nil` for none. The others are read for
      /// features that reach over borders, or are counted by another block.
      package let own: TileRange?

      package init(tiles: TileRange, own: TileRange?) {
        self.tiles = tiles
        self.own = own
      }
    }

    package init(
      layer: String, zoom: Int, use: Use, drawnZooms: ClosedRange<Int>,
      area: GeoBounds?
    ) {
      self.layer = layer
      self.zoom = zoom
      self.use = use
      self.drawnZooms = drawnZooms
      self.area = area
    }
  }

  /// The property whose values are the ids of features.
  package enum PromotedID: Hashable, Sendable {
    /// The ids of the tiles are kept.
    case none
    case property(String)
    /// Properties by layer.
    case properties([String: String])

    /// Returns the property of a layer; `nil` for the ids of the tiles.
    package func property(of layer: String) -> String? {
      switch self {
      case .none: nil
      case .property(let name): name
      case .properties(let names): names[layer]
      }
    }
  }

  /// The order of rows of a folder or TileJSON; `nil` to take it from the metadata.
  package var rows: TileScheme?

  /// The first and the last zoom with tiles; `nil` to take them from the metadata.
  package var minZoom: Int?
  package var maxZoom: Int?

  /// The box outside of which tiles are not read; `nil` for none.
  package var bounds: GeoBounds?

  package var promotedID = PromotedID.none

  /// The names of the tiles, paths or addresses; empty where a container has them.
  package var templates: [TileTemplate] = []

  /// The folder to which `local://` in a TileJSON leads; `nil` without one.
  package var localFolder: FilePath?

  /// The tiles of the part that templates name, once they have been looked for or fetched.
  package var found: FoundTiles?

  /// The part that is read; `nil` for a whole tileset, which has no reader.
  package var part: Part?

  package init(_ keyed: KeyedNode) throws(PipelineError) {
    try decodeExtent(keyed)
    if let node = keyed.node["promoteId"] {
      if let name = node.text {
        promotedID = .property(name)
      } else {
        let names = (node.members ?? []).compactMap { member in
          member.node.text.map { (member.key, $0) }
        }
        promotedID = .properties(Dictionary(names) { $1 })
      }
    }
  }

  package var examination: ExaminedFormat { .vectorTiles }

  package static func sniff(_ head: UnsafeRawBufferPointer) -> Bool { true }

  /// Returns the layers that the metadata of a tileset list; none where it is not on this machine or
  /// cannot be read.
  func listedLayers(of data: DataLocation) -> [String] {
    guard case .file(let path) = data, let tileset = try? tileset(FilePath(path)) else { return [] }
    return tileset.head.vectorLayers.map(\.id.withoutControls)
  }

  /// Returns the tiles of a part that a tileset has, in the order of their keys.
  package func tiles(
    of part: Part, in tileset: any Tileset
  ) throws(ArchiveError) -> [TileCoord] {
    let present = try tileset.presence(zoom: part.zoom, in: ranges(of: part).first)
    return tiles(of: part, present)
  }

  /// Returns the tiles of a part in the order of their keys.
  ///
  /// - Parameter present: the tiles of its zoom.
  package func tiles(of part: Part, _ present: TileKeySet) -> [TileCoord] {
    let ranges = ranges(of: part)
    func isRead(_ tile: TileCoord) -> Bool { ranges.allSatisfy { $0.contains(tile) } }
    guard let block = part.block else {
      return present.keys.map { TileCoord($0, z: part.zoom) }.filter(isRead)
    }
    var tiles: [TileCoord] = []
    block.tiles.forEachKey { key in
      let tile = TileCoord(key, z: part.zoom)
      if present.contains(key), isRead(tile) { tiles.append(tile) }
      return true
    }
    return tiles
  }

  /// Returns ranges of tiles; the part has the tiles in their intersection.
  package func ranges(of part: Part) -> [TileRange] {
    var ranges: [TileRange] = []
    if let area = part.area {
      ranges.append(
        TileRange(WorldBox(area), zoom: part.zoom).sourceTiles(zoom: part.zoom, margin: 1))
    }
    if let bounds { ranges.append(TileRange(WorldBox(bounds), zoom: part.zoom)) }
    return ranges
  }

  package func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    throw SourceError(
      code: .configuration, file: input.name,
      message: "has layers, each of which has features of its own at every zoom; none is named")
  }
}

/// Tiles that no container lists.
package struct FoundTiles: Sendable {
  /// The files of the tiles that are there.
  package var files: [TileCoord: FilePath] = [:]

  /// The reasons why tiles cannot be fetched; each counts as one rejected record.
  package var failures: [TileCoord: String] = [:]

  package init() {}

  /// The tiles that a tileset lists; those that cannot be fetched have an empty path.
  var listed: [TileCoord: FilePath] { files.merging(failures.mapValues { _ in "" }) { $1 } }

  /// Adds the tiles of another zoom.
  package mutating func add(_ other: FoundTiles) {
    files.merge(other.files) { $1 }
    failures.merge(other.failures) { $1 }
  }
}
