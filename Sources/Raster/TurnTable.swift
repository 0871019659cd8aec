import Platform

/// The sines and cosines of the corners of regular polygons, which are the slowest part of drawing a
/// chart; the scratch memory of one worker.
struct TurnTable {
  /// The sine and cosine of an angle.
  struct Turn {
    let sine: Double
    let cosine: Double

    /// - Parameter turn: the angle in full turns.
    init(_ turn: Double) {
      let angle = 2 * Double.pi * turn
      (sine, cosine) = (sin(angle), cos(angle))
    }
  }

  /// The corners of a polygon by number; the first lies at angle 0.
  struct Corners {
    fileprivate let sides: Int
    fileprivate let known: UnsafeBufferPointer<Turn>

    /// The corner with a number; numbers go on beyond a full turn, and below 0.
    subscript(corner: Int) -> Turn {
      let index = corner + sides
      return known.indices.contains(index)
        ? known[index] : Turn(Double(corner) / Double(sides))
    }
  }

  /// The most sides of a polygon that is kept: that of a circle of 200 px.
  private static let largest = 1024

  /// The corners from −1 to 2 turns, by the number of sides, a multiple of 8; 3 MB at most.
  private var known: [Int: ContiguousArray<Turn>] = [:]

  /// Calls `body` with the corners of a polygon.
  mutating func withCorners(of sides: Int, _ body: (Corners) -> Void) {
    var turns = known[sides] ?? []
    if turns.isEmpty, sides <= Self.largest {
      turns = ContiguousArray((-sides...2 * sides).map { Turn(Double($0) / Double(sides)) })
      known[sides] = turns
    }
    turns.withUnsafeBufferPointer { body(Corners(sides: sides, known: $0)) }
  }
}
