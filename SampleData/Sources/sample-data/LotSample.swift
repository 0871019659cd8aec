/// Invents tax lots where Manhattan's blocks are, from the Battery to Inwood.
///
/// Each is a GeoJSON feature of one line: a polygon, or rarely several, in degrees with seven
/// decimals, and what a map of parcels shows of it. `bbl` is borough, block and lot, and occurs
/// once.
struct LotSample {
  private var random: RandomNumbers
  private let blocks: [CityBlock]

  init() {
    var random = RandomNumbers(seed: 1811)
    let towns = OldTown.all.map { OldTownBlocks($0).blocks(&random) }
    // Inwood, the last of them, lies north of the plan.
    blocks = towns.dropLast().joined() + GridBlocks().blocks() + towns[towns.count - 1]
    self.random = random
  }

  /// The features of the first lots, each with the line's end, but no comma between them.
  ///
  /// - Complexity: O(lots).
  mutating func features(limit: Int) -> [String] {
    var features: [String] = []
    var number = 0
    for block in blocks where features.count < limit {
      let own = self.features(of: block, number: number + 1, limit: limit - features.count)
      if !own.isEmpty { number += 1 }
      features += own
    }
    return features
  }

  private mutating func features(of block: CityBlock, number: Int, limit: Int) -> [String] {
    let middle = PlanePoint(x: (block.west + block.east) / 2, y: (block.south + block.north) / 2)
    let density = LotBuilding.density(at: block.plane.place(middle))
    let plan = LotPlan(block: block, density: density, random: &random)
    var features: [String] = []
    for (lot, shape) in zip(
      plan.lots, LotShaper.shapes(of: plan.pieces, lots: plan.lots.count, cuts: block.cuts))
    {
      guard !shape.polygons.isEmpty, features.count < limit else { continue }
      let key = "1\(padded(number, to: 5))\(padded(features.count + 1, to: 4))"
      let properties = properties(
        of: lot, key: key, area: Double(shape.doubleArea) / 20_000, density: density, in: block)
      features.append(
        "{\"type\":\"Feature\",\"properties\":{\(properties)},"
          + "\"geometry\":\(geometry(of: shape, in: block.plane))}")
    }
    return features
  }

  private mutating func properties(
    of lot: PlannedLot, key: String, area: Double, density: Double, in block: CityBlock
  ) -> String {
    let onAvenue = lot.side == .west || lot.side == .east
    let building = LotBuilding(area: area, density: density, onAvenue: onAvenue, &random)
    let address = block.address(of: lot)
    let owner = LotOwners.owner(
      of: address, isLarge: area > 6_000 || building.floors > 9,
      isPublic: building.landUse == "08", &random)
    return "\"bbl\":\"\(key)\",\"address\":\"\(address)\",\"ownername\":\"\(owner)\","
      + "\"numfloors\":\(building.floors),\"yearbuilt\":\(building.yearBuilt),"
      + "\"landuse\":\"\(building.landUse)\""
  }

  // MARK: GeoJSON

  private func geometry(of shape: LotShape, in plane: StreetPlane) -> String {
    let polygons = shape.polygons.map { rings in
      "[" + rings.map { ring(of: $0, in: plane) }.joined(separator: ",") + "]"
    }
    return polygons.count == 1
      ? "{\"type\":\"Polygon\",\"coordinates\":\(polygons[0])}"
      : "{\"type\":\"MultiPolygon\",\"coordinates\":[\(polygons.joined(separator: ","))]}"
  }

  private func ring(of points: [PlanePoint], in plane: StreetPlane) -> String {
    var text = "["
    for point in points + points.prefix(1) {
      let place = plane.place(point)
      if text.utf8.count > 1 { text += "," }
      text += "[\(degrees(place.longitude)),\(degrees(place.latitude))]"
    }
    return text + "]"
  }

  private func degrees(_ units: Int) -> String {
    let magnitude = abs(units)
    return "\(units < 0 ? "-" : "")\(magnitude / 10_000_000)."
      + padded(magnitude % 10_000_000, to: 7)
  }

  private func padded(_ number: Int, to length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
  }
}
