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
  /// grid, or `nil` if the cells of the shallower grid do not consist of whole cells of this one.
  ///
  /// A cell of size c at zoom z is as wide as c · 2^(deeper − z) / size cells of this grid, and
  /// Morton codes nest if that is a power of two.
  func keyShift(to shallower: CellGrid) -> UInt64? {
    let width = UInt64(shallower.cellSize) << UInt64(zoom - shallower.zoom)
    let (cells, rest) = width.quotientAndRemainder(dividingBy: UInt64(cellSize))
    guard rest == 0, cells.nonzeroBitCount == 1 else { return nil }
    return UInt64(2 * cells.trailingZeroBitCount)
  }

  /// Returns the centre of a cell; of a cell that the world's edge cuts, of the part within.
  func center(of key: UInt64) -> WorldPoint {
    let corners = corners(of: key)
    return WorldPoint(
      x: WorldPoint.fixed((corners[0].x + corners[2].x) / 2),
      y: WorldPoint.fixed((corners[0].y + corners[2].y) / 2))
  }

  /// Returns the corners of a cell, clockwise from the north-west, as fractions of the world.
  func corners(of key: UInt64) -> [(x: Double, y: Double)] {
    let place = MortonCode(rawValue: key).point
    let pixels = Double(UInt64(1) << pixelBits)
    func edge(_ index: Int) -> Double { min(Double(index * Int(cellSize)) / pixels, 1) }
    let (west, east) = (edge(Int(place.x)), edge(Int(place.x) + 1))
    let (north, south) = (edge(Int(place.y)), edge(Int(place.y) + 1))
    return [(x: west, y: north), (x: east, y: north), (x: east, y: south), (x: west, y: south)]
  }
}
