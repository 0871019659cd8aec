import Tiling

/// A rectangle in degrees, including its edges; without positions, it contains nothing.
struct PlanarBox: Sendable {
  var west = Double.infinity
  var south = Double.infinity
  var east = -Double.infinity
  var north = -Double.infinity

  init() {}

  init(_ first: LngLat, _ second: LngLat) {
    west = min(first.longitude, second.longitude)
    south = min(first.latitude, second.latitude)
    east = max(first.longitude, second.longitude)
    north = max(first.latitude, second.latitude)
  }

  mutating func include(_ position: LngLat) {
    west = min(west, position.longitude)
    south = min(south, position.latitude)
    east = max(east, position.longitude)
    north = max(north, position.latitude)
  }

  mutating func include(_ other: PlanarBox) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }

  func contains(_ position: LngLat) -> Bool {
    position.longitude >= west && position.longitude <= east && position.latitude >= south
      && position.latitude <= north
  }

  func contains(_ other: PlanarBox) -> Bool {
    west <= other.west && south <= other.south && east >= other.east && north >= other.north
  }

  func touches(_ other: PlanarBox) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  func shifted(by degrees: Double) -> PlanarBox {
    var box = self
    box.west += degrees
    box.east += degrees
    return box
  }

  /// Returns the shifts in degrees, whole turns, by which the box touches another.
  ///
  /// The same place may be 190° or −170° in files. A shift by 0° changes no bit.
  func turns(toTouch other: PlanarBox) -> [Double] {
    [0, 360, -360, 720, -720].filter { shifted(by: $0).touches(other) }
  }
}
