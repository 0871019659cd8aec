import Ingest

/// What the land says about the order of two numbers: places lie on it rather than in the sea.
package struct OrderEvidence: Sendable {
  /// The most positions that are looked at.
  static let limit = 10_000

  /// The number of places whose distribution counts.
  private static let many = 20

  package private(set) var count = 0
  /// The positions that lie on land, and those that would if their ordinates were exchanged.
  private(set) var asRead = 0
  private(set) var exchanged = 0

  /// The order that puts places on land.
  package enum Verdict: Hashable, Sendable {
    case asRead, exchanged
  }

  /// Whether there are enough places for their distribution to count.
  var isMany: Bool { count >= Self.many }

  mutating func add(x: Double, y: Double) {
    count += 1
    if LandMask.contains(longitude: x, latitude: y) { asRead += 1 }
    if LandMask.contains(longitude: y, latitude: x) { exchanged += 1 }
  }

  /// The order in which four of five places lie on land, if no more than one of five does in the
  /// other, or of many places nine of ten, if half of them at most do in the other: a country lies on
  /// land, and its image crosses coasts. `nil` where both are possible.
  package var verdict: Verdict? {
    func decides(_ one: Int, _ other: Int) -> Bool {
      one * 5 >= count * 4 && other * 5 <= count
        || isMany && one * 10 >= count * 9 && other * 2 <= count
    }
    guard count > 0 else { return nil }
    return decides(asRead, exchanged) ? .asRead : decides(exchanged, asRead) ? .exchanged : nil
  }
}
