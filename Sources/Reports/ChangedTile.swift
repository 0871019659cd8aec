package import MBTiles
import Tiling

/// A tile that differs between two archives, with both images.
package struct ChangedTile: Hashable, Sendable {
  package let change: TileChange

  /// The bytes in the old archive; `nil` where it was added.
  package let before: [UInt8]?

  /// The bytes in the new archive; `nil` where it was removed.
  package let after: [UInt8]?

  /// Size of the larger image in bytes: the fullest tiles are shown first.
  fileprivate var weight: Int { max(before?.count ?? 0, after?.count ?? 0) }
}

extension ArchiveComparison {
  /// The number of first tiles of a zoom and kind that are considered.
  private static let candidates = 32

  /// Counts the differences, and selects a few tiles to look at: of each zoom the fullest among the
  /// first that changed, were added, or were removed. Tiles that only answer taps differently look
  /// the same and are left out.
  ///
  /// - Parameter limit: The number of tiles per kind and zoom.
  /// - Returns: The counts, and the tiles by zoom, then by kind (changed, added, removed).
  /// - Complexity: O(tiles of both), like ``run(_:)``.
  package func samples(
    limit: [TileChange.Kind: Int] = [.changed: 2, .added: 1, .removed: 1]
  ) throws(ArchiveError) -> (changes: TileChanges, tiles: [ChangedTile]) {
    struct Drawer: Hashable {
      var zoom: Int
      var kind: TileChange.Kind
    }
    var drawers: [Drawer: [TileCoord]] = [:]
    let changes = try run { change throws(ArchiveError) in
      guard change.part == .picture else { return }
      let drawer = Drawer(zoom: change.tile.z, kind: change.kind)
      if drawers[drawer, default: []].count < Self.candidates {
        drawers[drawer, default: []].append(change.tile)
      }
    }
    var picked: [ChangedTile] = []
    for zoom in changes.zooms.map(\.zoom) {
      for kind in [TileChange.Kind.changed, .added, .removed] {
        var tiles: [ChangedTile] = []
        for tile in drawers[Drawer(zoom: zoom, kind: kind)] ?? [] {
          tiles.append(try changedTile(TileChange(tile: tile, kind: kind)))
        }
        // A stable sort, so that the first of equals is taken.
        let order = tiles.indices.sorted { (-tiles[$0].weight, $0) < (-tiles[$1].weight, $1) }
        picked += order.prefix(limit[kind] ?? 0).map { tiles[$0] }
      }
    }
    return (changes, picked)
  }

  private func changedTile(_ change: TileChange) throws(ArchiveError) -> ChangedTile {
    ChangedTile(
      change: change, before: change.kind == .added ? nil : try old.tile(change.tile),
      after: change.kind == .removed ? nil : try new.tile(change.tile))
  }
}
