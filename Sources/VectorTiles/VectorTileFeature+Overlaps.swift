import Features

extension VectorTileFeature {
  /// Divides an area whose outer rings overlap into areas whose outer rings do not, so that the
  /// overlap is filled, which the even-odd rule would leave empty; `nil` if no rings overlap.
  ///
  /// Rings that merely touch stay together. So do two rings of which one lies wholly inside the
  /// other: the inner one is a hole with the wrong direction.
  ///
  /// - Complexity: O(n log n) for n outer rings, and O(edges · edges) for each pair whose boxes overlap,
  ///   up to a limit beyond which rings are not compared.
  func dividedAtOverlaps() -> [VectorTileFeature]? {
    guard parts.count(where: { $0 == .outerRing }) > 1 else { return nil }
    var overlaps = RingOverlaps(self)
    return overlaps.groups().map { groups in groups.map { keeping(outerRings: $0) } }
  }

  /// Returns the feature with some of its outer rings and their holes.
  private func keeping(outerRings: Set<Int>) -> VectorTileFeature {
    var kept = self
    kept.removeGeometry()
    var isKept = false
    for part in parts.indices {
      if parts[part] == .outerRing { isKept = outerRings.contains(part) }
      guard isKept else { continue }
      kept.vertices.append(contentsOf: vertices[vertexRange(part)])
      kept.endPart(parts[part])
    }
    return kept
  }
}

/// The overlaps among the outer rings of an area.
private struct RingOverlaps {
  private typealias Position = (x: Int, y: Int)

  /// The box of an outer ring.
  private struct Ring {
    let part: Int
    var minX = Int.max
    var minY = Int.max
    var maxX = Int.min
    var maxY = Int.min

    /// Whether the interiors of the boxes meet.
    func meets(_ other: Ring) -> Bool {
      minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    func contains(_ other: Ring) -> Bool {
      minX <= other.minX && maxX >= other.maxX && minY <= other.minY && maxY >= other.maxY
    }

    var size: Int { (maxX - minX) * (maxY - minY) }
  }

  /// The place of the edges of one ring relative to another ring.
  private struct Places {
    var inside = false
    var outside = false
    var along = false

    /// Whether the rings overlap: one crosses the other, or lies inside it and shares a stretch of
    /// its border.
    var areOverlapping: Bool { inside && (outside || along) }
  }

  /// Positions beyond this occur only in crafted tiles; products of their differences must not
  /// overflow.
  private static let positionLimit = 1 << 28

  /// Maximum number of comparisons for one feature: some tens of milliseconds.
  private static let comparisonLimit = 1 << 23

  private let feature: VectorTileFeature
  private var rings: [Ring]
  private var comparisons = 0

  init(_ feature: VectorTileFeature) {
    self.feature = feature
    rings = []
    for part in feature.parts.indices where feature.parts[part] == .outerRing {
      var ring = Ring(part: part)
      for vertex in feature.vertices[feature.vertexRange(part)] {
        (ring.minX, ring.maxX) = (min(ring.minX, Int(vertex.x)), max(ring.maxX, Int(vertex.x)))
        (ring.minY, ring.maxY) = (min(ring.minY, Int(vertex.y)), max(ring.maxY, Int(vertex.y)))
      }
      let limits = -Self.positionLimit...Self.positionLimit
      guard limits.contains(ring.minX), limits.contains(ring.maxX), limits.contains(ring.minY),
        limits.contains(ring.maxY)
      else { continue }
      rings.append(ring)
    }
  }

