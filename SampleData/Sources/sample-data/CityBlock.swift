/// One side of a block: the road it faces, and how its houses are numbered.
struct Frontage {
  var road: String
  /// House numbers at the west or south end, and at the other; they may fall.
  var numbers: (Int, Int)
  var isOdd: Bool

  /// The address at a share of the side, 0 at its west or south end.
  func address(at share: Double) -> String {
    let exact = Double(numbers.0) + Double(numbers.1 - numbers.0) * share
    let half = max(1, Int(exact / 2))
    return "\(2 * half - (isOdd ? 1 : 0)) \(road)"
  }
}

/// The side of a block that a lot's door is on.
enum Side {
  case south, north, west, east
}

/// A block between four roads: a rectangle of its plane, less what shores and diagonals cut off.
struct CityBlock {
  var plane: StreetPlane
  var west: Int
  var south: Int
  var east: Int
  var north: Int
  var cuts: [Cut] = []
  /// One owner holds all of it: an estate, a station, a university.
  var isCampus = false
  var southFrontage: Frontage
  var northFrontage: Frontage
  var westFrontage: Frontage
  var eastFrontage: Frontage

  var width: Int { east - west }
  var depth: Int { north - south }

  /// The address of a lot that takes up a rectangle of the block.
  func address(of lot: PlannedLot) -> String {
    let across = Double((lot.west + lot.east) / 2 - west) / Double(width)
    let along = Double((lot.south + lot.north) / 2 - south) / Double(depth)
    switch lot.side {
    case .south: return southFrontage.address(at: across)
    case .north: return northFrontage.address(at: across)
    case .west: return westFrontage.address(at: along)
    case .east: return eastFrontage.address(at: along)
    }
  }
}
