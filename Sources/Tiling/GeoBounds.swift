/// A box in degrees: west, south, east, north; `west > east` means that it crosses the
/// antimeridian.
package struct GeoBounds: Codable, Hashable, Sendable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  package init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// Creates the box of a world box.
  package init(_ box: WorldBox) {
    let northWest = LngLat(WorldPoint(x: box.west, y: box.north))
    let southEast = LngLat(WorldPoint(x: box.east, y: box.south))
    self.init(
      west: northWest.longitude, south: southEast.latitude, east: southEast.longitude,
      north: northWest.latitude)
  }

  /// The whole of the Web Mercator square.
  package static let world = GeoBounds(
    west: -180, south: -WorldPoint.maxLatitude, east: 180, north: WorldPoint.maxLatitude)

  /// Whether the box crosses the antimeridian.
  @inlinable
  package var crossesAntimeridian: Bool { west > east }

  /// The same area with longitudes within ±180: 170…190 is 170…−170, which crosses the
  /// antimeridian. A box already within them is returned unchanged, to the last bit.
  package var wrapped: GeoBounds {
    guard abs(west) > 180 || abs(east) > 180 else { return self }
    var box = self
    if east - west >= 360 {
      (box.west, box.east) = (-180, 180)
    } else {
      (box.west, box.east) = (Self.wrapped(west), Self.wrapped(east))
    }
    return box
  }

  private static func wrapped(_ longitude: Double) -> Double {
    // The remainder is exact for any number of turns.
    let turned = longitude.truncatingRemainder(dividingBy: 360)
    return LngLat(longitude: turned, latitude: 0).wrappedLongitude
  }

  /// Whether a position lies inside; the west and north edges belong to the box, the others do not,
  /// except for the world's own east and south edges.
  package func contains(_ position: LngLat) -> Bool {
    let latitude = position.latitude
    guard latitude <= north, latitude > south || (latitude == south && south <= -85) else {
      return false
    }
    if east - west >= 360 { return true }
    let longitude = position.wrappedLongitude
    let insideWest = longitude >= west
    let insideEast = longitude < east
    return crossesAntimeridian ? insideWest || insideEast : insideWest && insideEast
  }

  /// Creates a box from the text `w,s,e,n` in degrees; `nil` unless it is four finite numbers with
  /// s ≤ n.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double(String($0.filter { $0 != " " })) }
    guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite),
      numbers[1] <= numbers[3]
    else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }
}
