package import Tiling

/// A world position as one number: the bits of `x` in the even places, those of `y` in the odd.
///
/// The unsigned order of codes is the Z-order of a quad tree whose children are in the order NW,
/// NE, SW, SE, so every node of such a tree is a contiguous run of the sorted codes.
package struct MortonCode: Hashable, Comparable, Sendable {
  /// The code: bit 2k is bit k of `x`, bit 2k + 1 is bit k of `y`.
  package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates the code of two coordinates, which may be those of a point, a cell or a tile.
  @inlinable
  package init(x: UInt32, y: UInt32) {
    rawValue = TileKey.spread(UInt64(x)) | TileKey.spread(UInt64(y)) << 1
  }

  @inlinable
  package init(_ point: WorldPoint) {
    self.init(x: point.x, y: point.y)
  }

  /// The coordinates that were interleaved.
  @inlinable
  package var point: WorldPoint {
    WorldPoint(
      x: UInt32(truncatingIfNeeded: TileKey.gather(rawValue)),
      y: UInt32(truncatingIfNeeded: TileKey.gather(rawValue >> 1)))
  }

  @inlinable
  package static func < (left: MortonCode, right: MortonCode) -> Bool {
    left.rawValue < right.rawValue
  }
}
