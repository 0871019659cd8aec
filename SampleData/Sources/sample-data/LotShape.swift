/// The land of one lot: polygons, each an outer ring counterclockwise and holes clockwise.
///
/// Rings do not repeat their first point. Lots of a block share every corner on a common edge.
struct LotShape {
  var polygons: [[[PlanePoint]]] = []

  /// Twice the area in square hundredths of a foot.
  var doubleArea: Int {
    polygons.reduce(0) { sum, rings in rings.reduce(sum) { $0 + Self.doubleArea($1) } }
  }

  /// Positive counterclockwise.
  static func doubleArea(_ ring: [PlanePoint]) -> Int {
    guard var previous = ring.last else { return 0 }
    var sum = 0
    for point in ring {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum
  }

  /// Orders rings into polygons: each clockwise one is a hole of the ring around it.
  init(rings: [[PlanePoint]]) {
    polygons = rings.filter { Self.doubleArea($0) > 0 }.map { [$0] }
    for hole in rings where Self.doubleArea(hole) < 0 {
      // A corner that touches the ring around it says nothing.
      let around = polygons.firstIndex { rings in
        let inner = hole.first { !rings[0].contains($0) }
        return inner.map { Self.contains(rings[0], $0) } ?? false
      }
      if let around { polygons[around].append(hole) }
    }
  }

  private static func contains(_ ring: [PlanePoint], _ point: PlanePoint) -> Bool {
    var isInside = false
    var previous = ring[ring.count - 1]
    for corner in ring {
      if (corner.y > point.y) != (previous.y > point.y) {
        let side = Cut(start: previous, end: corner).side(point)
        if (side > 0) == (corner.y > previous.y) { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }
}
