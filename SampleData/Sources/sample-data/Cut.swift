/// A straight cut through a plane: what lies left of the way from `start` to `end` is kept.
struct Cut {
  var start: PlanePoint
  var end: PlanePoint

  /// Positive to the left; the island's numbers stay below 2⁵³, so it is exact as a Double too.
  func side(_ point: PlanePoint) -> Int {
    (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
  }

  /// The part of a convex ring that is kept (Sutherland and Hodgman 1974); empty if none is.
  ///
  /// Two rings that share an edge get the same point where it is cut.
  ///
  /// - Complexity: O(corners).
  func kept(of ring: [PlanePoint]) -> [PlanePoint] {
    guard var previous = ring.last else { return [] }
    var kept: [PlanePoint] = []
    var previousSide = side(previous)
    for corner in ring {
      let cornerSide = side(corner)
      if (previousSide < 0 && cornerSide > 0) || (previousSide > 0 && cornerSide < 0) {
        kept.append(crossing(previous, corner))
      }
      if cornerSide >= 0 { kept.append(corner) }
      previous = corner
      previousSide = cornerSide
    }
    return withoutRepeats(kept)
  }

  /// Where an edge crosses the cut, the same point in whichever direction the edge is walked.
  private func crossing(_ one: PlanePoint, _ other: PlanePoint) -> PlanePoint {
    let isOrdered = (one.x, one.y) < (other.x, other.y)
    let (from, to) = isOrdered ? (one, other) : (other, one)
    let share = Double(side(from)) / Double(side(from) - side(to))
    return PlanePoint(
      x: from.x + Int((Double(to.x - from.x) * share).rounded()),
      y: from.y + Int((Double(to.y - from.y) * share).rounded()))
  }

  private func withoutRepeats(_ ring: [PlanePoint]) -> [PlanePoint] {
    var result: [PlanePoint] = []
    for point in ring where point != result.last { result.append(point) }
    if result.count > 1, result.first == result.last { result.removeLast() }
    return result.count < 3 ? [] : result
  }
}
