import Tiling

/// A position in a plane: degrees, longitude first, or Web Mercator, y southward.
typealias PlanarPoint = SIMD2<Double>

/// The smallest box around positions, edges included; ``Box/empty`` contains nothing.
typealias PlanarBox = Box<Double>

extension PlanarBox {
  init(_ first: PlanarPoint, _ second: PlanarPoint) {
    self.init(
      minX: min(first.x, second.x), minY: min(first.y, second.y), maxX: max(first.x, second.x),
      maxY: max(first.y, second.y))
  }

  init(_ positions: some Sequence<PlanarPoint>) {
    self = positions.reduce(into: .empty) { $0.include($1) }
  }

  mutating func include(_ position: PlanarPoint) { include(x: position.x, y: position.y) }

  var width: Double { maxX - minX }

  func contains(_ position: PlanarPoint) -> Bool {
    position.x >= minX && position.x <= maxX && position.y >= minY && position.y <= maxY
  }

  /// Returns the gap between two boxes in degrees along each axis, 0 where they overlap.
  ///
  /// Longitudes repeat every 360°, so the gap round the other side counts too.
  func gap(to other: PlanarBox) -> PlanarPoint {
    func longitudeGap(_ shift: Double) -> Double {
      max(0, other.minX + shift - maxX, minX - other.maxX - shift)
    }
    return PlanarPoint(
      min(longitudeGap(0), longitudeGap(360), longitudeGap(-360)),
      max(0, other.minY - maxY, minY - other.maxY))
  }

  func shifted(by degrees: Double) -> PlanarBox {
    PlanarBox(minX: minX + degrees, minY: minY, maxX: maxX + degrees, maxY: maxY)
  }

  /// Returns the shifts in degrees, whole turns, by which the box touches another.
  ///
  /// The same place may be 190° or −170° in files. A shift by 0° changes no bit.
  func turns(toTouch other: PlanarBox) -> [Double] {
    LngLat.turns.filter { shifted(by: $0).touches(other) }
  }
}
