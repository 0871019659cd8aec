import Features
import Files
package import MBTiles
import PMTiles
package import SystemPackage
package import Tiling

/// Functions that open tilesets by their content.
package enum TilesetOpening {
  /// Opens the tiles to which a path leads: an MBTiles or PMTiles file, a folder of files, or a
  /// TileJSON.
  ///
  /// - Parameters:
  ///   - rows: the order of rows of a folder or TileJSON; `nil` for the order in its metadata.
  ///   - local: the folder to which `local://` in a TileJSON leads, as in MapLibre's tests.
  ///   - address: the address that a TileJSON was fetched from, to which its tiles are relative.
  /// - Throws: ``ArchiveError``.
  /// - Complexity: O(1), except for reading metadata and listing a folder.
  package static func open(
    _ path: FilePath, rows: TileScheme? = nil, local: FilePath? = nil,
    address: String? = nil
  ) throws(ArchiveError) -> any Tileset {
    let file = try HeldFile(archive: path, noun: "tileset")
    guard (try? file.status)?.kind != .folder else { return try FolderTileset(path, rows: rows) }
    let bytes = FileHead.bytes(of: file.descriptor, FileSignature.byteCount, at: path)
    switch bytes.withUnsafeBytes({ FileSignature($0) }) {
    case .pmtiles: return try PMTilesTileset(try PMTilesReader(file))
    case .sqlite: return try ArchiveTileset(try ArchiveReader(file))
    default:
      return try tileJSON(path, rows: rows) { text in
        if let local, text.hasPrefix("local://") {
          return local.pushing(FilePath(String(text.dropFirst(8)))).string
        }
        return address.map { resolved(text, against: $0) } ?? resolved(text, beside: path)
      }
    }
  }

  /// Opens the tiles to which a TileJSON leads.
  ///
  /// - Parameter resolve: returns the path or address of tiles; `nil` for what is not read.
  private static func tileJSON(
    _ path: FilePath, rows: TileScheme?, _ resolve: (String) -> String?
  ) throws(ArchiveError) -> any Tileset {
    var head = TilesetHead(try MetadataObject.members(of: path))
    if let rows { head.rows = rows }
    guard !head.templates.isEmpty else {
      throw ArchiveError(damagedFolder: path, "is no TileJSON: it has no list 'tiles' of addresses")
    }
    var templates: [TileTemplate] = []
    for text in head.templates {
      guard let place = resolve(text), let template = TileTemplate(place) else {
        throw ArchiveError(
          damagedFolder: path,
          "has tiles at \(text.withoutControls.prefix(200)), and only http or https addresses and "
            + "files are read, with the places \(TileTemplate.places)")
      }
      templates.append(template)
    }
    if templates.count == 1, let folder = TileFolder(templates[0]) {
      return FolderTileset(path, head, path, folder)
    }
    return TemplateTileset(templates, head: head, headFile: path)
  }

  /// Returns the address or path of a TileJSON on this machine; `nil` for one that is not read.
  private static func resolved(_ text: String, beside document: FilePath) -> String? {
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return text }
    let path = text.hasPrefix("file://") ? String(text.dropFirst(7)) : text
    guard !path.contains("://"), !path.contains("?") else { return nil }
    return document.removingLastComponent().pushing(FilePath(path)).string
  }

  /// Returns the address of a TileJSON on a server; `nil` for one that is not read.
  private static func resolved(_ text: String, against document: String) -> String? {
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return text }
    guard !text.contains("://"), let host = document.firstRange(of: "://") else { return nil }
    if text.hasPrefix("//") { return document[..<host.lowerBound] + ":" + text }
    let place = document.prefix { $0 != "?" && $0 != "#" }
    let path = place[host.upperBound...]
    if text.hasPrefix("/") { return place[..<(path.firstIndex(of: "/") ?? path.endIndex)] + text }
    guard let last = path.lastIndex(of: "/") else { return place + "/" + text }
    return place[...last] + text
  }
}