  /// Returns groups of outer rings, by their parts, without overlaps inside a group; `nil` if one
  /// group holds all rings.
  mutating func groups() -> [Set<Int>]? {
    let pairs = overlappingPairs()
    guard !pairs.isEmpty else { return nil }
    var neighbours: [Int: Set<Int>] = [:]
    for (one, other) in pairs {
      neighbours[one, default: []].insert(other)
      neighbours[other, default: []].insert(one)
    }
    var groups: [Set<Int>] = []
    // Larger rings come first, so that a ring finds the group of the ring around it.
    let order = rings.indices.sorted { (-rings[$0].size, $0) < (-rings[$1].size, $1) }
    for (place, ring) in order.enumerated() {
      let around = order[..<place].last { isInside(rings[ring], rings[$0]) }
      let free = { (group: Set<Int>) in group.isDisjoint(with: neighbours[ring] ?? []) }
      let group =
        groups.firstIndex { group in around.map(group.contains) ?? false && free(group) }
        ?? groups.firstIndex(where: free)
      if let group { groups[group].insert(ring) } else { groups.append([ring]) }
    }
    // Rings that were not compared stay with the first group.
    let compared = Set(rings.map(\.part))
    let others = feature.parts.indices.filter {
      feature.parts[$0] == .outerRing && !compared.contains($0)
    }
    var byPart = groups.map { group in Set(group.map { rings[$0].part }) }
    byPart[0].formUnion(others)
    return byPart.sorted { ($0.min() ?? 0) < ($1.min() ?? 0) }
  }

  /// Returns the pairs of rings that overlap, found from west to east.
  private mutating func overlappingPairs() -> [(Int, Int)] {
    let order = rings.indices.sorted { (rings[$0].minX, $0) < (rings[$1].minX, $1) }
    var open: [Int] = []
    var pairs: [(Int, Int)] = []
    for ring in order {
      open.removeAll { rings[$0].maxX <= rings[ring].minX }
      for other in open where rings[ring].meets(rings[other]) && overlap(rings[ring], rings[other])
      {
        pairs.append((ring, other))
      }
      comparisons += open.count
      guard comparisons < Self.comparisonLimit else { return pairs }
      open.append(ring)
    }
    return pairs
  }

  // MARK: Two rings

  /// Whether two rings cross, run along each other with one inside the other, or are the same.
  private mutating func overlap(_ one: Ring, _ other: Ring) -> Bool {
    let window = Ring(
      part: 0, minX: max(one.minX, other.minX), minY: max(one.minY, other.minY),
      maxX: min(one.maxX, other.maxX), maxY: min(one.maxY, other.maxY))
    let (edges, otherEdges) = (edges(of: one, near: window), edges(of: other, near: window))
    comparisons += (edges.count + 1) * (otherEdges.count + 1)
    guard comparisons < Self.comparisonLimit, !edges.isEmpty, !otherEdges.isEmpty else {
      return false
    }
    var touch = false
    var (stops, otherStops) = ([[Position]](), [[Position]](repeating: [], count: otherEdges.count))
    for edge in edges {
      var stopsOfEdge: [Position] = []
      for (index, other) in otherEdges.enumerated() {
        let (c, d) = (Self.side(edge.a, edge.b, other.a), Self.side(edge.a, edge.b, other.b))
        let (a, b) = (Self.side(other.a, other.b, edge.a), Self.side(other.a, other.b, edge.b))
        if c * d < 0, a * b < 0 { return true }
        if c == 0, Self.isOn(other.a, edge) { stopsOfEdge.append(other.a) }
        if d == 0, Self.isOn(other.b, edge) { stopsOfEdge.append(other.b) }
        if a == 0, Self.isOn(edge.a, other) { otherStops[index].append(edge.a) }
        if b == 0, Self.isOn(edge.b, other) { otherStops[index].append(edge.b) }
        touch = touch || !otherStops[index].isEmpty
      }
      touch = touch || !stopsOfEdge.isEmpty
      stops.append(stopsOfEdge)
    }
    guard touch else { return false }
    let places = places(of: edges, stops, of: one, in: other)
    let otherPlaces = self.places(of: otherEdges, otherStops, of: other, in: one)
    guard comparisons < Self.comparisonLimit else { return false }
    return places.areOverlapping || otherPlaces.areOverlapping
      || !(places.inside || places.outside)
  }

