/// The rule for which parts of the plane an outline encloses.
package enum FillRule: Hashable, Sendable {
  /// The parts with a winding number other than 0.
  case nonZero

  /// The parts from which a ray crosses the outline an odd number of times.
  case evenOdd
}
