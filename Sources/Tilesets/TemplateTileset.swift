import Files
package import MBTiles
package import SystemPackage
package import Tiling

/// A tileset without an index: a template names each tile, which is requested on its own.
package final class TemplateTileset: FileTileset {
  /// Maximum number of files that are looked for at a zoom.
  package static let limit = 1 << 16

  package let path: FilePath
  package let head: TilesetHead
  package let headFile: FilePath?

  /// The names of the tiles; a tile may have any of them.
  package let templates: [TileTemplate]

  /// The files of the tiles, once they have been looked for or fetched.
  private let found: [TileCoord: FilePath]?

  /// - Parameters:
  ///   - templates: the paths or addresses of the tiles, at least one.
  ///   - found: the files of the tiles that are there; `nil` to look for them on this machine.
  ///   - headFile: the TileJSON; `nil` where there is none.
  package init(
    _ templates: [TileTemplate], head: TilesetHead, headFile: FilePath? = nil,
    found: [TileCoord: FilePath]? = nil
  ) {
    path = headFile ?? FilePath(templates.first?.text ?? "")
    self.templates = templates
    self.head = head
    self.headFile = headFile
    self.found = found
  }

  /// Whether tiles are on a server, and have not been fetched.
  package var needsFetching: Bool { found == nil && templates.contains(where: \.isRemote) }

  package func file(of tile: TileCoord) -> FilePath? {
    if let found { return found[tile] }
    guard tile.isValid else { return nil }
    return templates.lazy.filter { !$0.isRemote }
      .map { [head] in FilePath($0.name(of: tile, rows: head.rows)) }
      .first { FileStatus($0)?.kind == .file }
  }

  /// Returns the address of a tile on a server; `nil` without one. As viewers do, several servers
  /// take turns.
  package func address(of tile: TileCoord) -> String? {
    let remote = templates.filter(\.isRemote)
    guard !remote.isEmpty else { return nil }
    return remote[(tile.x + tile.y) % remote.count].name(of: tile, rows: head.rows)
  }

  /// Calls `body` with the tiles that are there, or that a server may have.
  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return }
    if let found {
      for tile in found.keys where tile.z == zoom { guard body(tile) else { return } }
      return
    }
    let last = 1 << zoom - 1
    let wanted =
      range
      ?? TileRange(zoom: zoom, firstColumn: 0, lastColumn: last, firstRow: 0, lastRow: last)
    guard wanted.count <= Self.limit else {
      throw ArchiveError(
        damagedFolder: path,
        "has no list of its tiles, and \(wanted.count) of zoom \(zoom) would be looked "
          + "for, more than \(Self.limit). Set 'bounds' under tiles or of the source, set the "
          + "source's 'maxzoom', or name an MBTiles or PMTiles file")
    }
    let isRemote = needsFetching
    wanted.forEachKey { key in
      let tile = TileCoord(key, z: zoom)
      return isRemote || file(of: tile) != nil ? body(tile) : true
    }
  }
}
