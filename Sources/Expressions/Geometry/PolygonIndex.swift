import Tiling

/// A polygon with an index of its edges by y.
struct PolygonIndex: Sendable {
  /// The edges of all rings, as listed; an open ring stays open.
  private let edges: PlanarEdges

  var box: PlanarBox { edges.box }

  /// - Complexity: O(edges × bands that each passes through).
  init(_ rings: [[PlanarPoint]]) {
    edges = PlanarEdges(
      rings.flatMap { ring in
        zip(ring, ring.dropFirst()).map { PlanarEdge(from: $0, to: $1) }
      }, isIndexed: true)
  }

  /// Whether a position is inside, by the number of edges that a ray crosses; holes are outside.
  ///
  /// - Parameter onEdge: the answer for a position on an edge.
  /// - Complexity: O(edges in the band).
  func contains(_ position: PlanarPoint, onEdge: Bool = false) -> Bool {
    guard box.contains(position) else { return false }
    var isInside = false
    var isOnEdge = false
    edges.visit(atLatitude: position.y) { edge in
      if edge.holds(position) { isOnEdge = true }
      if edge.isCrossedByRay(from: position) { isInside.toggle() }
    }
    return isOnEdge ? onEdge : isInside
  }

  /// Whether a line lies inside: all its positions do, and no edge crosses it.
  ///
  /// - Complexity: O(positions × edges in the bands that a segment passes through).
  func contains(line: [PlanarPoint]) -> Bool {
    guard line.allSatisfy({ contains($0) }) else { return false }
    return !zip(line, line.dropFirst()).contains { start, end in
      let edge = PlanarEdge(from: start, to: end)
      return edges.contains(near: edge.box) { $0.crosses(edge) }
    }
  }
}
