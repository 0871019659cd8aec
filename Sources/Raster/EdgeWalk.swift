/// A traversal of the edges of a run with non-zero length, in order.
struct EdgeWalk {
  private let points: UnsafeBufferPointer<Path.Point>
  private let isClosed: Bool
  private var index = 0
  private var distance: Int64

  private let distances: UnsafeBufferPointer<Int64>?

  /// Whether distances are needed, which only dashes do.
  private let isMeasured: Bool

  init(_ run: StrokeRun, isMeasured: Bool) {
    self.isMeasured = isMeasured
    points = run.points
    distances = run.distances.flatMap { $0.count >= run.points.count ? $0 : nil }
    isClosed = run.isClosed
    // Far more than the length of any line, and little enough for each dash to have a number.
    distance = min(max(run.startDistance, -1 << 50), 1 << 50)
  }

  /// The number of edges, including those of zero length.
  var edgeCount: Int { points.isEmpty ? 0 : isClosed ? points.count : points.count - 1 }

  /// The last edge with non-zero length; its distance is not known.
  var last: StrokeEdge? {
    for index in stride(from: edgeCount - 1, through: 0, by: -1) {
      if let edge = edge(index) { return edge }
    }
    return nil
  }

  mutating func next() -> StrokeEdge? {
    while index < edgeCount {
      let edge = edge(index)
      if isMeasured { distance &+= StrokeRun.length(from: points[index], to: following(index)) }
      index += 1
      if let edge { return edge }
    }
    return nil
  }

  private func edge(_ index: Int) -> StrokeEdge? {
    // Clamped to the range of distances; see the limit above.
    let start = distances.map { min(max($0[index], -1 << 50), 1 << 50) } ?? distance
    return StrokeEdge(from: points[index], to: following(index), startDistance: start)
  }

  private func following(_ index: Int) -> Path.Point {
    points[index + 1 < points.count ? index + 1 : 0]
  }
}
