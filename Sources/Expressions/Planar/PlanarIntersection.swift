import Tiling

/// Intersection of geometries.
extension PlanarGeometry {
  /// Whether the geometries share a position, boundaries included.
  ///
  /// - Complexity: O(edges × edges) at worst; boxes and bands exclude what is disjoint.
  func intersects(_ other: PlanarGeometry) -> Bool {
    parts.contains { part in
      part.box.turns(toTouch: other.box).contains { turn in
        let moved = part.shifted(by: turn)
        let box = moved.box
        return other.parts.contains { $0.box.touches(box) && moved.intersects($0) }
      }
    }
  }
}

extension PlanarPart {
  fileprivate func intersects(_ other: PlanarPart) -> Bool {
    switch (self, other) {
    case (.point(let left), .point(let right)): left == right
    case (.point(let point), .line(let line)), (.line(let line), .point(let point)):
      line.edges.contains(near: PlanarBox(point, point)) { $0.contains(point) }
    case (.point(let point), .area(let area)), (.area(let area), .point(let point)):
      area.location(of: point) != .exterior
    case (.line(let left), .line(let right)): left.edges.meet(right.edges)
    case (.line(let line), .area(let area)), (.area(let area), .line(let line)):
      area.location(of: line.start) != .exterior || line.edges.meet(area.edges)
    // Boundaries that do not meet: one polygon is inside the other, or they are disjoint.
    case (.area(let left), .area(let right)):
      left.edges.meet(right.edges) || left.location(of: right.corner) != .exterior
        || right.location(of: left.corner) != .exterior
    }
  }
}

extension PlanarEdges {
  /// Whether an edge of one meets an edge of the other.
  fileprivate func meet(_ other: PlanarEdges) -> Bool {
    all.contains { edge in
      let reach = edge.box
      guard reach.touches(other.box) else { return false }
      return other.contains(near: reach) { edge.meeting($0) != .apart }
    }
  }
}
