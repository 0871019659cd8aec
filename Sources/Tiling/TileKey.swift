/// The place of a tile in its zoom as one number: its quadkey.
///
/// Ascending keys are in the order of an archive's rows within one zoom; the four children of a
/// tile follow one another: NW, NE, SW, SE. ``TileCoord/archiveKey`` has the zoom in its upper
/// bits. Stages store keys as columns of `UInt64`, which a radix sort accepts.
package struct TileKey: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Two bits for each zoom, the deepest one lowest: the lower bit of a pair belongs to the
  /// column, the upper one to the row.
  package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// - Parameters:
  ///   - column: the column, eastward from 180° W, 0 ..< 2²².
  ///   - row: the row, southward from 85.0511° N, 0 ..< 2²².
  @inlinable
  package init(column: Int, row: Int) {
    rawValue = Self.spread(UInt64(column)) | Self.spread(UInt64(row)) << 1
  }

  @inlinable
  package init(_ tile: TileCoord) {
    self.init(column: tile.x, row: tile.y)
  }

  @inlinable
  package var column: Int { Int(Self.gather(rawValue)) }

  @inlinable
  package var row: Int { Int(Self.gather(rawValue >> 1)) }

  /// The key of the tile one zoom up that shows this one's area.
  @inlinable
  package var parent: TileKey { TileKey(rawValue: rawValue >> 2) }

  /// Returns the key of a tile one zoom down: 0 for NW, 1 for NE, 2 for SW, 3 for SE.
  @inlinable
  package func child(_ quadrant: Int) -> TileKey {
    TileKey(rawValue: rawValue << 2 | UInt64(quadrant))
  }

  @inlinable
  package static func < (left: TileKey, right: TileKey) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns the lower 32 bits of a number with a zero after each, by doubling gaps (H. S. Warren,
  /// Hacker's Delight, section 7-2).
  @inlinable
  package static func spread(_ number: UInt64) -> UInt64 {
    var bits = number & 0xFFFF_FFFF
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Returns every other bit of a number, from the lowest on, without the gaps.
  @inlinable
  package static func gather(_ number: UInt64) -> UInt64 {
    var bits = number & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0xFFFF_FFFF
  }
}

extension TileCoord {
  /// Creates the coordinate of the tile that a key denotes in its zoom.
  @inlinable
  package init(_ key: TileKey, z: Int) {
    self.init(z: z, x: key.column, y: key.row)
  }
}
