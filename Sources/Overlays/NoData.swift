/// A colour or value that stands for missing data in an image; such pixels become transparent.
package enum NoData: Hashable, Sendable {
  /// A straight colour, with any alpha.
  case color(red: UInt8, green: UInt8, blue: UInt8)

  /// A sample of a gray image as stored in the file, or a palette index.
  case value(Int)

  /// A value of an image that GDAL reads; a PNG or JPEG has no such pixels.
  case number(Double)

  /// Whether it is a colour.
  var isColor: Bool { if case .color = self { true } else { false } }

  /// Whether a straight colour, red in the lowest byte, matches.
  func means(straightBits bits: UInt32) -> Bool {
    guard case .color(let red, let green, let blue) = self else { return false }
    return bits & 0xFF_FFFF == UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
  }
}

/// The strictness of refusing a `nodata` that no pixel can have.
package enum NoDataCheck: Sendable {
  /// Refuses what the image cannot contain.
  case exact

  /// Refuses what no frame of a series could contain; a frame with a longer palette or more bits
  /// might contain it.
  case frame

  /// Refuses nothing, for one of many tiles, some of which may be gray and others not.
  case none
}
