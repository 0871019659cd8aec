import Tiling

/// The sides of a box beyond which a vertex lies: the outcodes of Cohen and Sutherland. If two
/// vertices lie beyond the same side, the edge between them misses the box.
struct OutsideZone: OptionSet {
  let rawValue: UInt8

  static let west = OutsideZone(rawValue: 1)
  static let east = OutsideZone(rawValue: 2)
  static let north = OutsideZone(rawValue: 4)
  static let south = OutsideZone(rawValue: 8)

  @inline(__always)
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// - Parameter slack: 0 if the box's border is outside, 1 if it is inside (units are whole).
  @inline(__always)
  init(x: Int, y: Int, of box: PlaneBox, slack: Int) {
    var bits: UInt8 = 0
    if x <= box.minX - slack { bits |= 1 }
    if x >= box.maxX + slack { bits |= 2 }
    if y <= box.minY - slack { bits |= 4 }
    if y >= box.maxY + slack { bits |= 8 }
    rawValue = bits
  }
}
