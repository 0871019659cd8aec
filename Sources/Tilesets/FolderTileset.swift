import Files
package import MBTiles
package import SystemPackage
package import Tiling

/// The tiles of a folder of files `z/x/y.pbf`, or with another ending, or of an exploded cache of ArcGIS,
/// and the metadata beside them.
package final class FolderTileset: FileTileset {
  /// The endings of tiles; the first that exists is read.
  private static let endings = ["pbf", "mvt", "png", "webp", "jpg", "jpeg", "pbf.gz", "mvt.gz"]

  package let path: FilePath
  package let head: TilesetHead

  package let headFile: FilePath?

  private let names: TileFolder

  /// Opens a folder.
  ///
  /// - Parameter rows: the order of rows; `nil` for the order in the metadata, else the order that
  ///   puts more tiles inside the metadata's box, else from the north.
  /// - Throws: ``ArchiveError``, if it cannot be listed or is not a folder of tiles.
  package convenience init(
    _ folder: FilePath, rows: TileScheme? = nil
  ) throws(ArchiveError) {
    var metadata = try FolderMetadata(of: folder)
    var names = TileFolder(folder: folder, endings: Self.endings)
    var zooms = try names.zooms()
    if zooms.isEmpty, let cache = try TileFolder.cache(folder, endings: Self.endings) {
      names = cache
      zooms = try cache.zooms()
      // If the path names the folder `_alllayers` itself, the metadata lie in its parent.
      if metadata.levels == nil { metadata = try FolderMetadata(of: folder.appending("..")) }
      try metadata.requireZooms(zooms, folder)
    }
    var head = TilesetHead(metadata.members)
    guard let first = zooms.first, let last = zooms.last else {
      throw ArchiveError(damagedFolder: folder, "has no tiles, files such as 3/4/5.pbf")
    }
    head.minZoom = head.minZoom ?? first
    head.maxZoom = head.maxZoom ?? last
    if let told = rows ?? metadata.rows {
      head.rows = told
    } else if let box = head.bounds, let fitting = try Self.rows(of: names, zoom: last, in: box) {
      head.rows = fitting
    } else {
      // At zoom 0 both orders are the same.
      head.assumesRows = last > 0
    }
    self.init(folder, head, metadata.file, names)
  }

  /// Maximum number of columns whose rows are compared with a box.
  private static let columnLimit = 64

  /// Returns the order of rows that puts more tiles of a zoom into a box; `nil` if both put as
  /// many.
  private static func rows(
    of names: TileFolder, zoom: Int, in box: GeoBounds
  ) throws(ArchiveError) -> TileScheme? {
    let range = TileRange(WorldBox(box), zoom: zoom)
    var (north, south) = (0, 0)
    var columns: Set<Int> = []
    try names.forEachTile(zoom: zoom) { column, row in
      columns.insert(column)
      guard columns.count <= columnLimit else { return false }
      if range.contains(TileCoord(z: zoom, x: column, y: row)) { north += 1 }
      if range.contains(TileCoord(z: zoom, x: column, tmsRow: row)) { south += 1 }
      return true
    }
    return north == south ? nil : north > south ? .xyz : .tms
  }

  /// - Parameter headFile: the TileJSON; `nil` where there is none.
  init(_ path: FilePath, _ head: TilesetHead, _ headFile: FilePath?, _ names: TileFolder) {
    self.path = path
    self.head = head
    self.headFile = headFile
    self.names = names
  }

  package func file(of tile: TileCoord) -> FilePath? {
    guard tile.isValid else { return nil }
    let row = head.rows == .tms ? tile.tmsRow : tile.y
    return names.files(zoom: tile.z, column: tile.x, row: row).first {
      FileStatus($0)?.kind == .file
    }
  }

  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return }
    try names.forEachTile(zoom: zoom, isWanted: { range?.contains(column: $0) ?? true }) {
      column, row in
      body(
        head.rows == .tms
          ? TileCoord(z: zoom, x: column, tmsRow: row) : TileCoord(z: zoom, x: column, y: row))
    }
  }
}
