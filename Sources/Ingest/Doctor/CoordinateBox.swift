import Tiling

/// The smallest box around positions, in degrees or whatever unit they are in.
package struct CoordinateBox: Hashable, Sendable {
  /// The range of the first ordinates and of the second; infinite while there are no positions.
  package private(set) var west = Double.infinity
  package private(set) var south = Double.infinity
  package private(set) var east = -Double.infinity
  package private(set) var north = -Double.infinity

  init() {}

  @inline(__always)
  mutating func add(_ position: LngLat) {
    if position.longitude < west { west = position.longitude }
    if position.longitude > east { east = position.longitude }
    if position.latitude < south { south = position.latitude }
    if position.latitude > north { north = position.latitude }
  }

  /// Returns the box around both boxes.
  func union(_ other: CoordinateBox) -> CoordinateBox {
    var box = self
    box.west = min(west, other.west)
    box.south = min(south, other.south)
    box.east = max(east, other.east)
    box.north = max(north, other.north)
    return box
  }

  /// The box of the same positions with their ordinates exchanged.
  var exchanged: CoordinateBox {
    var box = self
    (box.west, box.south, box.east, box.north) = (south, west, north, east)
    return box
  }

  /// Returns the box with a margin on every side, as a fraction of its width and height.
  func widened(by part: Double) -> CoordinateBox {
    var box = self
    let (x, y) = ((east - west) * part, (north - south) * part)
    (box.west, box.east) = (west - x, east + x)
    (box.south, box.north) = (south - y, north + y)
    return box
  }

  /// Whether another box lies within this one.
  func holds(_ other: CoordinateBox) -> Bool {
    other.west >= west && other.east <= east && other.south >= south && other.north <= north
  }

  /// The largest absolute values of the first and of the second ordinates.
  var width: Double { max(abs(west), abs(east)) }
  var height: Double { max(abs(south), abs(north)) }
}
