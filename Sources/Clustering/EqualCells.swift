import SpatialIndex
import Tiling

/// Cells of one zoom that divide the world's width into equal columns: squares, or regular hexagons
/// that stand on a corner.
///
/// Columns begin at the antimeridian. The first row of squares begins at the north edge; the centres
/// of the first row of hexagons lie on it, and each odd row is half a column further east, so its
/// last hexagon lies on both sides of the antimeridian. Lengths are in columns unless they are
/// positions.
struct EqualCells: Hashable, Sendable {
  let zoom: Int

  /// The number of columns, 1 … 2²⁹.
  let columns: UInt32

  let isHexagonal: Bool

  /// The distance between two rows of hexagons.
  private static let rowHeight = 3.0.squareRoot() / 2

  /// Returns the Morton code of the cell that owns a position: for hexagons the one whose centre is
  /// nearest, of two the northern or the eastern one.
  func key(of point: WorldPoint) -> UInt64 {
    guard isHexagonal else {
      return MortonCode(x: column(of: point.x), y: column(of: point.y)).rawValue
    }
    let (x, y) = (length(point.x), length(point.y) / Self.rowHeight)
    let north = y.rounded(.down)
    let (first, second) = (nearest(to: x, y, row: north), nearest(to: x, y, row: north + 1))
    let (best, row) = first.distance <= second.distance ? (first, north) : (second, north + 1)
    // The first column of an odd row begins half a column east of the antimeridian.
    let column = best.column < 0 ? columns - 1 : min(UInt32(best.column), columns - 1)
    return MortonCode(x: column, y: UInt32(row)).rawValue
  }

  private func column(of coordinate: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(coordinate) * UInt64(columns)) >> 32)
  }

  private func length(_ coordinate: UInt32) -> Double {
    Double(coordinate) * Double(columns) / 0x1p32
  }

  /// Returns the column of a row's hexagon that is nearest, −1 for the last one, and the square of
  /// the distance to its centre.
  private func nearest(to x: Double, _ y: Double, row: Double) -> (column: Int, distance: Double) {
    let shift = Self.isOdd(UInt32(row)) ? 0.5 : 0
    let column = (x - shift).rounded(.down)
    let (east, south) = (x - shift - column - 0.5, (y - row) * Self.rowHeight)
    return (Int(column), east * east + south * south)
  }

  private static func isOdd(_ row: UInt32) -> Bool { row & 1 == 1 }

  /// Returns the number of bits by which to shift this grid's keys to get those of a shallower grid;
  /// `nil` if the cells of the shallower grid do not consist of whole cells of this one.
  func keyShift(to shallower: EqualCells) -> UInt64? {
    guard isHexagonal == shallower.isHexagonal else { return nil }
    if columns == shallower.columns { return 0 }
    let (cells, rest) = columns.quotientAndRemainder(dividingBy: shallower.columns)
    guard !isHexagonal, rest == 0, cells.nonzeroBitCount == 1 else { return nil }
    return UInt64(2 * cells.trailingZeroBitCount)
  }

  /// Returns the centre of a cell.
  func center(of key: UInt64) -> WorldPoint {
    let (column, row) = Self.place(of: key)
    let x = (Double(column) + 0.5 + (isHexagonal && Self.isOdd(row) ? 0.5 : 0)) / Double(columns)
    let y =
      isHexagonal
      ? Double(row) * Self.rowHeight / Double(columns)
      : (Double(row) + 0.5) / Double(columns)
    return WorldPoint(x: WorldPoint.fixed(x < 1 ? x : x - 1), y: WorldPoint.fixed(y))
  }

  /// Returns the corners of a cell, clockwise from the north-west, as fractions of the world; those
  /// beyond the antimeridian are above 1. Neighbours have exactly equal corners.
  func corners(of key: UInt64) -> [(x: Double, y: Double)] {
    let (column, row) = Self.place(of: key)
    guard isHexagonal else {
      let (west, north) = (Double(column), Double(row))
      return [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map {
        (x: (west + $0.0) / Double(columns), y: (north + $0.1) / Double(columns))
      }
    }
    // In half columns from the antimeridian, and in half sides of a hexagon from the north edge.
    let middle = Int(column) * 2 + (Self.isOdd(row) ? 2 : 1)
    let (half, side) = (Double(columns) * 2, Double(columns) * 2 * 3.0.squareRoot())
    return [(-1, -1), (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1)].map { x, y in
      (
        x: Double(middle + x) / half,
        y: min(max(Double(3 * Int(row) + y) / side, 0), 1)
      )
    }
  }

  private static func place(of key: UInt64) -> (column: UInt32, row: UInt32) {
    let point = MortonCode(rawValue: key).point
    return (point.x, point.y)
  }
}
