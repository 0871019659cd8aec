/// The outer side of a line's bend: the area beyond the end of one edge and before the start of the
/// next.
struct StrokeJoin {
  enum Kind {
    case miter, round, bevel
  }

  /// The position of the vertex in 1/256 px.
  let x: Int
  let y: Int
  let kind: Kind

  /// The side of the join: 1 where the line turns left, so that the join is right of it, −1 where
  /// it turns right, and 0 where it turns back on itself.
  let outerSide: Int

  /// The distance of the farthest point from the vertex, in distances of the sides from the line.
  let tipRatio: Double

  /// The values of an edge that a join needs, so that a bend does not copy the whole edge.
  private struct Arm {
    let dx: Int
    let dy: Int
    let inverseLength: Double
    let slopeClass: Int

    init(_ edge: StrokeEdge) {
      dx = edge.dx
      dy = edge.dy
      inverseLength = edge.inverseLength
      slopeClass = edge.slopeClass
    }
  }

  private let before: Arm
  private let after: Arm

  /// The cosine of half the turning angle, and the unit vector to the tip.
  private let cosHalf: Double
  private let tip: (x: Double, y: Double)

  /// Whether two edges turn back so sharply that a bevel is merely a straight end for both.
  static func isReversal(_ before: StrokeEdge, _ after: StrokeEdge) -> Bool {
    before.dx * after.dx + before.dy * after.dy < 0 && cosHalfAngle(before, after) < 0.02
  }

  /// Creates a join; nil where the line continues straight.
  init?(_ before: StrokeEdge, _ after: StrokeEdge, style: StrokeStyle) {
    let turn = before.dx * after.dy - before.dy * after.dx
    let dot = before.dx * after.dx + before.dy * after.dy
    guard turn != 0 || dot < 0 else { return nil }
    x = after.x
    y = after.y
    outerSide = -turn.signum()
    self.before = Arm(before)
    self.after = Arm(after)
    cosHalf = StrokeJoin.cosHalfAngle(before, after)
    let ratio = cosHalf > 0 ? 1 / cosHalf : .infinity
    kind =
      switch style.join {
      case .round: ratio < style.roundLimit ? .miter : .round
      case .miter, .bevel: ratio <= style.miterLimit ? .miter : .bevel
      }
    tipRatio = kind == .miter ? min(ratio, StrokeStyle.maxMiterLimit) : 1
    tip = kind == .bevel ? StrokeJoin.tip(before, after, side: Double(outerSide)) : (0, 0)
  }

  /// Returns the direction of the sum of both outer normals.
  private static func tip(
    _ before: StrokeEdge, _ after: StrokeEdge, side: Double
  ) -> (x: Double, y: Double) {
    let y = Double(before.dx) * before.inverseLength + Double(after.dx) * after.inverseLength
    let x = -(Double(before.dy) * before.inverseLength + Double(after.dy) * after.inverseLength)
    let size = (x * x + y * y).squareRoot()
    return size > 0 ? (side * x / size, side * y / size) : (0, 0)
  }

  /// Whether a pixel at this difference from the vertex belongs to neither edge.
  @inline(__always)
  func contains(_ px: Int, _ py: Int) -> Bool {
    px &* before.dx &+ py &* before.dy > 0 && px &* after.dx &+ py &* after.dy < 0
  }

  /// Returns the coverage 0 … 255 of a pixel at this difference from the vertex.
  ///
  /// - Parameter outset: the distance in pixels from the line to the side that a bevel cuts off;
  ///   nil for a line beside the geometry.
  @inline(__always)
  func value(_ px: Int, _ py: Int, _ profile: StrokeProfile, outset: Double?) -> UInt8 {
    if kind == .round {
      let x = Double(px)
      let y = Double(py)
      return profile.value(
        slopeClass: StrokeProfile.slopeClass(x, y), distance: (x * x + y * y).squareRoot())
    }
    // The farther of both sides counts: the tip is where they meet.
    let first = Double(py &* before.dx &- px &* before.dy).magnitude * before.inverseLength
    let second = Double(py &* after.dx &- px &* after.dy).magnitude * after.inverseLength
    let isFirst = first >= second
    let slopeClass = isFirst ? before.slopeClass : after.slopeClass
    let distance = isFirst ? first : second
    guard kind == .bevel else { return profile.value(slopeClass: slopeClass, distance: distance) }
    // A bevel cuts at `outset`, or for lines beside the geometry at the pixel's own distance.
    let toTip = Double(px) * tip.x + Double(py) * tip.y
    let cut = outset.map { toTip + $0 * 256 * (1 - cosHalf) } ?? toTip / max(cosHalf, 0.02)
    return cut > distance
      ? profile.value(slopeClass: StrokeProfile.slopeClass(tip.x, tip.y), distance: cut)
      : profile.value(slopeClass: slopeClass, distance: distance)
  }

  /// Returns √((1 + cos) / 2) of the angle between the directions.
  private static func cosHalfAngle(_ before: StrokeEdge, _ after: StrokeEdge) -> Double {
    let dot = Double(before.dx) * Double(after.dx) + Double(before.dy) * Double(after.dy)
    let cosine = dot * before.inverseLength * after.inverseLength
    return max((1 + cosine) / 2, 0).squareRoot()
  }
}
