/// The division of a plane into tiles of one side, rounded down.
///
/// A side is an odd factor times a power of two: 1 for tiles of 256 px and their doubles, 3 for
/// those of @3x.
package struct TileDivision: Hashable, Sendable {
  /// The side of a tile in units of the plane.
  package let side: Int

  @usableFromInline let shift: Int
  @usableFromInline let factor: Int

  /// - Precondition: the side is positive.
  package init(side: Int) {
    precondition(side > 0, "tiles have a side")
    self.side = side
    shift = side.trailingZeroBitCount
    factor = side >> shift
  }

  /// Returns the number of the tile that holds a coordinate.
  @inlinable
  package func tile(_ coordinate: Int) -> Int {
    let part = coordinate >> shift
    if factor == 1 { return part }
    return part >= 0 ? part / factor : -((factor - 1 - part) / factor)
  }
}
