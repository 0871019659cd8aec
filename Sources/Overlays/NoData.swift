/// What in an image means that nothing is known there; such pixels become transparent.
package enum NoData: Hashable, Sendable {
  /// A straight colour, whatever its alpha.
  case color(red: UInt8, green: UInt8, blue: UInt8)

  /// A sample of a gray image as the file holds it, or a palette index.
  case value(Int)

  /// Whether it is a colour.
  var isColor: Bool { if case .color = self { true } else { false } }

  /// Whether a straight colour, red in the lowest byte, is meant.
  func means(straightBits bits: UInt32) -> Bool {
    guard case .color(let red, let green, let blue) = self else { return false }
    return bits & 0xFF_FFFF == UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
  }
}

/// Which `nodata` is refused since no pixel can be it.
package enum NoDataCheck: Sendable {
  /// What the image cannot hold.
  case exact

  /// What no frame of a series could: others may have a longer palette or more bits.
  case frame

  /// None, for one of many tiles, some of which may be gray and others not.
  case none
}
