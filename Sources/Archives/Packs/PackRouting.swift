package import MBTiles
package import Runs
package import Tiling

/// The routing of tiles to packs: a tile goes to the pack of each region that it touches, otherwise
/// to the shared pack.
///
/// The shared pack has number 0, a region the number of its place in the file, from 1.
package struct PackRouting {
  private var walk: RegionWalk

  /// The last zoom of which all tiles are shared; `nil` without a shared pack.
  private let sharedMaxZoom: Int?

  /// The number of packs, with or without a shared one.
  package let count: Int

  package init(_ regions: RegionFile, sharedMaxZoom: Int?) {
    walk = RegionWalk(regions.shapes)
    self.sharedMaxZoom = sharedMaxZoom
    count = regions.regions.count + 1
  }

  /// Returns the packs of a tile, ascending; none where it is in no pack.
  package mutating func packs(of tile: TileCoord) -> [Int] {
    if let sharedMaxZoom, tile.z <= sharedMaxZoom { return [0] }
    let regions = walk.regions(touching: tile)
    if regions.isEmpty { return sharedMaxZoom == nil ? [] : [0] }
    return regions.map { $0 + 1 }
  }

  /// Returns the packs with tiles that differ between two archives in their pixels or their hit
  /// test data; `nil` if the hit test data cannot be compared.
  ///
  /// - Complexity: O(tiles of both), see ``MBTiles/ArchiveComparison``.
  package mutating func changed(
    from old: ArchiveReader, to new: ArchiveReader
  ) throws -> Set<Int>? {
    let key = ArchiveMetadata.tapsKey
    let hasBlocks = try new.hasTapBlocks()
    guard try old.hasTapBlocks() == hasBlocks,
      (old.metadata[key] == nil) == (new.metadata[key] == nil)
    else { return nil }
    var changed: Set<Int> = []
    if hasBlocks, old.metadata[key] != new.metadata[key] {
      try new.forEachTile(changedIn: old) { changed.formUnion(packs(of: $0)) }
    }
    _ = try ArchiveComparison(old: old, new: new).run { change in
      changed.formUnion(packs(of: change.tile))
    }
    return changed
  }
}

/// The tiles of each pack of an archive.
package struct PackTiles {
  /// The tiles of each pack; empty for those that are not wanted.
  package private(set) var packs: [TileRuns]

  /// The number of tiles in no pack.
  package private(set) var outside = 0

  /// Finds the packs of all tiles.
  ///
  /// - Complexity: O(tiles of the archive), without their bytes.
  package init(
    _ reader: ArchiveReader, _ routing: inout PackRouting, wanted: Set<Int>,
    _ cancellation: Cancellation
  ) throws {
    var packs = Array(repeating: TileRuns(), count: routing.count)
    var previous: TileCoord?
    var (outside, count) = (0, 0)
    try reader.forEachPlace { tile in
      let places = routing.packs(of: tile)
      if places.isEmpty { outside += 1 }
      for pack in places where wanted.contains(pack) {
        packs[pack].append(tile, after: previous)
      }
      previous = tile
      count += 1
      if count & 0xFFFF == 0 { try cancellation.check() }
    }
    self.packs = packs
    self.outside = outside
  }
}
