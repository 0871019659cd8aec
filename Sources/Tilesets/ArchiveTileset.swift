package import MBTiles
package import SystemPackage
package import Tiling

/// The tiles of an MBTiles archive.
package final class ArchiveTileset: Tileset {
  package let head: TilesetHead

  private let reader: ArchiveReader

  /// The page cache in bytes: the index of some thousand tiles. Each worker of a build opens a
  /// tileset, so a larger cache would be in memory several times.
  private static let keptBytes = 4 << 20

  /// - Throws: ``ArchiveError`` as `ArchiveReader` does.
  package init(_ reader: ArchiveReader) throws(ArchiveError) {
    self.reader = reader
    try reader.keepPages(bytes: Self.keptBytes)
    head = TilesetHead(MetadataObject.members(reader.metadata))
  }

  package var path: FilePath { reader.path }

  package func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    // The deadline is per tile: a build may read tiles for hours, but never one of them for an
    // hour.
    reader.giveUp(after: 3600)
    return try reader.tile(tile)
  }

  package func forEachAddress(
    zoom: Int, in _: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    try reader.forEachAddress(zoom: zoom, body)
  }
}
