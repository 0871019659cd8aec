import Features
import Ingest
package import Tiling

/// Statistics of the positions of a source: their range, and how many of them fit common mistakes.
package struct CoordinateProfile: Sendable {
  /// The number of positions, including those of lines and rings.
  package private(set) var count = 0

  /// The box of the positions on the map, and that of the others.
  private(set) var onMap = Box<Double>.empty
  private(set) var offMap = Box<Double>.empty

  /// The box of all positions.
  package var box: Box<Double> {
    var box = onMap
    box.formUnion(offMap)
    return box
  }

  /// The number of positions at exactly longitude 0, latitude 0.
  package private(set) var atZero = 0
  /// Positions within 0.01° of longitude 0, latitude 0 in both directions, including those exactly
  /// there.
  package private(set) var nearZero = Occurrences()

  /// Positions beyond ±180° of longitude, beyond ±85.0511° of latitude where the map ends, and
  /// beyond the poles.
  package private(set) var beyondLongitude = Occurrences()
  package private(set) var beyondMap = Occurrences()
  package private(set) var beyondPoles = Occurrences()

  /// The number of positions beyond the poles that would be valid if their ordinates were
  /// exchanged.
  private(set) var fitSwapped = 0
  /// The number of positions whose ordinates are both whole numbers.
  package private(set) var whole = 0
  /// The number of positions beyond ±180° or ±90°.
  private(set) var outside = 0

  /// The number of records of one point that lie exactly where an earlier one does.
  package internal(set) var coincident = 0
  /// The highest number of records at one point, and the position of that point.
  package internal(set) var crowd = 0
  package internal(set) var crowdPosition = LngLat(longitude: 0, latitude: 0)
  var crowdLine = 0
  /// Whether ``coincident`` counts all repetitions, rather than only those of the first two million
  /// places.
  package internal(set) var isCoincidentComplete = true

  /// Where the first positions lie, and where they would lie with their ordinates exchanged.
  package private(set) var order = OrderEvidence()

  /// The distance from zero that is suspicious: about a kilometre, in degrees.
  static let zeroDistance = 0.01

  /// 180° plus a tolerance for rounding: about a metre.
  static let longitudeLimit = 180.00001

  /// Adds one position.
  @inline(__always)
  mutating func add(_ position: LngLat, line: Int) {
    let x = position.longitude
    let y = position.latitude
    count += 1
    if count <= OrderEvidence.limit { order.add(x: x, y: y) }
    if x.rounded(.towardZero) == x, y.rounded(.towardZero) == y { whole += 1 }
    if abs(x) <= Self.zeroDistance, abs(y) <= Self.zeroDistance { addNearZero(position, line) }
    if abs(y) > WorldPoint.maxLatitude || abs(x) > Self.longitudeLimit {
      addBeyond(position, line)
    } else {
      onMap.include(x: x, y: y)
    }
  }

  private mutating func addNearZero(_ position: LngLat, _ line: Int) {
    if position.longitude == 0, position.latitude == 0 { atZero += 1 }
    nearZero.add(line: line, Self.text(position))
  }

  private mutating func addBeyond(_ position: LngLat, _ line: Int) {
    let x = abs(position.longitude)
    let y = abs(position.latitude)
    offMap.include(x: position.longitude, y: position.latitude)
    if x > Self.longitudeLimit || y > 90 { outside += 1 }
    if x > Self.longitudeLimit { beyondLongitude.add(line: line, Self.text(position)) }
    guard y > WorldPoint.maxLatitude else { return }
    beyondMap.add(line: line, Self.text(position))
    guard y > 90 else { return }
    beyondPoles.add(line: line, Self.text(position))
    if x <= 90, y <= 180 { fitSwapped += 1 }
  }

  /// Returns a position as text, longitude first: `8.5, 47.4`.
  static func text(_ position: LngLat) -> String {
    "\(text(position.longitude)), \(text(position.latitude))"
  }

  /// Returns a number in its shortest form; whole numbers have no decimal point.
  static func text(_ number: Double) -> String { number.shortestText }
}
