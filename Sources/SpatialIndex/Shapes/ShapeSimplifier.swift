/// A simplifier that computes the tolerance up to which each vertex of a source survives
/// simplification.
///
/// Lines and rings are cut into arcs at junctions (``ShapeTopology``), and every arc is walked in
/// a direction that depends only on its positions. So all shapes that share a border drop the same
/// vertices.
struct ShapeSimplifier {
  /// The minimum number of vertices that a ring keeps, if it has as many, so that a thin rectangle
  /// keeps its area.
  static let leastRing = 4

  private let vertices: ContiguousArray<WorldVertex>
  private let topology: ShapeTopology
  private var importances: ContiguousArray<Float>
  private var arc = ArcImportance()

  /// Returns the importance of each vertex, in world units; see ``WorldShapes/importances``.
  ///
  /// - Complexity: O(n log n) for n vertices; an arc costs its length times
  ///   ``ArcImportance/lengthLimit`` at most.
  static func importances(
    _ vertices: ContiguousArray<WorldVertex>, parts: ContiguousArray<ShapePart>,
    vertexEnds: ContiguousArray<Int>
  ) -> ContiguousArray<Float> {
    let topology = ShapeTopology(vertices, parts: parts, vertexEnds: vertexEnds)
    var simplifier = ShapeSimplifier(
      vertices: vertices, topology: topology,
      importances: ContiguousArray(repeating: 0, count: vertices.count))
    var start = 0
    for part in parts.indices {
      let range = start..<vertexEnds[part]
      if parts[part].isRing {
        simplifier.measureRing(range)
      } else {
        simplifier.measureLine(range)
      }
      start = range.upperBound
    }
    topology.level(&simplifier.importances)
    return simplifier.importances
  }

  private mutating func measureLine(_ range: Range<Int>) {
    var start = range.lowerBound
    for index in range.dropFirst() where topology.isJunction[index] {
      measureArc(range, from: start, edges: index - start)
      start = index
    }
  }

  private mutating func measureRing(_ range: Range<Int>) {
    let anchors = ringAnchors(range)
    for (place, anchor) in anchors.enumerated() {
      let next = place + 1 < anchors.count ? anchors[place + 1] : anchors[0] + range.count
      measureArc(range, from: anchor, edges: next - anchor)
    }
    keepLeastRing(range)
  }

  /// Returns the vertices at which a ring is cut, ascending: its junctions. A ring without
  /// junctions is cut at its first position in the order of the globe and at the vertex farthest
  /// from it, so that equal rings are cut alike.
  private func ringAnchors(_ range: Range<Int>) -> [Int] {
    let junctions = range.filter { topology.isJunction[$0] }
    guard junctions.isEmpty else { return junctions }
    var first = range.lowerBound
    for index in range where vertices[index].precedes(vertices[first]) { first = index }
    let origin = vertices[first]
    var farthest = first
    var distance = -1.0
    for index in range {
      let dx = Double(vertices[index].x - origin.x)
      let dy = Double(vertices[index].y - origin.y)
      let square = dx * dx + dy * dy
      if square > distance
        || (square == distance && vertices[index].precedes(vertices[farthest]))
      {
        farthest = index
        distance = square
      }
    }
    return first == farthest ? [first] : [min(first, farthest), max(first, farthest)]
  }

  /// Measures the inner vertices of an arc, which may extend over a ring's end, and keeps its ends.
  private mutating func measureArc(_ range: Range<Int>, from start: Int, edges: Int) {
    let count = range.count
    func index(_ place: Int) -> Int {
      let index = start + place
      return index < range.upperBound ? index : index - count
    }
    importances[index(0)] = .infinity
    importances[index(edges)] = .infinity
    guard edges > 1 else { return }
    let isReversed = isBackward(edges: edges, index)
    let origin = vertices[index(isReversed ? edges : 0)]
    arc.begin(edges: edges)
    for place in 0...edges {
      let vertex = vertices[index(isReversed ? edges - place : place)]
      arc.set(place, x: Double(vertex.x - origin.x), y: Double(vertex.y - origin.y))
    }
    arc.measure()
    for place in 1..<edges {
      importances[index(isReversed ? edges - place : place)] = arc.importances[place]
    }
  }

  /// Whether the arc is to be walked from its end: its ends determine this, or the next vertices
  /// inward.
  private func isBackward(edges: Int, _ index: (Int) -> Int) -> Bool {
    for place in 0...(edges / 2) {
      let head = vertices[index(place)]
      let tail = vertices[index(edges - place)]
      if !head.isSamePlace(as: tail) { return tail.precedes(head) }
    }
    return false
  }

  /// Makes a ring keep its most important vertices, so that it never becomes a line.
  private mutating func keepLeastRing(_ range: Range<Int>) {
    var kept = range.reduce(0) { $0 + (importances[$1] == .infinity ? 1 : 0) }
    while kept < min(Self.leastRing, range.count) {
      var best: Int?
      for index in range where importances[index] < .infinity {
        guard let other = best else {
          best = index
          continue
        }
        let isTie = importances[index] == importances[other]
        if importances[index] > importances[other]
          || (isTie && vertices[index].precedes(vertices[other]))
        {
          best = index
        }
      }
      guard let best else { return }
      importances[best] = .infinity
      kept += 1
    }
  }
}
