package import Tiling

/// The tiles of one zoom that a tileset has, in Morton order, without their bytes.
///
/// Blocks of 8 × 8 tiles are one word each, so a full zoom 14 of the world takes 67 MB and a country
/// some hundred kilobytes.
package struct TilePresence: Sendable {
  /// Maximum number of occupied blocks: 16 bytes each.
  private static let blockLimit = 1 << 24

  /// Maximum number of tiles: more are in no archive of this program.
  package static let limit = 100_000_000

  package let zoom: Int

  /// The number of tiles.
  package private(set) var count = 0

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

  /// The tiles, ascending by their keys.
  package var keys: [TileKey] {
    var keys: [TileKey] = []
    keys.reserveCapacity(count)
    forEach { keys.append($0) }
    return keys
  }
}
