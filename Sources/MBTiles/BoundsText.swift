package import Tiling

/// A box as the metadata spells it: `west,south,east,north` in plain decimals that every reader
/// parses.
package struct BoundsText {
  /// The edges in 10⁻⁷ degrees, 1 cm, rounded outward.
  private let west, south, east, north: Int

  /// The greatest latitude that is written; 85.0511287 is 8 mm inside the square's edge, so that
  /// readers that refuse more than 85.05112877… accept it.
  private static let maxLatitude = 850_511_287

  /// Creates the text; `nil` unless the box lies in −180…180 and −90…90 with south ≤ north. West >
  /// east, a box over the antimeridian, becomes −180…180.
  package init?(_ bounds: GeoBounds) {
    let values = [bounds.west, bounds.south, bounds.east, bounds.north]
    guard values.allSatisfy(\.isFinite), values.allSatisfy({ abs($0) <= 180 }),
      abs(bounds.south) <= 90, abs(bounds.north) <= 90, bounds.south <= bounds.north
    else { return nil }
    let whole = bounds.crossesAntimeridian
    west = whole ? -1_800_000_000 : Self.units(bounds.west, .down)
    east = whole ? 1_800_000_000 : Self.units(bounds.east, .up)
    south = max(-Self.maxLatitude, min(Self.maxLatitude, Self.units(bounds.south, .down)))
    north = max(-Self.maxLatitude, min(Self.maxLatitude, Self.units(bounds.north, .up)))
  }

  package var text: String {
    [west, south, east, north].map(Self.decimal).joined(separator: ",")
  }

  /// Whether a position lies in the box or on its edge.
  package func contains(_ position: LngLat) -> Bool {
    guard abs(position.longitude) <= 180, abs(position.latitude) <= 90 else { return false }
    let longitude = Self.units(position.longitude, .toNearestOrEven)
    let latitude = Self.units(position.latitude, .toNearestOrEven)
    return (west...east).contains(longitude) && (south...north).contains(latitude)
  }

  /// Returns a position as `longitude,latitude`.
  package static func point(_ position: LngLat) -> String {
    let longitude = decimal(units(position.longitude, .toNearestOrEven))
    return "\(longitude),\(decimal(units(position.latitude, .toNearestOrEven)))"
  }

  private static func units(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Int {
    Int((degrees * 1e7).rounded(rule))
  }

  /// Returns 10⁻⁷ degrees as a decimal without exponent or trailing zeros.
  private static func decimal(_ units: Int) -> String {
    let (whole, part) = abs(units).quotientAndRemainder(dividingBy: 10_000_000)
    let sign = units < 0 ? "-" : ""
    guard part > 0 else { return "\(sign)\(whole)" }
    let digits = String(part + 10_000_000).dropFirst()
    let last = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(sign)\(whole).\(digits[...last])"
  }
}
