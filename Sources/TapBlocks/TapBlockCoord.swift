package import Tiling

/// A square of 8 × 8 tiles of a zoom; zooms below 3 have a single, partial one.
package struct TapBlockCoord: BitwiseCopyable, Hashable, Sendable {
  /// The number of bits of a tile's coordinate within a block.
  package static let sideBits = TapBlock.sideBits
  package static let side = TapBlock.side

  package let zoom: Int
  package let column: Int

  /// The row, northward from the south edge, as in archives.
  package let row: Int

  package init(zoom: Int, column: Int, row: Int) {
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// Creates the block of a tile.
  package init(_ tile: TileCoord) {
    self.init(zoom: tile.z, column: tile.x >> Self.sideBits, row: tile.tmsRow >> Self.sideBits)
  }

  /// Whether the block exists.
  package var isValid: Bool {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return false }
    let count = max(1, (1 << zoom) >> Self.sideBits)
    return (0..<count).contains(column) && (0..<count).contains(row)
  }

  /// Returns the index of a tile in its block: row by row from the north-west.
  package static func index(of tile: TileCoord) -> Int {
    (tile.y & (side - 1)) << sideBits | tile.x & (side - 1)
  }

  /// The tile at the north-west corner.
  package var firstTile: TileCoord {
    TileCoord(
      z: zoom, x: column << Self.sideBits,
      y: zoom < Self.sideBits
        ? 0 : (((1 << zoom) >> Self.sideBits) - 1 - row) << Self.sideBits)
  }
}
