/// The rule for which parts of the plane an outline encloses.
package enum FillRule: Hashable, Sendable {
  /// The parts around which the outline winds at all.
  case nonZero

  /// The parts from which a ray crosses the outline an odd number of times.
  case evenOdd
}
