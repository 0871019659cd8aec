import Tilesets
import Tiling

/// A square of the tiles of a zoom: those below one tile of a lower zoom, which follow one another in an
/// archive.
struct MapBlock: Sendable {
  /// The zoom of the tiles.
  let zoom: Int

  /// The number of zooms from the tile of the lower zoom to the tiles.
  let depth: Int

  /// The key of the tile of the lower zoom.
  let key: UInt64

  /// The tiles within the box of the map.
  let range: TileRange

  /// The key of the block before; `nil` for the first.
  var previous: UInt64?

  /// - Parameter map: the tiles of the map, which do not cross the antimeridian.
  /// - Returns: `nil` for a block without a tile of the map.
  init?(key: UInt64, depth: Int, within map: TileRange) {
    let tile = TileCoord(TileKey(rawValue: key), z: map.zoom - depth)
    let range = TileRange(
      zoom: map.zoom, firstColumn: max(tile.x << depth, map.firstColumn),
      lastColumn: min((tile.x + 1) << depth - 1, map.lastColumn),
      firstRow: max(tile.y << depth, map.firstRow),
      lastRow: min((tile.y + 1) << depth - 1, map.lastRow))
    guard range.firstColumn <= range.lastColumn, range.firstRow <= range.lastRow else { return nil }
    zoom = map.zoom
    self.depth = depth
    self.key = key
    self.range = range
  }

  /// The keys of its tiles, also of those outside of the map.
  var keys: Range<UInt64> {
    let shift = UInt64(2 * depth)
    return key << shift..<(key + 1) << shift
  }

  /// Returns the source tiles of a zoom that it counts as its own: of several blocks in one source
  /// tile, the first counts it.
  func ownTiles(zoom source: Int) -> TileRange? {
    let depthOfTile = zoom - source
    if depthOfTile > depth, let previous {
      let shift = UInt64(2 * (depthOfTile - depth))
      if previous >> shift == key >> shift { return nil }
    }
    return range.sourceTiles(zoom: source, margin: 0)
  }
}

extension TileRange {
  /// The tiles, ascending by their keys.
  var tiles: [TileCoord] {
    var tiles: [TileCoord] = []
    forEachKey { key in
      tiles.append(TileCoord(key, z: zoom))
      return true
    }
    return tiles
  }
}
