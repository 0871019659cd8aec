/// Turns the rectangles of a block's plan into its lots' shapes.
///
/// Each rectangle first gets the corners of its neighbours on its edges, so that common edges have
/// equal ends; then the block's cuts go through all of them; then the edges that two pieces of one
/// lot share cancel out, and the rest are its rings.
struct LotShaper {
  /// What is smaller is left over where a diagonal cuts a block, and is nobody's: 500 square feet.
  private static let leastDoubleArea = 2 * 500 * 100 * 100

  private var columns: [Int: [Int]] = [:]
  private var rows: [Int: [Int]] = [:]

  /// The shapes of that many lots; one that nothing is left of has no polygons.
  ///
  /// - Complexity: O(pieces · corners on an edge).
  static func shapes(of pieces: [LotPiece], lots: Int, cuts: [Cut]) -> [LotShape] {
    let shaper = LotShaper(pieces)
    var edges = Array(repeating: [[PlanePoint]](), count: lots)
    for piece in pieces {
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

  /// The rings around pieces that may share edges; no ring passes a point twice.
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
    // Sorted, because the order of a dictionary's keys differs from run to run.
    for start in next.keys.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
      var path = [start]
      while let last = path.last, let point = next[last]?.popLast() {
        guard let loop = path.firstIndex(of: point) else {
          path.append(point)
          continue
        }
        // Parts, or a part and its court, may touch in a corner: each closes its own ring there.
        rings.append(Array(path[loop...]))
        path.removeSubrange((loop + 1)...)
      }
    }
    return rings
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
