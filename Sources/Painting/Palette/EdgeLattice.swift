/// The colours that antialiased pixels are rounded to if a style's palette has no colour near them.
///
/// Every premultiplied channel is rounded to the nearest of 0, 1, 2, 4, 8, 15, 30, 45, … 255, at
/// most 7 away: too little to be visible in a mixture one pixel wide, and few enough for most tiles
/// to fit a palette. The levels do not depend on the tile, so an edge that crosses a tile's border
/// has one colour on both sides. The faintest levels are close together, so that faint edges stay
/// faint and visible.
enum EdgeLattice {
  /// The level of each value of a channel; 255 is a multiple of 15.
  private static let levels: [UInt8] = (0...255).map { value in
    switch value {
    case ...2: UInt8(value)
    case ...5: 4
    case ...11: 8
    default: UInt8((value + 7) / 15 * 15)
    }
  }

  /// Returns the nearest colour of the lattice. Rounding is monotone, so no channel exceeds alpha.
  static func nearest(to color: UInt32) -> UInt32 {
    levels.withUnsafeBufferPointer { levels in
      UInt32(levels[Int(color & 0xFF)]) | UInt32(levels[Int(color >> 8 & 0xFF)]) << 8
        | UInt32(levels[Int(color >> 16 & 0xFF)]) << 16 | UInt32(levels[Int(color >> 24)]) << 24
    }
  }
}
