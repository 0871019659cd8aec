import MBTiles
import SystemPackage
import Tiling

/// A count of the tiles of frames that are the same as in the previous frame.
struct TileComparison {
  /// The numbers of compared tiles, and of equal ones among them.
  private(set) var compared = 0
  private(set) var identical = 0

  /// The tiles of the previous frame, in archive order; `nil` until they are needed.
  private var last: (path: FilePath, tiles: ContiguousArray<Entry>)?

  private struct Entry {
    let key: UInt64
    let digest: MD5Digest
  }

  /// Compares two consecutive frames.
  ///
  /// - Complexity: O(bytes of both archives); of the later one alone if the earlier was the later
  ///   one of the previous call.
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
    try unsafe ArchiveReader(path).forEachTile { (tile, bytes) throws(ArchiveError) in
      unsafe tiles.append(Entry(key: tile.archiveKey, digest: MD5Digest(of: bytes)))
    }
    return tiles
  }
}
