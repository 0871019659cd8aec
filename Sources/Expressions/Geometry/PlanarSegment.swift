/// A straight line between two positions.
struct PlanarSegment: Sendable {
  var start: PlanarPoint
  var end: PlanarPoint

  init(_ start: PlanarPoint, _ end: PlanarPoint) {
    self.start = start
    self.end = end
  }

  var box: MeasuredBox { MeasuredBox(CollectionOfOne(start)).including(end) }

  /// Whether a position lies on the segment, ends included; exact, without a tolerance.
  func holds(_ position: PlanarPoint) -> Bool {
    let toStart = position - start
    let toEnd = position - end
    return cross(toStart, toEnd) == 0 && toStart.x * toEnd.x <= 0 && toStart.y * toEnd.y <= 0
  }

  /// Whether a ray from a position towards greater x passes through the segment.
  ///
  /// Half-open in y, so a ray through a corner counts one of its two edges.
  func isCrossedByRay(from position: PlanarPoint) -> Bool {
    guard (start.y > position.y) != (end.y > position.y) else { return false }
    let rise = end.y - start.y
    return position.x < (end.x - start.x) * (position.y - start.y) / rise + start.x
  }

  /// Whether two segments cross at a point in the interior of both; touching and overlapping do not
  /// count.
  func crosses(_ other: PlanarSegment) -> Bool {
    separates(other.start, other.end) && other.separates(start, end)
  }

  /// Whether two positions lie strictly on different sides of the line through the segment.
  private func separates(_ first: PlanarPoint, _ second: PlanarPoint) -> Bool {
    let along = end - start
    let left = cross(first - start, along)
    let right = cross(second - start, along)
    return (left > 0 && right < 0) || (left < 0 && right > 0)
  }

  private func cross(_ first: PlanarPoint, _ second: PlanarPoint) -> Double {
    first.x * second.y - second.x * first.y
  }
}

extension MeasuredBox {
  fileprivate func including(_ position: PlanarPoint) -> MeasuredBox {
    var box = self
    box.include(position)
    return box
  }
}
