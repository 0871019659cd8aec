/// A box of positions: in metres of EPSG:3857, x east and y north, where x may lie beyond the
/// antimeridian; or in pixels of an image.
struct PositionBox {
  private(set) var low: SIMD2<Double>
  private(set) var high: SIMD2<Double>

  /// A box without a position.
  static let empty = PositionBox(
    low: SIMD2(repeating: .infinity), high: SIMD2(repeating: -.infinity))

  /// The square of the whole world.
  static let world = PositionBox(
    low: SIMD2(repeating: -RasterGrid.worldMetres / 2),
    high: SIMD2(repeating: RasterGrid.worldMetres / 2))

  var size: SIMD2<Double> { high - low }

  /// Whether it has no area.
  var isEmpty: Bool { !(low.x < high.x && low.y < high.y) }

  func contains(_ position: SIMD2<Double>) -> Bool {
    all(position .>= low) && all(position .<= high)
  }

  mutating func add(_ position: SIMD2<Double>) {
    low = pointwiseMin(low, position)
    high = pointwiseMax(high, position)
  }

  mutating func add(_ other: PositionBox) {
    low = pointwiseMin(low, other.low)
    high = pointwiseMax(high, other.high)
  }

  /// Adds the part of a smooth curve between three consecutive positions on it.
  ///
  /// If the parabola through the three has its vertex between them, the curve lies beyond them by
  /// up to 1/8 of their second difference; twice that is added.
  mutating func add(curve first: SIMD2<Double>, _ middle: SIMD2<Double>, _ last: SIMD2<Double>) {
    let bend = first - 2 * middle + last
    let slope = (last - first) / 2
    for axis in 0..<2 where abs(slope[axis]) <= 1.25 * abs(bend[axis]) {
      let (margin, values) = (abs(bend[axis]) / 4, [first[axis], middle[axis], last[axis]])
      if bend[axis] < 0 {
        high[axis] = max(high[axis], (values.max() ?? 0) + margin)
      } else {
        low[axis] = min(low[axis], (values.min() ?? 0) - margin)
      }
    }
  }

  func padded(by margin: SIMD2<Double>) -> PositionBox {
    PositionBox(low: low - margin, high: high + margin)
  }

  /// Returns the part on the map: between its north and south edge, and no wider than the world.
  func onTheMap() -> PositionBox {
    var box = self
    let world = PositionBox.world
    box.low.y = max(low.y, world.low.y)
    box.high.y = min(high.y, world.high.y)
    return size.x >= world.size.x ? box.widenedToTheWorld() : box
  }

  /// Returns the box with all longitudes.
  func widenedToTheWorld() -> PositionBox {
    var box = self
    (box.low.x, box.high.x) = (PositionBox.world.low.x, PositionBox.world.high.x)
    return box
  }

  /// Returns the box moved by whole turns of the world, so that its west edge lies within it.
  func inFirstTurn() -> PositionBox {
    let world = PositionBox.world
    let turns = ((low.x - world.low.x) / world.size.x + 1e-9).rounded(.down)
    let shift = SIMD2(turns * world.size.x, 0)
    return PositionBox(low: low - shift, high: high - shift)
  }

  /// Returns the positions of a lattice over the box, its edges included, row by row from the low
  /// corner.
  func lattice(steps: Int) -> [SIMD2<Double>] {
    (0...steps).flatMap { row in
      (0...steps).map { column in
        let share = SIMD2(Double(column), Double(row)) / Double(steps)
        // The ends are exactly the edges.
        return low * (1 - share) + high * share
      }
    }
  }
}
