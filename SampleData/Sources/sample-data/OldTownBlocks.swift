/// The blocks of a neighbourhood without the plan: roads at uneven distances, here and there one
/// that ends at another, and the corners cut off by the roads around it.
struct OldTownBlocks {
  private static let roadWidth = 46.0
  /// Half a road lies outside the neighbourhood's sides, half of it, with a pavement, inside.
  private static let edge = 32.0

  private let town: OldTown
  private let plane: StreetPlane
  private let sides: [Cut]
  private let corners: [PlanePoint]

  init(_ town: OldTown) {
    self.town = town
    let origin = town.corners[0]
    plane = StreetPlane(
      longitude: origin.longitude, latitude: origin.latitude,
      avenues: (east: town.slope, north: 1))
    let plane = plane
    corners = town.corners.map { plane.point(longitude: $0.longitude, latitude: $0.latitude) }
    sides = zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
      Self.inset(Cut(start: start, end: end))
    }
  }

  /// From south to north, west to east.
  ///
  /// - Complexity: O(blocks · sides).
  func blocks(_ random: inout RandomNumbers) -> [CityBlock] {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let streets = roads(from: ys.min() ?? 0, to: ys.max() ?? 0, apart: 150...230, &random)
    let avenues = roads(from: xs.min() ?? 0, to: xs.max() ?? 0, apart: 230...480, &random)
    var blocks: [CityBlock] = []
    for row in streets.indices.dropLast() {
      var west = 0
      for column in avenues.indices.dropFirst() {
        // A long street that does not go through here.
        if random.unit() < 0.12, column < avenues.count - 1, column - west < 2 { continue }
        let block = block(
          row: row, from: west, to: column, avenues: avenues, streets: streets)
        if let block { blocks.append(block) }
        west = column
      }
    }
    return blocks
  }

  private func roads(
    from low: Int, to high: Int, apart: ClosedRange<Double>, _ random: inout RandomNumbers
  ) -> [Int] {
    var roads = [low]
    while roads[roads.count - 1] < high {
      let share = random.unit()
      let depth = apart.lowerBound + (apart.upperBound - apart.lowerBound) * share
      roads.append(roads[roads.count - 1] + feet(depth.rounded() + Self.roadWidth))
    }
    return roads
  }

  private func block(
    row: Int, from west: Int, to east: Int, avenues: [Int], streets: [Int]
  ) -> CityBlock? {
    let half = feet(Self.roadWidth / 2)
    let (left, right) = (avenues[west] + half, avenues[east] - half)
    let (low, high) = (streets[row] + half, streets[row + 1] - half)
    let corners = [
      PlanePoint(x: left, y: low), PlanePoint(x: right, y: low), PlanePoint(x: right, y: high),
      PlanePoint(x: left, y: high),
    ]
    var cuts: [Cut] = []
    for side in sides {
      let inside = corners.count { side.side($0) >= 0 }
      if inside == 0 { return nil }
      if inside < 4 { cuts.append(side) }
    }
    // House numbers: one every ten feet from the neighbourhood's corner.
    let (x, y) = (avenues[0], streets[0])
    let across = ((left - x) / feet(10), (right - x) / feet(10))
    let along = ((low - y) / feet(10), (high - y) / feet(10))
    let (streetNames, avenueNames) = (town.streets, town.avenues)
    return CityBlock(
      plane: plane, west: left, south: low, east: right, north: high, cuts: cuts,
      southFrontage: Frontage(
        road: OldTown.name(streetNames, row), numbers: across, isOdd: true),
      northFrontage: Frontage(
        road: OldTown.name(streetNames, row + 1), numbers: across, isOdd: false),
      westFrontage: Frontage(
        road: OldTown.name(avenueNames, west), numbers: along, isOdd: false),
      eastFrontage: Frontage(
        road: OldTown.name(avenueNames, east), numbers: along, isOdd: true))
  }

  /// A side moved to its left by half a road.
  private static func inset(_ side: Cut) -> Cut {
    let (x, y) = (Double(side.end.x - side.start.x), Double(side.end.y - side.start.y))
    let length = (x * x + y * y).squareRoot()
    let (dx, dy) = (
      Int((-y / length * Double(feet(edge))).rounded()),
      Int((x / length * Double(feet(edge))).rounded())
    )
    return Cut(
      start: PlanePoint(x: side.start.x + dx, y: side.start.y + dy),
      end: PlanePoint(x: side.end.x + dx, y: side.end.y + dy))
  }
}
