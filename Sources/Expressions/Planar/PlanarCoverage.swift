import Tiling

/// Containment of one geometry in another.
///
/// An edge is cut only at corners of the other geometry, which are exact: where it crosses the
/// boundary of a valid polygon anywhere else, it leaves the polygon. So nothing is rounded. In a
/// collection, a line may run through several members but a polygon must lie in one.
extension PlanarGeometry {
  /// Whether all of this geometry belongs to the other, and their interiors meet.
  ///
  /// - Complexity: O(edges × edges) at worst; boxes and bands exclude what is disjoint.
  func isWithin(_ other: PlanarGeometry) -> Bool {
    var meetsInterior = false
    for part in parts {
      let turns = part.box.turns(toTouch: other.box)
      var isCovered = false
      for turn in turns {
        let coverage = other.coverage(of: part.shifted(by: turn))
        if coverage != .none { isCovered = true }
        if coverage == .inside { meetsInterior = true }
      }
      guard isCovered else { return false }
    }
    return meetsInterior
  }

  /// Whether both geometries are the same set of positions.
  func isEqual(to other: PlanarGeometry) -> Bool { isWithin(other) && other.isWithin(self) }

  /// The extent to which the geometry contains a part.
  private enum Coverage {
    case none
    /// All of it, but only along the boundary.
    case alongBoundary
    /// All of it, some of it in the interior.
    case inside
  }

  private func coverage(of part: PlanarPart) -> Coverage {
    switch part {
    case .point(let point):
      return switch location(of: point) {
      case .exterior: .none
      case .boundary: .alongBoundary
      case .interior: .inside
      }
    case .line(let line):
      guard box.contains(line.edges.box) else { return .none }
      var result = Coverage.alongBoundary
      for edge in line.edges.all {
        switch coverage(of: edge) {
        case .none: return .none
        case .alongBoundary: break
        case .inside: result = .inside
        }
      }
      return result
    case .area(let area):
      guard box.contains(area.box) else { return .none }
      return areas.contains { $0.covers(area) } ? .inside : .none
    }
  }

  private var areas: [PlanarArea] {
    parts.compactMap { if case .area(let area) = $0 { area } else { nil } }
  }

  private var lines: [PlanarLine] {
    parts.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  /// Returns the location of a position: the end of an odd number of lines is boundary, the rest of
  /// a line interior (OGC 06-103r4, 6.1.8.1).
  private func location(of position: PlanarPoint) -> PlanarLocation {
    let box = PlanarBox(position, position)
    var result = PlanarLocation.exterior
    var ends = 0
    var isOnLine = false
    for part in parts where part.box.touches(box) {
      switch part {
      case .point(let point): if point == position { return .interior }
      case .line(let line):
        if line.edges.contains(near: box, where: { $0.contains(position) }) { isOnLine = true }
        ends += (line.start == position ? 1 : 0) + (line.end == position ? 1 : 0)
      case .area(let area):
        let location = area.location(of: position)
        if location == .interior { return .interior }
        if location == .boundary { result = .boundary }
      }
    }
    guard isOnLine else { return result }
    return ends % 2 == 0 ? .interior : .boundary
  }

  /// Returns the extent to which an edge of a line belongs to polygons and lines together.
  private func coverage(of edge: PlanarEdge) -> Coverage {
    var cuts: [PlanarPoint] = []
    let areas = areas.filter { area in
      area.box.touches(edge.box) && !area.edges.crosses(edge, cuts: &cuts)
    }
    let lines = lines.filter { $0.edges.box.touches(edge.box) }
    for line in lines { _ = line.edges.crosses(edge, cuts: &cuts) }
    var result = Coverage.alongBoundary
    for piece in edge.pieces(cutAt: cuts) {
      let locations = areas.map { $0.location(ofPiece: piece) }
      let isOnLine = lines.contains { line in
        line.edges.contains(near: piece.box) {
          $0.contains(piece.from) && $0.contains(piece.to)
        }
      }
      if locations.contains(.interior) || isOnLine {
        result = .inside
      } else if !locations.contains(.boundary) {
        return .none
      }
    }
    return result
  }
}

extension PlanarArea {
  /// Whether another polygon lies in this one, boundaries included.
  fileprivate func covers(_ other: PlanarArea) -> Bool {
    guard box.contains(other.box) else { return false }
    var sharesBoundary = true
    var sharedPiece: PlanarEdge?
    for edge in other.edges.all {
      var cuts: [PlanarPoint] = []
      if edges.crosses(edge, cuts: &cuts) { return false }
      for piece in edge.pieces(cutAt: cuts) {
        switch location(ofPiece: piece) {
        case .exterior: return false
        case .interior: sharesBoundary = false
        case .boundary: if piece.from.y != piece.to.y { sharedPiece = piece }
        }
      }
    }
    // Its whole boundary is boundary here: it may fill a hole.
    if sharesBoundary, let piece = sharedPiece,
      isInsideEast(of: piece) != other.isInsideEast(of: piece)
    {
      return false
    }
    // A hole of this polygon may be inside the other.
    return !edges.all.contains { edge in
      guard edge.box.touches(other.box) else { return false }
      var cuts: [PlanarPoint] = []
      if other.edges.crosses(edge, cuts: &cuts) { return true }
      return edge.pieces(cutAt: cuts).contains { other.location(ofPiece: $0) == .interior }
    }
  }
}

extension PlanarEdges {
  /// Whether an edge crosses one of these edges away from all corners; collects the corners that
  /// lie on it.
  fileprivate func crosses(_ edge: PlanarEdge, cuts: inout [PlanarPoint]) -> Bool {
    var found: [PlanarPoint] = []
    var crosses = false
    _ = contains(near: edge.box) { own in
      switch edge.meeting(own) {
      case .apart: break
      case .crossing: crosses = true
      case .touching:
        for corner in [own.from, own.to] where edge.contains(corner) { found.append(corner) }
      }
      return false
    }
    cuts += found
    return crosses
  }
}
