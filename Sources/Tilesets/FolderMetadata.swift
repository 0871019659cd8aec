import Features
import Files
import MBTiles
import OrderedCollections
import SystemPackage
import Tiling

/// The metadata beside the tiles of a folder, in the files of the programs that write such folders.
struct FolderMetadata {
  /// The names of the metadata in JSON, the first that exists: a TileJSON, and what tippecanoe, mb-util
  /// and viewers write.
  private static let jsonNames = ["tiles.json", "tilejson.json", "tile.json", "metadata.json"]

  /// The metadata of gdal2tiles, MapTiler and other programs of the Tile Map Service.
  private static let resourceName = "tilemapresource.xml"

  /// The metadata of a cache of ArcGIS.
  private static let cacheName = "conf.xml"

  private(set) var members: OrderedDictionary<String, PropertyValue> = [:]

  /// The file of the metadata; `nil` where there is none.
  private(set) var file: FilePath?

  /// The order of rows; `nil` where nothing says it.
  private(set) var rows: TileScheme?

  /// - Throws: ``ArchiveError``, also where the tiles are not of Web Mercator.
  init(of folder: FilePath) throws(ArchiveError) {
    for name in Self.jsonNames where members.isEmpty {
      let path = folder.appending(name)
      guard FileStatus(path)?.kind == .file else { continue }
      file = path
      members = try MetadataObject.members(of: path)
    }
    if case .string(let text)? = members["scheme"] {
      rows = TileScheme(rawValue: text.lowercased())
    }
    guard rows == nil else { return }
    for (name, read) in [
      (Self.resourceName, Self.resourceRows), (Self.cacheName, Self.cacheRows),
    ] where rows == nil {
      let path = folder.appending(name)
      guard let bytes = try TileFile.bytes(of: path, limit: TileFile.headLimit) else { continue }
      let outcome = read(String(decoding: bytes, as: UTF8.self))
      if let foreign = outcome.foreign {
        throw ArchiveError(
          .content(
            .damagedFolder(
              fault: "has tiles of \(foreign.withoutControls.prefix(80)) by its \(name), and only "
                + "those of Web Mercator are read; make them again with the profile 'mercator'")),
          path: folder)
      }
      rows = outcome.rows
      if rows != nil { file = file ?? path }
    }
    // A TileJSON has rows from the north by default, and tippecanoe always.
    if rows == nil, members["tilejson"] != nil || isOfTippecanoe { rows = .xyz }
  }

  private var isOfTippecanoe: Bool {
    guard case .string(let text)? = members["generator"] else { return false }
    return text.hasPrefix("tippecanoe")
  }

  /// The order of rows that a file tells, or the other tiling whose tiles it describes.
  private typealias Outcome = (rows: TileScheme?, foreign: String?)

  /// Source: https://wiki.osgeo.org/wiki/Tile_Map_Service_Specification; rows count from the south.
  private static func resourceRows(_ text: String) -> Outcome {
    guard text.contains("<TileMap") else { return (nil, nil) }
    let profile = text.firstMatch(of: /<TileSets[^>]*\sprofile\s*=\s*["']([^"']*)["']/)
      .map { String($0.1) }
    if let profile, !["mercator", "global-mercator", "none", ""].contains(profile) {
      return (nil, "the profile '\(profile)'")
    }
    return (.tms, nil)
  }

  private static func cacheRows(_ text: String) -> Outcome {
    guard text.contains("TileCacheInfo>") || text.contains("<TileCacheInfo") else {
      return (nil, nil)
    }
    let systems = ["3857", "102100", "102113", "900913"]
    let system = text.firstMatch(of: /<(?:LatestWKID|WKID)>\s*(\d+)\s*</).map { String($0.1) }
    if let system, !systems.contains(system) { return (nil, "EPSG:\(system)") }
    // Rows count from the origin, which is the north-west corner of the world.
    guard let match = text.firstMatch(of: /<TileOrigin.*?<Y>\s*(-?[0-9.]+)/.dotMatchesNewlines()),
      let north = Double(match.1)
    else { return (nil, nil) }
    return (north > 0 ? .xyz : .tms, nil)
  }
}
