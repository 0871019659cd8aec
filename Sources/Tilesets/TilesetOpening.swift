import Files
package import MBTiles
import PMTiles
package import SystemPackage

/// The opening of tilesets by their content.
package enum TilesetOpening {
  /// Opens the tiles to which a path leads: an MBTiles or PMTiles file, a folder of files, or a
  /// TileJSON.
  ///
  /// - Parameter rows: the order of rows of a folder or TileJSON; `nil` for that of its metadata.
  /// - Throws: ``ArchiveError``.
  /// - Complexity: O(1), but for metadata and the listing of a folder.
  package static func open(
    _ path: FilePath, rows: TilesetHead.RowOrigin? = nil
  ) throws(ArchiveError) -> any Tileset {
    let file = try HeldFile(archive: path, noun: "tileset")
    guard (try? file.status)?.kind != .folder else { return try FolderTileset(path, rows: rows) }
    let bytes = FileHead.bytes(of: file.descriptor, FileSignature.byteCount, at: path)
    switch bytes.withUnsafeBytes({ FileSignature($0) }) {
    case .pmtiles: return try PMTilesTileset(try PMTilesReader(file))
    case .sqlite: return ArchiveTileset(try ArchiveReader(file))
    default: return try FolderTileset(tileJSON: path, rows: rows)
    }
  }
}
