import MBTiles
import SystemPackage
import Tiling

/// Counts the tiles of frames that show the same as in the frame before.
struct TileComparison {
  /// Tiles that were compared, and those of them that were equal.
  private(set) var compared = 0
  private(set) var identical = 0

  /// The tiles of the frame before, in archive order; `nil` until they are needed.
  private var last: (path: FilePath, tiles: ContiguousArray<Entry>)?

  private struct Entry {
    let key: UInt64
    let digest: MD5Digest
  }

  /// Compares two frames that follow one another.
  ///
  /// - Complexity: O(bytes of both archives); of the later one alone if the earlier was the later
  ///   one of the call before.
  mutating func add(_ path: FilePath, after earlier: FilePath) throws {
    let before = last?.path == earlier ? last?.tiles ?? [] : try Self.tiles(of: earlier)
    let tiles = try Self.tiles(of: path)
    var index = 0
    for tile in tiles {
      while index < before.count, before[index].key < tile.key { index += 1 }
      guard index < before.count else { break }
      if before[index].key == tile.key, before[index].digest == tile.digest { identical += 1 }
    }
    compared += tiles.count
    last = (path, tiles)
  }

  private static func tiles(of path: FilePath) throws -> ContiguousArray<Entry> {
    var tiles: ContiguousArray<Entry> = []
    try ArchiveReader(path).forEachTile { (tile, bytes) throws(ArchiveError) in
      tiles.append(Entry(key: tile.archiveKey, digest: MD5Digest(of: bytes)))
    }
    return tiles
  }
}
