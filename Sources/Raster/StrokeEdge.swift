/// An edge of a line: vertices in 1/256 px.
struct StrokeEdge {
  let x: Int
  let y: Int
  let dx: Int
  let dy: Int

  /// The length in 1/256 px.
  let length: Double

  /// The unit vector to the right of the edge's direction.
  let normal: SIMD2<Double>

  /// The distances of both vertices from the line's start, in px.
  let startDistance: Double
  let endDistance: Double

  /// The limit to which coordinates are clamped, so that products of their differences stay within
  /// 64 bits.
  private static let limit = 1 << 29

  /// Creates an edge; nil if both vertices are equal.
  ///
  /// - Parameters:
  ///   - startDistance: in 1/256 px.
  ///   - endDistance: likewise; `nil` if it follows from the length.
  init?(
    from first: Path.Point, to second: Path.Point, startDistance: Int64, endDistance: Int64? = nil
  ) {
    func held(_ value: Int32) -> Int { min(max(Int(value), -StrokeEdge.limit), StrokeEdge.limit) }
    x = held(first.x)
    y = held(first.y)
    dx = held(second.x) - x
    dy = held(second.y) - y
    guard dx != 0 || dy != 0 else { return nil }
    length = Double(dx * dx + dy * dy).squareRoot()
    normal = SIMD2(-Double(dy), Double(dx)) / length
    self.startDistance = Double(startDistance) / 256
    self.endDistance = endDistance.map { Double($0) / 256 } ?? self.startDistance + length / 256
  }
}

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

  /// The number of edges, including edges of zero length.
  var edgeCount: Int { points.isEmpty ? 0 : isClosed ? points.count : points.count - 1 }

  /// The last edge with non-zero length, with distances that are not valid.
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
    guard let distances, isMeasured else {
      return StrokeEdge(from: points[index], to: following(index), startDistance: distance)
    }
    // Clamped to the range of distances; see the limit above.
    func held(_ value: Int64) -> Int64 { min(max(value, -1 << 50), 1 << 50) }
    let start = held(distances[index])
    let end = index + 1 < points.count ? held(distances[index + 1]) : start
    // Distances are rounded at vertices; they begin anew at a ring's first vertex and at borders.
    let edge = StrokeEdge(from: points[index], to: following(index), startDistance: start)
    guard let edge, abs(Double(end) / 256 - edge.endDistance) < 2 else { return edge }
    return StrokeEdge(
      from: points[index], to: following(index), startDistance: start,
      endDistance: end)
  }

  private func following(_ index: Int) -> Path.Point {
    points[index + 1 < points.count ? index + 1 : 0]
  }
}
