package import Tiling

/// The tiles of one zoom that a tileset has, in Morton order, without their bytes.
///
/// Blocks of 8 × 8 tiles are one word each, so a full zoom 14 of the world takes 67 MB and a country
/// some hundred kilobytes.
package struct TileKeySet: Sendable {
  /// Maximum number of occupied blocks: 16 bytes each.
  private static let blockLimit = 1 << 24

  /// Maximum number of tiles; archives of this program never have more.
  package static let limit = 100_000_000

  package let zoom: Int

  /// The number of tiles.
  package private(set) var count = 0

  /// The tiles of lower zooms as which a container lists all tiles below them, whole blocks: a run of
  /// equal tiles of PMTiles.
  package private(set) var squares: [TileCoord] = []

  /// The tiles of each occupied block: bit i is the tile whose key is the block's, with i below.
  private var masks: [UInt64: UInt64] = [:]

  init(zoom: Int) {
    self.zoom = zoom
  }

  /// Inserts a tile.
  ///
  /// - Returns: whether there was room for it.
  mutating func insert(_ key: TileKey) -> Bool {
    let bit = UInt64(1) << (key.rawValue & 63)
    let mask = masks[key.rawValue >> 6, default: 0]
    guard mask & bit == 0 else { return true }
    guard count < Self.limit, mask != 0 || masks.count < Self.blockLimit else { return false }
    masks[key.rawValue >> 6] = mask | bit
    count += 1
    return true
  }

  /// Inserts the tiles of the zoom below a tile, except those outside of a range.
  ///
  /// - Returns: whether there was room for them.
  /// - Complexity: O(blocks), and O(border of the range).
  mutating func insert(_ tile: TileCoord, within range: TileRange?) -> Bool {
    guard tile.isValid, tile.z <= zoom else { return true }
    let levels = zoom - tile.z
    guard let range else { return insert(whole: tile, levels: levels) }
    let columns = (tile.x << levels)..<((tile.x + 1) << levels)
    let rows = (tile.y << levels)..<((tile.y + 1) << levels)
    guard range.columns.contains(where: { $0.overlaps(columns) }), range.rows.overlaps(rows) else {
      return true
    }
    let isWhole =
      range.columns.contains { $0.clamped(to: columns) == columns }
      && range.rows.clamped(to: rows) == rows
    if isWhole || levels == 0 { return insert(whole: tile, levels: levels) }
    return (0..<4).allSatisfy { quadrant in
      insert(TileCoord(TileKey(tile).child(quadrant), z: tile.z + 1), within: range)
    }
  }

  private mutating func insert(whole tile: TileCoord, levels: Int) -> Bool {
    if levels >= 3 { squares.append(tile) }
    return insert(TileKey(tile), levels: levels)
  }

  /// Removes the tiles below one of the ``squares``.
  ///
  /// - Complexity: O(blocks).
  package mutating func remove(_ square: TileCoord) {
    let blocks = UInt64(1) << UInt64(2 * (zoom - square.z - 3))
    let first = TileKey(square).rawValue * blocks
    for block in first..<first + blocks {
      count -= masks.removeValue(forKey: block)?.nonzeroBitCount ?? 0
    }
  }

  /// Inserts all tiles some zooms below a tile.
  private mutating func insert(_ key: TileKey, levels: Int) -> Bool {
    let first = key.rawValue << UInt64(2 * levels)
    guard levels >= 3 else {
      return (0..<(UInt64(1) << UInt64(2 * levels))).allSatisfy { place in
        insert(TileKey(rawValue: first + place))
      }
    }
    let blocks = Int(1) << (2 * (levels - 3))
    guard blocks * 64 <= Self.limit - count, blocks <= Self.blockLimit - masks.count else {
      return false
    }
    for block in (first >> 6)..<((first >> 6) + UInt64(blocks)) {
      count += 64 - (masks.updateValue(.max, forKey: block)?.nonzeroBitCount ?? 0)
    }
    return true
  }

  /// Whether a tile is there.
  package func contains(_ key: TileKey) -> Bool {
    masks[key.rawValue >> 6, default: 0] >> (key.rawValue & 63) & 1 == 1
  }

  /// Calls `body` with the tiles, ascending by their keys: in Morton order.
  ///
  /// - Complexity: O(tiles + b log b) for b occupied blocks.
  package func forEach<Failure: Error>(
    _ body: (TileKey) throws(Failure) -> Void
  ) throws(Failure) {
    for (block, mask) in masks.sorted(by: { $0.key < $1.key }) {
      var rest = mask
      while rest != 0 {
        try body(TileKey(rawValue: block << 6 | UInt64(rest.trailingZeroBitCount)))
        rest &= rest - 1
      }
    }
  }

  /// Returns every n-th tile, ascending by their keys.
  ///
  /// - Complexity: O(b log b) for b occupied blocks.
  package func keys(from first: Int, every step: Int) -> [TileKey] {
    var keys: [TileKey] = []
    var (next, passed) = (first, 0)
    for (block, mask) in masks.sorted(by: { $0.key < $1.key }) {
      let end = passed + mask.nonzeroBitCount
      while next < end {
        var rest = mask
        for _ in passed..<next { rest &= rest - 1 }
        keys.append(TileKey(rawValue: block << 6 | UInt64(rest.trailingZeroBitCount)))
        next += max(1, step)
      }
      passed = end
    }
    return keys
  }

  /// The tiles, ascending by their keys.
  package var keys: [TileKey] {
    var keys: [TileKey] = []
    keys.reserveCapacity(count)
    forEach { keys.append($0) }
    return keys
  }
}
