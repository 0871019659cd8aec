import SpatialIndex
import Tiling

/// The cells of one zoom: squares of whole world pixels, anchored to the world's north-west corner.
///
/// Half-open: a cell owns its north and west edge. The easternmost and southernmost cells may be
/// cut by the world's edge, so no cell lies on both sides of the antimeridian.
struct CellGrid: Hashable, Sendable {
  let zoom: Int

  /// The length of a cell's edge in world pixels, 1 … 65536.
  let cellSize: UInt32

  /// The base-2 logarithm of the world's width in pixels, at most 32.
  let pixelBits: UInt64

  /// Returns the column of a world `x`, or the row of a `y`.
  ///
  /// ⌊x · 2^bits / (size · 2³²)⌋ in integers, since ⌊⌊a / b⌋ / c⌋ = ⌊a / bc⌋.
  func index(of coordinate: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(coordinate) << pixelBits) >> 32) / cellSize
  }

  /// Returns the Morton code of the cell that owns a position.
  func key(of point: WorldPoint) -> UInt64 {
    MortonCode(x: index(of: point.x), y: index(of: point.y)).rawValue
  }

  /// Whether a box, edges included, lies in one cell.
  func holds(_ box: WorldBox) -> Bool {
    index(of: box.west) == index(of: box.east) && index(of: box.north) == index(of: box.south)
  }

  /// Returns the number of bits by which to shift this grid's keys to get those of a shallower
  /// grid, or `nil` if that grid's cells do not consist of whole quadrants of these.
  ///
  /// A cell of size c at zoom z is c · 2^(deeper − z) / size of these cells wide, and Morton codes
  /// of cells nest where that is a power of two.
  func keyShift(to shallower: CellGrid) -> UInt64? {
    let width = UInt64(shallower.cellSize) << UInt64(zoom - shallower.zoom)
    let (cells, rest) = width.quotientAndRemainder(dividingBy: UInt64(cellSize))
    guard rest == 0, cells.nonzeroBitCount == 1 else { return nil }
    return UInt64(2 * cells.trailingZeroBitCount)
  }
}
