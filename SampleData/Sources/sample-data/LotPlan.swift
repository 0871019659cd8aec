/// A lot on the plan of its block: the rectangle that its address is taken from, and its door.
struct PlannedLot {
  var west: Int
  var south: Int
  var east: Int
  var north: Int
  var side: Side
}

/// A rectangle of a lot; a lot of several is an L, has a courtyard, or has an annex.
struct LotPiece {
  var lot: Int
  var west: Int
  var south: Int
  var east: Int
  var north: Int
}

/// How a block is divided: two rows of houses back to back, ends that face the avenues, and where
/// the city is dense, sites that reach from street to street.
///
/// Lots of 25 by 100 feet are what the 1811 plan was sold in; rows of houses stand on 16 to 20 feet,
/// and larger buildings on several lots.
struct LotPlan {
  private(set) var lots: [PlannedLot] = []
  private(set) var pieces: [LotPiece] = []
  private let block: CityBlock
  /// How dense the city is here, 0 ... 1.
  private let density: Double
  /// The share of wide lots in a row, 0 ... 1: some blocks kept their houses, others were built anew.
  private let coarse: Double

  init(block: CityBlock, density: Double, random: inout RandomNumbers) {
    self.block = block
    self.density = density
    coarse = random.unit() < 0.12 * (1 - density) ? 0.1 : 0.91
    if block.isCampus || block.width < feet(60)
      || random.unit() < 0.04 + 0.14 * density * density
    {
      addSite(from: block.west, to: block.east, &random)
      return
    }
    let end = block.width >= feet(260) ? feet(random.unit() < 0.7 ? 100 : 80) : 0
    if end > 0 {
      addEnd(.west, from: block.west, to: block.west + end, &random)
      addEnd(.east, from: block.east - end, to: block.east, &random)
    }
    addInterior(from: block.west + end, to: block.east - end, &random)
  }

  // MARK: Parts of a block

  /// A stretch of small lots, then perhaps a site from street to street, and so on.
  private mutating func addInterior(from west: Int, to east: Int, _ random: inout RandomNumbers) {
    var x = west
    while x < east {
      var length = feet(Double(75 + 25 * random.below(8)))
      if east - x - length < feet(75) { length = east - x }
      if length <= feet(250), random.unit() < coarse * (0.4 + 0.35 * density) {
        addSite(from: x, to: x + length, &random)
      } else {
        addRow(.south, from: x, to: x + length, &random)
        addRow(.north, from: x, to: x + length, &random)
      }
      x += length
    }
  }

  /// Half a block's depth of houses on one street.
  private mutating func addRow(
    _ side: Side, from west: Int, to east: Int, _ random: inout RandomNumbers
  ) {
    let middle = (block.south + block.north) / 2
    let (south, north) = side == .south ? (block.south, middle) : (middle, block.north)
    // Where a neighbour's yard ends that a corner of an L takes up.
    let yard = side == .south ? middle - feet(40) : middle + feet(40)
    let splits = cuts(of: east - west, coarse: coarse, &random).map { west + $0 }
    // How many whole lots of this row stand one beside the other up to here.
    var whole = 0
    for (left, right) in zip(splits, splits.dropFirst()) {
      let lot = lots.count
      let chance = right - left <= feet(50) ? random.unit() : 0.5
      if chance < 0.05, whole > 0, north - south > feet(70) {
        // The lot before has bought the end of this one's yard.
        let front = side == .south ? (south, yard) : (yard, north)
        let back = side == .south ? (yard, north) : (south, yard)
        addPiece(lot - 1, left, back.0, right, back.1)
        addLot(side, left, front.0, right, front.1)
        addPiece(lot, left, front.0, right, front.1)
        whole = 0
      } else if chance > 0.98, whole > 1 {
        // A second house of the owner two doors on.
        addPiece(lot - 2, left, south, right, north)
        whole = 0
      } else {
        addLot(side, left, south, right, north)
        addPiece(lot, left, south, right, north)
        whole += 1
      }
    }
  }

  /// The lots at the end of a block, which face the avenue.
  private mutating func addEnd(
    _ side: Side, from west: Int, to east: Int, _ random: inout RandomNumbers
  ) {
    let splits = cuts(of: block.depth, coarse: coarse * 0.7 + 0.3, &random)
    for (low, high) in zip(splits, splits.dropFirst()) {
      addLot(side, west, block.south + low, east, block.south + high)
      addPiece(lots.count - 1, west, block.south + low, east, block.south + high)
    }
  }

  /// One lot from street to street; some enclose a court that is nobody's lot, or another's.
  private mutating func addSite(from west: Int, to east: Int, _ random: inout RandomNumbers) {
    let lot = lots.count
    let (south, north) = (block.south, block.north)
    addLot(random.unit() < 0.5 ? .south : .north, west, south, east, north)
    guard east - west >= feet(120), block.depth >= feet(120), random.unit() < 0.25 else {
      addPiece(lot, west, south, east, north)
      return
    }
    let (inX, inY) = ((east - west) * 3 / 8, (north - south) * 3 / 8)
    let columns = [west, west + inX, east - inX, east]
    let rows = [south, south + inY, north - inY, north]
    for row in 0..<3 {
      for column in 0..<3 where row != 1 || column != 1 {
        addPiece(lot, columns[column], rows[row], columns[column + 1], rows[row + 1])
      }
    }
    if random.unit() < 0.3 {
      addLot(.south, columns[1], rows[1], columns[2], rows[2])
      addPiece(lot + 1, columns[1], rows[1], columns[2], rows[2])
    }
  }

  // MARK: Widths

  private static let narrow = [16.75, 18, 18.75, 20, 20, 20, 22, 25, 25, 25, 25, 25, 25, 25, 27.5]
  private static let wide = [37.5, 50, 50, 50, 60, 75, 75, 75, 100, 100, 100, 125, 150]

  /// Where a side is divided, from 0 to its length: runs of equal houses and single wide lots.
  ///
  /// - Parameter coarse: the share of wide lots, 0 ... 1.
  /// - Complexity: O(lots).
  private func cuts(of length: Int, coarse: Double, _ random: inout RandomNumbers) -> [Int] {
    var cuts = [0]
    var at = 0
    while at < length {
      let isWide = random.unit() < coarse
      let width = feet(random.pick(isWide ? Self.wide : Self.narrow))
      for _ in 0..<(isWide ? 1 : 1 + random.below(5)) where at < length {
        // What would be left of less than 16 feet goes to this lot.
        at = length - at - width < feet(16) ? length : at + width
        cuts.append(at)
      }
    }
    return cuts
  }

  private mutating func addLot(_ side: Side, _ west: Int, _ south: Int, _ east: Int, _ north: Int) {
    lots.append(PlannedLot(west: west, south: south, east: east, north: north, side: side))
  }

  private mutating func addPiece(
    _ lot: Int, _ west: Int, _ south: Int, _ east: Int, _ north: Int
  ) {
    pieces.append(LotPiece(lot: lot, west: west, south: south, east: east, north: north))
  }
}
