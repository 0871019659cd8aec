/// The coverage of a pixel by a line, by the distance t of the pixel's centre from the line: a
/// table for one kind of edge and one size.
struct StrokeProfile {
  /// The content of the table; lengths in pixels.
  enum Shape: Hashable {
    /// The exact area of a pixel between two parallels of the line at the distances `from` and
    /// `to`.
    case strip(from: Double, to: Double)

    /// (`outset` − |t − `center`|) / `width`, within 0 … 1: a line's blurred side.
    case fade(center: Double, outset: Double, width: Double)

    /// The exact area of a pixel within a circle whose centre is at the distance t.
    case disk(radius: Double)
  }

  /// The distance in pixels beyond which nothing is covered.
  let reach: Double

  /// The smallest distance of the table in 1/256 px; smaller ones count as this.
  let base: Double

  /// The number of steps of the table per 1/256 px, and their total number.
  let scale: Double
  let count: Int

  /// The number of entries between one class of slopes and the next; 0 where the slope does not
  /// matter.
  let stride: Int

  /// The table, owned by a ``StrokeProfileCache``.
  let table: UnsafePointer<UInt8>

  /// The number of classes of directions, by the ratio of the shorter component to the longer.
  static let slopeSteps = 16.0

  /// Returns the class of a direction, 0 … 16.
  @inline(__always)
  static func slopeClass(_ dx: Double, _ dy: Double) -> Int {
    let longer = max(dx.magnitude, dy.magnitude)
    let shorter = min(dx.magnitude, dy.magnitude)
    return longer > 0 ? Int(shorter / longer * slopeSteps + 0.5) : 0
  }

  /// Returns the coverage 0 … 255 at a distance in 1/256 px.
  @inline(__always)
  func value(slopeClass: Int, distance: Double) -> UInt8 {
    // Both ends are clamped before the conversion: a miter's far pixels may be any distance away.
    let step = min(max((distance - base) * scale, 0), Double(count &- 1))
    return table[slopeClass &* stride &+ StrokeProfile.nearestIndex(step)]
  }

  /// Returns the whole number nearest to a value of 0 …< 2³¹, without the checks and the library
  /// call of rounding and converting: added to 2⁵² the value has no bits left for its fraction.
  @inline(__always)
  static func nearestIndex(_ value: Double) -> Int {
    Int(truncatingIfNeeded: (value + 0x1p52).bitPattern & 0x7FFF_FFFF)
  }

  /// Returns the exact area of a unit square within a half plane whose border is `distance` from
  /// the square's centre, positive inside; (`a`, `b`) are the components of its normal, a ≥ b > 0.
  ///
  /// The second integral of the box of two sides, a × b: its four corners are differences of squares.
  static func halfPlaneArea(_ distance: Double, _ a: Double, _ b: Double) -> Double {
    func square(_ value: Double) -> Double { value > 0 ? value * value : 0 }
    let outer = (a + b) / 2
    let inner = (a - b) / 2
    if distance >= outer { return 1 }
    if distance <= -outer { return 0 }
    let sum = square(distance + outer) - square(distance + inner) - square(distance - inner)
    return min(max(sum / (2 * a * b), 0), 1)
  }

  /// Returns the components of a slope class's normal, the larger one first; never quite 0, so that
  /// ``halfPlaneArea(_:_:_:)`` needs no special case.
  static func normal(slopeClass: Int) -> (a: Double, b: Double) {
    let ratio = max(Double(slopeClass) / slopeSteps, 0.001)
    let a = 1 / (1 + ratio * ratio).squareRoot()
    return (a, ratio * a)
  }
}
