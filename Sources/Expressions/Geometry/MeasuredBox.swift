/// A position in a plane: degrees, longitude first, or Web Mercator, y southward.
typealias PlanarPoint = SIMD2<Double>

/// The smallest box around positions, edges included; empty until the first one is added.
struct MeasuredBox: Sendable {
  private(set) var low = PlanarPoint(repeating: .infinity)
  private(set) var high = PlanarPoint(repeating: -.infinity)

  init() {}

  init(_ positions: some Sequence<PlanarPoint>) {
    for position in positions { include(position) }
  }

  mutating func include(_ position: PlanarPoint) {
    low = pointwiseMin(low, position)
    high = pointwiseMax(high, position)
  }

  mutating func include(_ other: MeasuredBox) {
    low = pointwiseMin(low, other.low)
    high = pointwiseMax(high, other.high)
  }

  var width: Double { high.x - low.x }

  /// Whether the box lies inside another without touching its edges.
  func isStrictlyInside(_ other: MeasuredBox) -> Bool {
    low.x > other.low.x && low.y > other.low.y && high.x < other.high.x && high.y < other.high.y
  }

  func contains(_ position: PlanarPoint) -> Bool {
    position.x >= low.x && position.x <= high.x && position.y >= low.y && position.y <= high.y
  }

  /// Returns the gap between two boxes in degrees along each axis, 0 where they overlap.
  ///
  /// Longitudes repeat every 360°, so the gap round the other side counts too.
  func gap(to other: MeasuredBox) -> PlanarPoint {
    func longitudeGap(_ shift: Double) -> Double {
      max(0, other.low.x + shift - high.x, low.x - other.high.x - shift)
    }
    return PlanarPoint(
      min(longitudeGap(0), longitudeGap(360), longitudeGap(-360)),
      max(0, other.low.y - high.y, low.y - other.high.y))
  }
}