  private typealias Edge = (a: Position, b: Position)

  /// Returns the edges of a ring whose boxes touch a window.
  private func edges(of ring: Ring, near window: Ring) -> [Edge] {
    let range = feature.vertexRange(ring.part)
    guard var previous = range.last.map({ position($0) }) else { return [] }
    var edges: [Edge] = []
    for index in range {
      let next = position(index)
      if min(previous.x, next.x) <= window.maxX, max(previous.x, next.x) >= window.minX,
        min(previous.y, next.y) <= window.maxY, max(previous.y, next.y) >= window.minY
      {
        edges.append((previous, next))
      }
      previous = next
    }
    return edges
  }

  private func position(_ index: Int) -> Position {
    (Int(feature.vertices[index].x), Int(feature.vertices[index].y))
  }

  /// Returns where the edges of a ring lie relative to another ring. Edges are divided where they
  /// touch it; none crosses it.
  ///
  /// - Parameter edges: those near the other ring; all others lie outside.
  private mutating func places(
    of edges: [Edge], _ stops: [[Position]], of own: Ring, in ring: Ring
  ) -> Places {
    var places = Places()
    places.outside = edges.count < feature.vertexRange(own.part).count
    for (edge, stops) in zip(edges, stops) {
      let along = stops.sorted { Self.distance(edge.a, $0) < Self.distance(edge.a, $1) }
      var start = edge.a
      for end in along + [edge.b] where end != start {
        comparisons += feature.vertexRange(ring.part).count
        guard comparisons < Self.comparisonLimit else { return places }
        switch place(ofDoubled: (start.x + end.x, start.y + end.y), in: ring) {
        case .inside: places.inside = true
        case .outside: places.outside = true
        case .along: places.along = true
        }
        start = end
      }
      if places.areOverlapping { return places }
    }
    return places
  }

  private enum Place { case inside, outside, along }

  /// Returns the place of a point in doubled units relative to a ring.
  private func place(ofDoubled point: Position, in ring: Ring) -> Place {
    let range = feature.vertexRange(ring.part)
    guard let last = range.last else { return .outside }
    func doubled(_ index: Int) -> Position {
      (2 * Int(feature.vertices[index].x), 2 * Int(feature.vertices[index].y))
    }
    var previous = doubled(last)
    var isInside = false
    for index in range {
      let next = doubled(index)
      let side = Self.side(previous, next, point)
      if side == 0, Self.isOn(point, (previous, next)) { return .along }
      if (previous.y > point.y) != (next.y > point.y), (side < 0) == (next.y < previous.y) {
        isInside.toggle()
      }
      previous = next
    }
    return isInside ? .inside : .outside
  }

  /// Whether a ring lies inside another one, on which its first vertex does not lie.
  private mutating func isInside(_ ring: Ring, _ outer: Ring) -> Bool {
    guard ring.part != outer.part, outer.contains(ring) else { return false }
    comparisons += feature.vertexRange(outer.part).count
    guard comparisons < Self.comparisonLimit else { return false }
    let first = position(feature.vertexRange(ring.part).lowerBound)
    return place(ofDoubled: (2 * first.x, 2 * first.y), in: outer) == .inside
  }

  /// Returns −1, 0 or 1 for a point on one side of a line, on it, or on the other side.
  private static func side(_ a: Position, _ b: Position, _ point: Position) -> Int {
    ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)).signum()
  }

  /// Whether a point on the line of an edge lies on the edge.
  private static func isOn(_ point: Position, _ edge: Edge) -> Bool {
    min(edge.a.x, edge.b.x) <= point.x && point.x <= max(edge.a.x, edge.b.x)
      && min(edge.a.y, edge.b.y) <= point.y && point.y <= max(edge.a.y, edge.b.y)
  }

  private static func distance(_ a: Position, _ b: Position) -> Int {
    abs(a.x - b.x) + abs(a.y - b.y)
  }
}
