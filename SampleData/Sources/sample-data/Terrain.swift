import Foundation

/// The heights of an archipelago on a grid whose rows are even on the Mercator screen.
struct Terrain {
  /// The box in degrees.
  static let bounds = (west: -33.0, south: 44.0, east: -23.0, north: 49.0)
  static let width = 1_000
  static let height = 732

  /// `width * height` numbers of 0 … 1, top row first; 0 at sea.
  private(set) var heights = [Double](repeating: 0, count: width * height)

  /// The latitude of the middle of each row.
  private static let latitudes: [Double] = {
    func mercator(_ latitude: Double) -> Double { log(tan(.pi / 4 + latitude * .pi / 360)) }
    let (north, south) = (mercator(bounds.north), mercator(bounds.south))
    return (0..<height).map { row in
      let y = north + (south - north) * (Double(row) + 0.5) / Double(height)
      return (2 * atan(exp(y)) - .pi / 2) * 180 / .pi
    }
  }()

  private static func longitude(_ column: Int) -> Double {
    bounds.west + (bounds.east - bounds.west) * (Double(column) + 0.5) / Double(width)
  }

  private let noise = RainNoise(seed: 1_865)

  init(of land: [Island]) {
    for island in land { raise(island) }
  }

  /// Returns the middle of a cell.
  static func place(_ cell: Int) -> (Double, Double) {
    (longitude(cell % width), latitudes[cell / width])
  }

  /// Returns the height of a place in the box.
  func elevation(at place: (Double, Double)) -> Double {
    let share = (place.0 - Self.bounds.west) / (Self.bounds.east - Self.bounds.west)
    let column = min(max(Int(share * Double(Self.width)), 0), Self.width - 1)
    let row = Self.latitudes.firstIndex { $0 <= place.1 } ?? Self.height - 1
    return heights[row * Self.width + column]
  }

  /// Raises an island, the larger the higher, with ridges.
  private mutating func raise(_ island: Island) {
    let peak = min(1, 0.35 + island.radius * 1.05)
    let coast = island.coast
    for (y, latitude) in Self.latitudes.enumerated() {
      let crossings = Coast.crossings(of: coast, at: latitude)
      for x in 0..<Self.width where !crossings.isEmpty {
        let longitude = Self.longitude(x)
        guard crossings.count(where: { $0 > longitude }) % 2 == 1 else { continue }
        let share = min(1, island.origin(of: (longitude, latitude)).share)
        let (u, v) = (longitude * 0.69, latitude)
        let grain = noise.value(u + 50, v, 0, scale: 2.6)
        let fine = noise.value(u + 90, v, 0, scale: 9)
        let ridge = max(0, 1 - abs(2 * grain - 1) * 1.6)
        let dome = 1 - share * share
        let height = peak * dome.squareRoot() * (0.14 + dome * (0.62 * ridge + 0.3 * fine))
        // To a millionth, so that rivers do not depend on the last bits of sines.
        heights[y * Self.width + x] = max(0.004, (height * 1_000_000).rounded() / 1_000_000)
      }
    }
  }

  /// Cuts valleys along rivers, the deeper the more water they carry.
  mutating func carve(along drainage: Drainage) {
    let reach = 10
    var depths = [Double](repeating: 0, count: heights.count)
    for cell in drainage.cells {
      let strength = min(1, (Double(drainage.flow[cell]) / 900).squareRoot())
      let (column, row) = (cell % Self.width, cell / Self.width)
      for y in max(0, row - reach)...min(Self.height - 1, row + reach) {
        for x in max(0, column - reach)...min(Self.width - 1, column + reach) {
          let (east, south) = (Double(x - column), Double(y - row))
          let depth = strength * Self.depth[Int(east * east + south * south)]
          if depth > depths[y * Self.width + x] { depths[y * Self.width + x] = depth }
        }
      }
    }
    for at in heights.indices where heights[at] > 0 {
      heights[at] = max(0.004, heights[at] * (1 - depths[at]))
    }
  }

  /// The shares by which a large river lowers the land, by the square of the distance in cells.
  private static let depth = (0...200).map { 0.5 * exp(-Double($0).squareRoot() / 3.2) }
}
