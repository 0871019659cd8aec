import Foundation

/// A place on the map in degrees (WGS 84).
public struct MapCoordinate: Hashable, Sendable {
  /// Degrees eastward; any number is taken modulo 360.
  public let longitude: Double

  /// Degrees northward. The map ends at ±85.0511°.
  public let latitude: Double

  /// Creates a place.
  public init(longitude: Double, latitude: Double) {
    (self.longitude, self.latitude) = (longitude, latitude)
  }

  /// The latitude at which the map ends.
  public static let maxLatitude = 85.051_128_779_806_59

  /// The place in the square of Web Mercator: 0 ..< 1 eastward from 180° W and southward from the
  /// north edge; `nil` beyond the map.
  var world: (x: Double, y: Double)? {
    guard longitude.isFinite, abs(latitude) <= Self.maxLatitude else { return nil }
    let turns = (longitude + 180) / 360
    let x = turns - turns.rounded(.down)
    let sine = sin(latitude * (.pi / 180))
    let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    return (min(x, 1.0.nextDown), min(max(y, 0), 1.0.nextDown))
  }

  /// Returns the latitude of a place in the square of Web Mercator, from its share southward.
  static func latitude(ofShare y: Double) -> Double {
    atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
  }

  /// Returns the tile of a zoom that shows the place, and the place's distance from the tile's west
  /// and north edge in tiles, 0 ..< 1; `nil` beyond the map.
  public func tile(zoom: Int) -> (address: TileAddress, x: Double, y: Double)? {
    guard (0...30).contains(zoom), let world else { return nil }
    let count = Double(1 << zoom)
    let (x, y) = (world.x * count, world.y * count)
    return (
      TileAddress(zoom: zoom, column: Int(x), row: Int(y)),
      x - x.rounded(.down), y - y.rounded(.down)
    )
  }
}

/// A box on the map, in degrees.
public struct MapBox: Hashable, Sendable {
  /// Degrees eastward of the west edge.
  public let west: Double
  /// Degrees northward of the south edge.
  public let south: Double
  /// Degrees eastward of the east edge.
  public let east: Double
  /// Degrees northward of the north edge.
  public let north: Double

  /// Creates a box from its edges.
  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// Creates a box from four numbers in the order west, south, east, north.
  init?(_ sides: [Double]) {
    guard sides.count == 4, sides.allSatisfy(\.isFinite) else { return nil }
    self.init(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
  }

  /// Creates a box from the text of four numbers, as in an archive's metadata.
  init?(text: String) {
    let sides = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    self.init(sides)
  }
}
