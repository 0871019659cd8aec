/// Which parts of the plane an outline encloses.
package enum FillRule: Hashable, Sendable {
  /// Where the outline winds around a point at all.
  case nonZero

  /// Where a ray from the point crosses the outline an odd number of times.
  case evenOdd
}
