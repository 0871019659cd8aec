/// The colours that antialiased pixels are rounded to if a style's palette has no colour near them.
///
/// Every premultiplied channel is rounded to the nearest of 0, 1, 2, 4, 8, 15, 30, 45, … 255, at
/// most 7 away: too little to be visible in a mixture one pixel wide, and few enough for most tiles
/// to fit a palette. The levels do not depend on the tile, so an edge that crosses a tile's border
/// has one colour on both sides. The faintest levels are close together, so that faint edges stay
/// faint and visible.
enum EdgeLattice {
  /// Returns the nearest colour of the lattice. Rounding is monotone, so no channel exceeds alpha.
  ///
  /// The four channels are computed at once, in the quarters of a word.
  @inline(__always)
  static func nearest(to color: UInt32) -> UInt32 {
    let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
    let one: UInt64 = 0x0001_0001_0001_0001
    let values = (UInt64(color) | UInt64(color) << 24) & lanes
    // ⌊(v + 7) / 15⌋ · 15: 137 / 2048 is close enough to a fifteenth for all values.
    let coarse = ((values &+ 7 &* one) &* 137) >> 11 & (0x1F &* one) &* 15
    // 0, 1, 2, then 4 up to 5, and 8 up to 11.
    let isSmall = isBelow(12, values)
    let isTiny = isBelow(3, values)
    let four = 8 &* one &- (isBelow(6, values) & (4 &* one))
    let fine = (values & isTiny) | (four & ~isTiny)
    let levels = (fine & isSmall) | (coarse & ~isSmall)
    return UInt32(truncatingIfNeeded: levels | levels >> 24)
  }

  /// Returns 255 in the quarters whose values are below a limit, else 0.
  @inline(__always)
  private static func isBelow(_ limit: UInt64, _ values: UInt64) -> UInt64 {
    let one: UInt64 = 0x0001_0001_0001_0001
    // The ninth bit stays set unless the subtraction borrows from it.
    let reaches = (values &+ (0x100 &- limit) &* one) >> 8 & one
    return (one &- reaches) &* 255
  }
}
