/// Turns the rectangles of a block's plan into its lots' shapes.
///
/// Each rectangle first gets the corners of its neighbours on its edges, so that common edges have
/// equal ends; then the block's cuts go through all of them; then the edges that two pieces of one
/// lot share cancel out, and the rest are its rings.
struct LotShaper {
  /// What is smaller is left over where a diagonal cuts a block, and is nobody's: 200 square feet.
  private static let leastDoubleArea = 2 * 200 * 100 * 100

  private var columns: [Int: [Int]] = [:]
  private var rows: [Int: [Int]] = [:]

  /// The lots' shapes in the plan's order; one that nothing is left of has no polygons.
  ///
  /// - Complexity: O(pieces · corners on an edge).
  static func shapes(of plan: LotPlan, cuts: [Cut]) -> [LotShape] {
    let shaper = LotShaper(plan.pieces)
    var edges = Array(repeating: [[PlanePoint]](), count: plan.lots.count)
    for piece in plan.pieces {
      var ring = shaper.ring(of: piece)
      for cut in cuts { ring = cut.kept(of: ring) }
      if LotShape.doubleArea(ring) >= leastDoubleArea { edges[piece.lot].append(ring) }
    }
    let rings = edges.map(joined)
    let corners = Set(rings.joined().flatMap(turns))
    return rings.map { own in
      LotShape(rings: own.map { ring in ring.filter { corners.contains($0) } })
    }
  }

  private init(_ pieces: [LotPiece]) {
    for piece in pieces {
      for x in [piece.west, piece.east] { columns[x, default: []] += [piece.south, piece.north] }
      for y in [piece.south, piece.north] { rows[y, default: []] += [piece.west, piece.east] }
    }
    columns = columns.mapValues { Array(Set($0)).sorted() }
    rows = rows.mapValues { Array(Set($0)).sorted() }
  }

  /// A rectangle counterclockwise, with every corner of the plan that lies on its edges.
  private func ring(of piece: LotPiece) -> [PlanePoint] {
    let south = rows[piece.south, default: []].filter { piece.west..<piece.east ~= $0 }
    let north = rows[piece.north, default: []].filter { piece.west < $0 && $0 <= piece.east }
    let west = columns[piece.west, default: []].filter { piece.south < $0 && $0 <= piece.north }
    let east = columns[piece.east, default: []].filter { piece.south..<piece.north ~= $0 }
    return south.map { PlanePoint(x: $0, y: piece.south) }
      + east.map { PlanePoint(x: piece.east, y: $0) }
      + north.reversed().map { PlanePoint(x: $0, y: piece.north) }
      + west.reversed().map { PlanePoint(x: piece.west, y: $0) }
  }

  /// The rings around pieces that may share edges; each ring's first point is the least.
  private static func joined(_ pieces: [[PlanePoint]]) -> [[PlanePoint]] {
    guard pieces.count > 1 else { return pieces }
    var next: [PlanePoint: [PlanePoint]] = [:]
    for ring in pieces {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        if let back = next[to]?.firstIndex(of: from) {
          next[to]?.remove(at: back)
        } else {
          next[from, default: []].append(to)
        }
      }
    }
    var rings: [[PlanePoint]] = []
    for start in next.keys.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
      while let ring = takeRing(from: start, &next) { rings.append(ring) }
    }
    return rings
  }

  private static func takeRing(
    from start: PlanePoint, _ next: inout [PlanePoint: [PlanePoint]]
  ) -> [PlanePoint]? {
    guard var point = next[start]?.popLast() else { return nil }
    var ring = [start]
    while point != start {
      guard let choices = next[point], !choices.isEmpty else { return nil }
      // Where two parts of a lot touch in a corner, the sharpest turn to the left stays on one.
      let way = Cut(start: ring[ring.count - 1], end: point)
      let choice = choices.indices.max { way.side(choices[$0]) < way.side(choices[$1]) } ?? 0
      ring.append(point)
      point = next[point]?.remove(at: choice) ?? start
    }
    return ring
  }

  /// The points of a ring where it does not go straight on.
  private static func turns(_ ring: [PlanePoint]) -> [PlanePoint] {
    ring.indices.filter { index in
      let before = ring[(index + ring.count - 1) % ring.count]
      let after = ring[(index + 1) % ring.count]
      return Cut(start: before, end: ring[index]).side(after) != 0
    }.map { ring[$0] }
  }
}
