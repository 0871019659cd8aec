import Tiling

/// The cells of one zoom.
enum CellLattice: Hashable, Sendable {
  /// Squares of whole pixels.
  case pixels(CellGrid)
  case equal(EqualCells)

  var zoom: Int {
    switch self {
    case .pixels(let grid): grid.zoom
    case .equal(let cells): cells.zoom
    }
  }

  /// Returns the Morton code of the cell that owns a position.
  func key(of point: WorldPoint) -> UInt64 {
    switch self {
    case .pixels(let grid): grid.key(of: point)
    case .equal(let cells): cells.key(of: point)
    }
  }

  /// Whether a box, edges included, lies in one cell: its corners do.
  func holds(_ box: WorldBox) -> Bool {
    if case .pixels(let grid) = self { return grid.holds(box) }
    let key = key(of: WorldPoint(x: box.west, y: box.north))
    return [(box.east, box.north), (box.west, box.south), (box.east, box.south)].allSatisfy {
      self.key(of: WorldPoint(x: $0.0, y: $0.1)) == key
    }
  }

  /// Returns the number of bits by which to shift this grid's keys to get those of a shallower grid;
  /// `nil` if the cells of the shallower grid do not consist of whole cells of this one.
  func keyShift(to shallower: CellLattice) -> UInt64? {
    switch (self, shallower) {
    case (.pixels(let own), .pixels(let other)): own.keyShift(to: other)
    case (.equal(let own), .equal(let other)): own.keyShift(to: other)
    default: nil
    }
  }

  /// Returns the centre of a cell.
  func center(of key: UInt64) -> WorldPoint {
    switch self {
    case .pixels(let grid): grid.center(of: key)
    case .equal(let cells): cells.center(of: key)
    }
  }

  /// Returns the corners of a cell, clockwise from the north-west, as fractions of the world.
  func corners(of key: UInt64) -> [(x: Double, y: Double)] {
    switch self {
    case .pixels(let grid): grid.corners(of: key)
    case .equal(let cells): cells.corners(of: key)
    }
  }
}
