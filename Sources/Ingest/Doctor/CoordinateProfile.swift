package import Tiling

/// What the positions of a source are like: their range, and how many would fit what people get
/// wrong about coordinates.
package struct CoordinateProfile: Sendable {
  /// Positions, those of lines and rings too.
  package private(set) var count = 0

  /// The box of the positions that have a place on the map, and that of the others.
  private(set) var onMap = CoordinateBox()
  private(set) var offMap = CoordinateBox()

  /// The box of all positions.
  package var box: CoordinateBox { onMap.union(offMap) }

  /// Positions at longitude 0, latitude 0, exactly.
  package private(set) var atZero = 0
  /// Positions within 0.01° of it in both directions, those at it included.
  package private(set) var nearZero = Occurrences()

  /// Positions beyond ±180° of longitude, beyond ±85.0511° of latitude where the map ends, and
  /// beyond the poles.
  package private(set) var beyondLongitude = Occurrences()
  package private(set) var beyondMap = Occurrences()
  package private(set) var beyondPoles = Occurrences()

  /// Positions beyond the poles that would be a place if their ordinates were exchanged.
  private(set) var fitSwapped = 0
  /// Positions whose both ordinates are whole numbers.
  package private(set) var whole = 0
  /// Positions beyond ±180° or ±90°.
  private(set) var outside = 0

  /// Records of one point that lie exactly where an earlier one does.
  package internal(set) var coincident = 0
  /// The most records at one point, and where that is.
  package internal(set) var crowd = 0
  package internal(set) var crowdPosition = LngLat(longitude: 0, latitude: 0)
  var crowdLine = 0
  /// Whether ``coincident`` counts all, or only repetitions of the first two million places.
  package internal(set) var isCoincidentComplete = true

  /// How near to zero is too near: about a kilometre, in degrees.
  static let zeroDistance = 0.01

  /// 180° and what rounding adds to it: about a metre.
  static let longitudeLimit = 180.00001

  init() {}

  /// Takes in one position.
  @inline(__always)
  mutating func add(_ position: LngLat, line: Int) {
    let x = position.longitude
    let y = position.latitude
    count += 1
    if x.rounded(.towardZero) == x, y.rounded(.towardZero) == y { whole += 1 }
    if abs(x) <= Self.zeroDistance, abs(y) <= Self.zeroDistance { addNearZero(position, line) }
    if abs(y) > WorldPoint.maxLatitude || abs(x) > Self.longitudeLimit {
      addBeyond(position, line)
    } else {
      onMap.add(position)
    }
  }

  private mutating func addNearZero(_ position: LngLat, _ line: Int) {
    if position.longitude == 0, position.latitude == 0 { atZero += 1 }
    nearZero.add(line: line, Self.text(position))
  }

  private mutating func addBeyond(_ position: LngLat, _ line: Int) {
    let x = abs(position.longitude)
    let y = abs(position.latitude)
    offMap.add(position)
    if x > Self.longitudeLimit || y > 90 { outside += 1 }
    if x > Self.longitudeLimit { beyondLongitude.add(line: line, Self.text(position)) }
    guard y > WorldPoint.maxLatitude else { return }
    beyondMap.add(line: line, Self.text(position))
    guard y > 90 else { return }
    beyondPoles.add(line: line, Self.text(position))
    if x <= 90, y <= 180 { fitSwapped += 1 }
  }

  /// `8.5, 47.4`: longitude first.
  static func text(_ position: LngLat) -> String {
    "\(text(position.longitude)), \(text(position.latitude))"
  }

  /// A number in its shortest form, whole ones without a point.
  static func text(_ number: Double) -> String {
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return "\(whole)" }
    return "\(number)"
  }
}
