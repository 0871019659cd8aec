import Features
import Files
import Ingest
import MBTiles
import OrderedCollections
import SystemPackage
import Tiling

/// The metadata that programs write next to the tiles of a folder, each in a file of its own
/// format.
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

  /// The order of rows; `nil` if no file gives it.
  private(set) var rows: TileScheme?

  /// The metres of a pixel of each level of a cache; `nil` where there is none, or it lists none.
  private(set) var levels: [Int: Double]?

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
          damagedFolder: folder,
          "has tiles of \(foreign.withoutControls.prefix(80)) by its \(name), and only "
            + "those of Web Mercator are read; make them again with the profile 'mercator'")
      }
      rows = outcome.rows
      if name == Self.cacheName { levels = Self.levels(String(decoding: bytes, as: UTF8.self)) }
      if rows != nil { file = file ?? path }
    }
    // A TileJSON has rows from the north by default, and tippecanoe always.
    if rows == nil, members["tilejson"] != nil || isOfTippecanoe { rows = .xyz }
  }

  private var isOfTippecanoe: Bool {
    guard case .string(let text)? = members["generator"] else { return false }
    return text.hasPrefix("tippecanoe")
  }

  /// The order of rows that a file gives, or the name of the foreign tiling that it describes.
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

  /// Refuses the levels of a cache if their numbers are not Web Mercator zooms.
  func requireZooms(_ zooms: [Int], _ folder: FilePath) throws(ArchiveError) {
    func fault(_ fault: String) -> ArchiveError {
      ArchiveError(damagedFolder: folder, fault)
    }
    guard let levels, rows != nil else {
      throw fault(
        "has levels of an ArcGIS cache, L00, L01 …, without the \(Self.cacheName) that says what they "
          + "are; put it beside them")
    }
    for zoom in zooms {
      let metres = Self.metresAtZoom0 / Double(1 << zoom)
      guard let resolution = levels[zoom], abs(resolution / metres - 1) < 1e-6 else {
        throw fault(
          "has the level \(zoom) that is not zoom \(zoom) of tiles of 256 pixels by its "
            + "\(Self.cacheName), and only such levels are read")
      }
    }
  }

  /// The metres per pixel of the zoom-0 tile at 256 pixels.
  private static let metresAtZoom0 = 2 * MercatorMetres.halfWorld / 256

  /// Returns the metres of a pixel of each level; `nil` if a cache lists none.
  private static func levels(_ text: String) -> [Int: Double]? {
    let matches = text.matches(
      of: /<LevelID>\s*(\d{1,2})\s*<.*?<Resolution>\s*([0-9.eE+-]+)\s*</.dotMatchesNewlines())
    let levels = matches.prefix(100).compactMap { match in
      Int(match.1).flatMap { id in Double(match.2).map { (id, $0) } }
    }
    return levels.isEmpty ? nil : Dictionary(levels) { first, _ in first }
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
