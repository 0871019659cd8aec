import Tiling

/// A straight piece of a line or of a ring; its ends differ.
struct PlanarEdge: Sendable {
  let from: LngLat
  let to: LngLat

  var box: PlanarBox { PlanarBox(from, to) }

  func contains(_ position: LngLat) -> Bool {
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

  /// Returns the pieces into which positions on the edge cut it.
  func pieces(cutAt cuts: [LngLat]) -> [PlanarEdge] {
    guard !cuts.isEmpty else { return [self] }
    let runsEast = from.longitude != to.longitude
    func place(_ position: LngLat) -> Double { runsEast ? position.longitude : position.latitude }
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

  /// Returns the edges of a path, without those of zero length.
  static func edges(of path: some Collection<LngLat>, isClosed: Bool) -> [PlanarEdge] {
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

extension LngLat {
  /// Returns the position moved east by some degrees; for 0, the same bits.
  func shifted(by degrees: Double) -> LngLat {
    degrees == 0 ? self : LngLat(longitude: longitude + degrees, latitude: latitude)
  }
}
