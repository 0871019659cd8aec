package import Tiling

/// The number of a tile in PMTiles: zoom after zoom from 0, each along a Hilbert curve.
///
/// The curve begins in the north-west corner of a zoom and ends in its north-east corner. Source:
/// PMTiles specification 3, https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md; the
/// rotation of the axes as in H. S. Warren, Hacker's Delight, section 16-2.
package struct HilbertTile: Hashable, Comparable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates the number of a tile, which must be valid.
  ///
  /// - Complexity: O(zoom).
  package init(_ tile: TileCoord) {
    var (x, y) = (UInt64(tile.x), UInt64(tile.y))
    var place: UInt64 = 0
    for bit in (0..<UInt64(tile.z)).reversed() {
      let right = x >> bit & 1
      let lower = y >> bit & 1
      place = place << 2 | (3 * right) ^ lower
      guard lower == 0 else { continue }
      if right == 1 {
        x = ~x
        y = ~y
      }
      swap(&x, &y)
    }
    rawValue = Self.first(of: tile.z) + place
  }

  /// The tile with this number; `nil` beyond the deepest zoom of archives.
  ///
  /// - Complexity: O(zoom).
  package var tile: TileCoord? {
    guard let zoom = (0...TileCoord.maxZoom).first(where: { rawValue < Self.first(of: $0 + 1) })
    else { return nil }
    var rest = rawValue - Self.first(of: zoom)
    var (x, y): (UInt64, UInt64) = (0, 0)
    for bit in 0..<UInt64(zoom) {
      let right = rest >> 1 & 1
      let lower = (rest ^ right) & 1
      if lower == 0 {
        if right == 1 {
          let mask = (UInt64(1) << bit) - 1
          x = mask - x
          y = mask - y
        }
        swap(&x, &y)
      }
      x |= right << bit
      y |= lower << bit
      rest >>= 2
    }
    return TileCoord(z: zoom, x: Int(x), y: Int(y))
  }

  /// Returns the first number of a zoom, which is the count of all tiles above it.
  package static func first(of zoom: Int) -> UInt64 { ((UInt64(1) << UInt64(2 * zoom)) - 1) / 3 }

  package static func < (one: HilbertTile, other: HilbertTile) -> Bool {
    one.rawValue < other.rawValue
  }
}
