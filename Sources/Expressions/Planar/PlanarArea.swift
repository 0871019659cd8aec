import Tiling

/// The location of a position relative to a geometry.
enum PlanarLocation: Sendable { case interior, boundary, exterior }

/// A polygon with its holes; the interior is what an odd number of rings surrounds.
struct PlanarArea: Sendable {
  let edges: PlanarEdges
  /// One position of the outer ring.
  let corner: PlanarPoint

  var box: PlanarBox { edges.box }

  /// - Complexity: O(edges at that latitude) with an index, O(edges) without.
  func location(of position: PlanarPoint) -> PlanarLocation {
    guard box.contains(position) else { return .exterior }
    var isInside = false
    var isOnEdge = false
    edges.visit(atLatitude: position.y) { edge in
      if edge.contains(position) { isOnEdge = true }
      let isUpward = edge.from.y <= position.y
      guard isUpward != (edge.to.y <= position.y) else { return }
      let side = PlanarOrientation.sign(edge.from, edge.to, position)
      if isUpward ? side > 0 : side < 0 { isInside.toggle() }
    }
    return isOnEdge ? .boundary : isInside ? .interior : .exterior
  }

  /// Returns the location of the interior of a piece that meets the boundary only at its ends, or
  /// runs along it.
  func location(ofPiece piece: PlanarEdge) -> PlanarLocation {
    let (start, end) = (piece.from, piece.to)
    let isAlong = edges.contains(near: piece.box) { $0.contains(start) && $0.contains(end) }
    return isAlong ? .boundary : isInsideEast(of: piece) ? .interior : .exterior
  }

  /// Whether the area just east of a piece's middle is inside; the piece may run along the boundary
  /// but not along a circle of latitude.
  func isInsideEast(of piece: PlanarEdge) -> Bool {
    let (start, end) = (piece.from, piece.to)
    var isInside = false
    // Rounding preserves the order: an edge that reaches the middle also reaches the rounded
    // middle.
    let latitude = start.y / 2 + end.y / 2
    edges.visit(atLatitude: latitude) { edge in
      let isUpward = !PlanarOrientation.isMiddle(
        of: start.y, end.y, below: edge.from.y)
      let isDownward = !PlanarOrientation.isMiddle(
        of: start.y, end.y, below: edge.to.y)
      guard isUpward != isDownward else { return }
      let side = PlanarOrientation.signOfMiddle(edge.from, edge.to, start, end)
      if isUpward ? side > 0 : side < 0 { isInside.toggle() }
    }
    return isInside
  }

  func shifted(by degrees: Double) -> PlanarArea {
    PlanarArea(
      edges: PlanarEdges(edges.all.map { $0.shifted(by: degrees) }, isIndexed: false),
      corner: corner.shifted(by: degrees))
  }
}
