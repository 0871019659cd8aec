package import SystemPackage
package import Tiling

/// A container of tiles by their coordinates, with the metadata of their tileset.
///
/// Contents are not trusted. Not thread-safe.
package protocol StoredTiles: AnyObject {
  var path: FilePath { get }

  /// The metadata as the rows of an archive.
  var metadata: StoredMetadata { get }

  /// The archive's own hit tests; `nil` for containers that hold none.
  var taps: ArchiveReader? { get }

  /// Restarts the deadline of the following reads: they fail after this many seconds.
  func giveUp(after seconds: Double)

  /// Returns the bytes of a tile, or `nil` where there is none.
  func tile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]?

  /// Returns the tile that is found first; `nil` where there is none.
  func anyTile() throws(ArchiveError) -> [UInt8]?

  /// Returns the number of tiles by zoom.
  ///
  /// - Complexity: O(tiles).
  func tileCounts() throws(ArchiveError) -> [Int: Int]

  /// Calls `body` with every tile in archive order; what does not name a tile or has no bytes is
  /// left out.
  func forEachTile(
    _ body: (TileCoord, UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError)
}

extension ArchiveReader: StoredTiles {
  package var taps: ArchiveReader? { self }

  package func tileCounts() throws(ArchiveError) -> [Int: Int] {
    Dictionary(
      try summary().zooms.map { ($0.zoom, $0.tiles) }, uniquingKeysWith: { first, _ in first })
  }
}
