/// A stroker that follows a run of vertices and paints its edges, joins, caps and dashes for one
/// pass.
struct LineStroker {
  private(set) var brush: StrokeBrush
  private let plan: StrokePlan
  private let pass: StrokePass
  private let isDashed: Bool

  init(brush: StrokeBrush, plan: StrokePlan, pass: StrokePass) {
    self.brush = brush
    self.plan = plan
    self.pass = pass
    isDashed = plan.dashes != nil
  }

  /// Paints a run.
  ///
  /// - Complexity: O(vertices + pixels near the line).
  mutating func stroke(_ run: StrokeRun) {
    var walk = EdgeWalk(run, isMeasured: isDashed)
    guard var current = walk.next() else { return strokeDot(run) }
    let isClosed = run.isClosed && walk.edgeCount > 1
    let first = current
    if isClosed {
      if var last = walk.last {
        if turnsBack(last, current) {
          current.start = .cut(0)
        } else if !pass.isSymmetric {
          StrokeEdge.bisect(&last, &current)
        }
      }
    } else if run.hasStart {
      current.start = cap
      paintDisk(current, at: 0, if: true)
    }
    while var following = walk.next() {
      join(&current, &following)
      paint(current)
      current = following
    }
    if isClosed {
      var closing = first
      join(&current, &closing)
    } else if run.hasEnd {
      current.end = cap
      paintDisk(current, at: current.length, if: true)
    }
    paint(current)
  }

  /// Paints the join between two edges.
  private mutating func join(_ before: inout StrokeEdge, _ after: inout StrokeEdge) {
    guard !turnsBack(before, after) else {
      before.end = .cut(0)
      after.start = .cut(0)
      return
    }
    if !pass.isSymmetric { StrokeEdge.bisect(&before, &after) }
    guard let join = StrokeJoin(before, after, style: plan.style), isDash(at: after.startDistance)
    else { return }
    if pass.isSymmetric, let profile = pass.right {
      brush.paint(join, profile, side: .both, outset: pass.outset)
    } else {
      if let right = pass.right {
        brush.paint(join, right, side: .right, outset: pass.outset)
      }
      if let left = pass.left {
        brush.paint(join, left, side: .left, outset: pass.outset)
      }
    }
  }

  private func turnsBack(_ before: StrokeEdge, _ after: StrokeEdge) -> Bool {
    plan.style.join != .round && StrokeJoin.isReversal(before, after)
  }

  private mutating func paint(_ edge: StrokeEdge) {
    let dashes = isDashed ? plan.dashes : nil
    if pass.isSymmetric, let profile = pass.right {
      brush.paint(edge, profile, side: .both, dashes: dashes)
    } else {
      if let right = pass.right { brush.paint(edge, right, side: .right, dashes: dashes) }
      if let left = pass.left { brush.paint(edge, left, side: .left, dashes: dashes) }
    }
    if let dashes, pass.disk != nil { paintDashEnds(edge, dashes) }
  }

  /// Paints the round ends of an edge's dashes.
  private mutating func paintDashEnds(_ edge: StrokeEdge, _ dashes: DashPattern) {
    // Ends this dense cannot be distinguished.
    guard dashes.period >= 0.25, let disk = pass.disk else { return }
    let start = Double(edge.startDistance) / 256
    let reach = disk.reach + pass.diskOffset.magnitude + 2
    guard let near = edge.stretch(within: reach, width: brush.width, height: brush.height)
    else { return }
    let end = start + edge.length.rounded() / 256
    let first = max(start, start + near.lowerBound - 1)
    let last = min(end, start + near.upperBound + 1)
    guard first < last else { return }
    dashes.forEachEnd(in: first..<last) { distance in
      paintDisk(edge, at: min((distance - start) * 256, edge.length), if: false)
    }
  }

  /// Paints a round cap.
  ///
  /// - Parameters:
  ///   - along: the distance from the edge's start, in 1/256 px.
  ///   - isEnd: whether it is the line's end, which has a cap only if a dash reaches it.
  private mutating func paintDisk(_ edge: StrokeEdge, at along: Double, if isEnd: Bool) {
    guard let disk = pass.disk else { return }
    if isEnd, let dashes = plan.dashes,
      !dashes.isDash(at: (Double(edge.startDistance) + along) / 256)
    {
      return
    }
    let ratio = along / edge.length
    let aside = pass.diskOffset * 256 / edge.length
    brush.paintDisk(
      edge.x, edge.y, dx: Double(edge.dx) * ratio - Double(edge.dy) * aside,
      dy: Double(edge.dy) * ratio + Double(edge.dx) * aside, disk)
  }

  /// Paints a line of zero length: its caps alone.
  private mutating func strokeDot(_ run: StrokeRun) {
    guard let point = run.points.first, run.hasStart, run.hasEnd, plan.style.cap != .butt else {
      return
    }
    let beside = Path.Point(x: point.x < .max ? point.x + 1 : point.x - 1, y: point.y)
    guard
      var edge = StrokeEdge(from: point, to: beside, startDistance: run.startDistance),
      isDash(at: run.startDistance)
    else { return }
    if plan.style.cap == .round { return paintDisk(edge, at: 0, if: true) }
    edge.start = cap
    edge.end = cap
    paint(edge)
  }

  private func isDash(at distance: Int64) -> Bool {
    guard isDashed, let dashes = plan.dashes else { return true }
    return dashes.isDash(at: Double(distance) / 256)
  }

  /// The kind of end of an edge at the line's end; a round cap's disk is painted in addition.
  private var cap: StrokeEdge.End {
    plan.style.cap == .square ? .cut(plan.squareExtent) : .cut(0)
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
