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
    rawValue = Self.spread(x) | Self.spread(y) << 1
  }

  @inlinable
  package init(_ point: WorldPoint) {
    self.init(x: point.x, y: point.y)
  }

  /// The coordinates that were interleaved.
  @inlinable
  package var point: WorldPoint {
    WorldPoint(x: Self.gather(rawValue), y: Self.gather(rawValue >> 1))
  }

  @inlinable
  package static func < (left: MortonCode, right: MortonCode) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Moves bit k to bit 2k, by doubling gaps (H. S. Warren, Hacker's Delight, section 7-2).
  @inlinable
  static func spread(_ value: UInt32) -> UInt64 {
    var bits = UInt64(value)
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Moves bit 2k to bit k and drops the odd bits; the inverse of ``spread(_:)``.
  @inlinable
  static func gather(_ value: UInt64) -> UInt32 {
    var bits = value & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: bits | bits >> 16)
  }
}
