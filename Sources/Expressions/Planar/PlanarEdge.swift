import Tiling

/// A straight piece of a line or of a ring.
///
/// CQL2 compares edges whose ends differ, exactly; `within` and `distance` round as MapLibre does.
struct PlanarEdge: Sendable {
  let from: PlanarPoint
  let to: PlanarPoint

  var box: PlanarBox { PlanarBox(from, to) }

  /// Whether a position lies on the edge, ends included, computed exactly.
  func contains(_ position: PlanarPoint) -> Bool {
    box.contains(position) && PlanarOrientation.sign(from, to, position) == 0
  }

  /// The way in which two edges meet.
  enum Meeting { case apart, touching, crossing }

  /// Returns whether the edges share a position; `crossing` if it is in the interior of both and
  /// nothing else is shared.
  func meeting(_ other: PlanarEdge) -> Meeting {
    guard box.touches(other.box) else { return .apart }
    let first = PlanarOrientation.sign(from, to, other.from)
    let second = PlanarOrientation.sign(from, to, other.to)
    if first != 0, first == second { return .apart }
    let third = PlanarOrientation.sign(other.from, other.to, from)
    let fourth = PlanarOrientation.sign(other.from, other.to, to)
    if third != 0, third == fourth { return .apart }
    if first != 0, second != 0, third != 0, fourth != 0 { return .crossing }
    // Collinear, or an end of one on the line of the other: the boxes decide.
    let touches =
      (first == 0 && box.contains(other.from)) || (second == 0 && box.contains(other.to))
      || (third == 0 && other.box.contains(from)) || (fourth == 0 && other.box.contains(to))
    return touches ? .touching : .apart
  }

  /// Whether a position lies on the edge, ends included, by a rounded cross product.
  func holds(_ position: PlanarPoint) -> Bool {
    let toStart = position - from
    let toEnd = position - to
    return Self.cross(toStart, toEnd) == 0 && toStart.x * toEnd.x <= 0 && toStart.y * toEnd.y <= 0
  }

  /// Whether a ray from a position towards greater x passes through the edge.
  ///
  /// Half-open in y, so a ray through a corner counts one of its two edges.
  func isCrossedByRay(from position: PlanarPoint) -> Bool {
    guard (from.y > position.y) != (to.y > position.y) else { return false }
    return position.x < (to.x - from.x) * (position.y - from.y) / (to.y - from.y) + from.x
  }

  /// Whether two edges cross at a point in the interior of both, by rounded cross products; touching
  /// and overlapping do not count.
  func crosses(_ other: PlanarEdge) -> Bool {
    separates(other.from, other.to) && other.separates(from, to)
  }

  /// Whether two positions lie strictly on different sides of the line through the edge.
  private func separates(_ first: PlanarPoint, _ second: PlanarPoint) -> Bool {
    let left = Self.cross(first - from, to - from)
    let right = Self.cross(second - from, to - from)
    return (left > 0 && right < 0) || (left < 0 && right > 0)
  }

  private static func cross(_ first: PlanarPoint, _ second: PlanarPoint) -> Double {
    first.x * second.y - second.x * first.y
  }

  /// Returns the pieces into which positions on the edge cut it.
  func pieces(cutAt cuts: [PlanarPoint]) -> [PlanarEdge] {
    guard !cuts.isEmpty else { return [self] }
    let runsEast = from.x != to.x
    func place(_ position: PlanarPoint) -> Double { runsEast ? position.x : position.y }
    let isRising = place(from) < place(to)
    var ordered = cuts.sorted { isRising ? place($0) < place($1) : place($0) > place($1) }
    ordered.append(to)
    var pieces: [PlanarEdge] = []
    var start = from
    for end in ordered where end != start {
      pieces.append(PlanarEdge(from: start, to: end))
      start = end
    }
    return pieces
  }

  func shifted(by degrees: Double) -> PlanarEdge {
    PlanarEdge(from: from.shifted(by: degrees), to: to.shifted(by: degrees))
  }

  /// Returns the edges of a path that have a length.
  static func edges(of path: some Collection<PlanarPoint>, isClosed: Bool) -> [PlanarEdge] {
    guard var last = path.first else { return [] }
    var edges: [PlanarEdge] = []
    edges.reserveCapacity(path.count)
    for position in path where position != last {
      edges.append(PlanarEdge(from: last, to: position))
      last = position
    }
    if isClosed, let first = path.first, first != last {
      edges.append(PlanarEdge(from: last, to: first))
    }
    return edges
  }
}

extension PlanarPoint {
  /// Returns the position moved east by some degrees; for 0, the same bits.
  func shifted(by degrees: Double) -> PlanarPoint {
    degrees == 0 ? self : PlanarPoint(x + degrees, y)
  }
}
