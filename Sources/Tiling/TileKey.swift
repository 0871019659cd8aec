/// The place of a tile in its zoom as one number: column, then TMS row.
///
/// The unsigned order of keys is that of the rows of one zoom in an archive;
/// ``TileCoord/archiveKey`` has the zoom in its upper bits. Stages store keys as columns of
/// `UInt64`, which a radix sort accepts.
package struct TileKey: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The bits of the key: 0–21 are the TMS row, from 22 up the column.
  package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// - Parameters:
  ///   - column: the column, eastward from 180° W, 0 ..< 2²².
  ///   - tmsRow: the row, northward from the south edge, 0 ..< 2²².
  @inlinable
  package init(column: Int, tmsRow: Int) {
    rawValue = UInt64(column) << 22 | UInt64(tmsRow)
  }

  @inlinable
  package init(_ tile: TileCoord) {
    self.init(column: tile.x, tmsRow: tile.tmsRow)
  }

  @inlinable
  package var column: Int { Int(rawValue >> 22) }

  @inlinable
  package var tmsRow: Int { Int(rawValue & 0x3F_FFFF) }

  @inlinable
  package static func < (left: TileKey, right: TileKey) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension TileCoord {
  /// Creates the coordinate of the tile that a key denotes in its zoom.
  @inlinable
  package init(_ key: TileKey, z: Int) {
    self.init(z: z, x: key.column, tmsRow: key.tmsRow)
  }
}
