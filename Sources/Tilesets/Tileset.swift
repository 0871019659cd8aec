package import MBTiles
package import SystemPackage
package import Tiling

/// A set of tiles in any container: an MBTiles or PMTiles file, a folder of files, or what a TileJSON
/// leads to.
///
/// Contents are not trusted. Not thread-safe.
package protocol Tileset: AnyObject {
  /// The path that messages show for it.
  var path: FilePath { get }

  /// The metadata.
  var head: TilesetHead { get }

  /// Returns the bytes of a tile as they are stored, or `nil` where there is none.
  func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]?

  /// Returns a number that tiles share if they are stored once; `nil` where that is not known, or there
  /// is no tile.
  func storedNumber(_ tile: TileCoord) throws(ArchiveError) -> UInt64?

  /// Calls `body` with the addresses of a zoom in any order, until it returns `false`. Names that
  /// are no tile are left out, and an address may come twice. An address of a lower zoom stands for
  /// all its descendants at the zoom.
  ///
  /// - Parameter range: the tiles of interest; others may be left out. `nil` for all.
  func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError)
}

extension TileCoord {
  /// Returns the most north-western of the tiles of a zoom below the tile.
  package func first(ofZoom zoom: Int) -> TileCoord {
    let levels = max(0, zoom - z)
    return TileCoord(z: z + levels, x: x << levels, y: y << levels)
  }

  /// Returns the first and the last of the tiles of a zoom below the tile, in north-west and south-east.
  package func corners(ofZoom zoom: Int) -> (first: TileCoord, last: TileCoord) {
    let (first, side) = (first(ofZoom: zoom), 1 << max(0, zoom - z))
    return (first, TileCoord(z: first.z, x: first.x + side - 1, y: first.y + side - 1))
  }
}

extension Tileset {
  package func storedNumber(_: TileCoord) throws(ArchiveError) -> UInt64? { nil }

  /// Returns the bytes of a tile, unpacked if they are gzipped, or `nil` where there is none.
  ///
  /// - Parameter limit: the maximum number of unpacked bytes.
  /// - Throws: ``ArchiveError/Code/badArchive`` for a tile that is damaged or beyond the limit.
  package func tile(_ tile: TileCoord, limit: Int) throws(ArchiveError) -> [UInt8]? {
    guard let bytes = try storedTile(tile) else { return nil }
    guard let unpacked = PackedTile.unpacked(bytes, limit: limit) else {
      throw ArchiveError(
        damagedFolder: path,
        "has a tile \(tile) that is damaged, or has more than \(limit) bytes unpacked")
    }
    return unpacked
  }

  /// Returns the tiles of a zoom that are there.
  ///
  /// - Parameter range: the tiles that are looked for; `nil` for all.
  /// - Throws: ``ArchiveError``, also for more tiles than ``TileKeySet/limit``.
  /// - Complexity: O(tiles of the zoom); of PMTiles O(entries of all zooms + tiles of the range).
  package func presence(zoom: Int, in range: TileRange? = nil) throws(ArchiveError) -> TileKeySet {
    var presence = TileKeySet(zoom: zoom)
    var isFull = false
    // A malicious container may name tiles without end.
    var looked = 0
    try forEachAddress(zoom: zoom, in: range) { tile in
      looked += 1
      isFull = looked > 2 * TileKeySet.limit || !presence.insert(tile, within: range)
      return !isFull
    }
    guard !isFull else {
      throw ArchiveError(
        damagedFolder: path, "has more than \(TileKeySet.limit) tiles of zoom \(zoom)")
    }
    return presence
  }
}
