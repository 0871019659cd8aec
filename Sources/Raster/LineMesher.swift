/// A mesher that follows a run of vertices and fills the triangles that MapLibre's line bucket makes
/// of it: a strip of pairs of corners, with more of them at bends and ends.
///
/// Triangles overlap at the inner side of bends, as they do in MapLibre, where translucent lines are
/// darker.
struct LineMesher<Shader: StrokeShader> {
  private(set) var brush: StrokeBrush<Shader>
  private let style: StrokeStyle

  /// The distance of the strip's sides from its middle, in px.
  private let outset: Double

  /// The pair of corners at the strip's end; meaningless before the first.
  private var right = StrokeCorner(x: 0, y: 0, across: -1)
  private var left = StrokeCorner(x: 0, y: 0, across: 1)
  private var hasPair = false

  /// Whether edges keep their own sides at bends; see ``evenBend(_:_:_:closesRing:)``.
  private let isEven: Bool

  /// - Parameters:
  ///   - style: bounded.
  ///   - takesGreatest: whether overlapping triangles keep the greatest opacity instead of adding
  ///     up.
  init(
    _ brush: StrokeBrush<Shader>, _ style: StrokeStyle, outset: Double, takesGreatest: Bool = false
  ) {
    // The middle of a line with an offset is not at its vertices, so triangles cannot fan out from
    // them.
    isEven = takesGreatest && style.offset == 0
    self.brush = brush
    self.style = style
    self.outset = outset
  }

  /// Fills a run.
  ///
  /// - Complexity: O(vertices + pixels of the line).
  mutating func fill(_ run: StrokeRun) {
    brush.clip(to: run.window)
    var walk = EdgeWalk(run, isMeasured: Shader.readsAlong)
    guard let first = walk.next() else { return fillDot(run) }
    hasPair = false
    let isClosed = run.isClosed && walk.edgeCount > 1
    if isClosed, let last = walk.last {
      begin(StrokeBend(last, first, style), first)
    } else {
      begin(first, with: run.hasStart ? style.cap : .butt)
    }
    var current = first
    while let next = walk.next() {
      bend(current, next)
      current = next
    }
    if isClosed {
      bend(current, first, closesRing: true)
    } else {
      end(current, with: run.hasEnd ? style.cap : .butt)
    }
  }

  /// A vertex with its distance along the line, in px.
  private struct Vertex {
    let x: Int
    let y: Int
    let along: Double

    init(startOf edge: StrokeEdge, moved distance: Double = 0) {
      let part = distance == 0 ? 0 : distance * 256 / edge.length
      x = edge.x &+ (part == 0 ? 0 : nearestInt(Double(edge.dx) * part))
      y = edge.y &+ (part == 0 ? 0 : nearestInt(Double(edge.dy) * part))
      along = edge.startDistance + distance
    }

    init(endOf edge: StrokeEdge, moved distance: Double = 0) {
      let part = distance == 0 ? 0 : distance * 256 / edge.length
      x = edge.x &+ edge.dx &- (part == 0 ? 0 : nearestInt(Double(edge.dx) * part))
      y = edge.y &+ edge.dy &- (part == 0 ? 0 : nearestInt(Double(edge.dy) * part))
      along = edge.endDistance - distance
    }
  }

  // MARK: Ends

  private mutating func begin(_ edge: StrokeEdge, with cap: StrokeStyle.Cap) {
    let vertex = Vertex(startOf: edge)
    if cap == .round { addPair(vertex, edge.normal, -1, -1, isRound: true) }
    let end = cap == .square ? -1.0 : 0
    addPair(vertex, edge.normal, end, end)
  }

  private mutating func end(_ edge: StrokeEdge, with cap: StrokeStyle.Cap) {
    let vertex = Vertex(endOf: edge)
    let end = cap == .square ? 1.0 : 0
    addPair(vertex, edge.normal, end, end)
    if cap == .round { addPair(vertex, edge.normal, 1, 1, isRound: true) }
  }

  /// Fills a line of zero length: its caps alone.
  private mutating func fillDot(_ run: StrokeRun) {
    guard let point = run.points.first, run.hasStart, run.hasEnd, style.cap != .butt else {
      return
    }
    let beside = Path.Point(x: point.x < .max ? point.x + 1 : point.x - 1, y: point.y)
    guard let edge = StrokeEdge(from: point, to: beside, startDistance: 0) else { return }
    hasPair = false
    begin(edge, with: style.cap)
    end(edge, with: style.cap)
  }

  // MARK: Bends

  /// Returns the distance from a bend within which dashes are slanted; 0 if it is not limited.
  ///
  /// Dashes are slanted toward a bend, because their inner and outer ends are equally far along
  /// the line; at sharp bends the slant would be noticeable.
  private func clearance(of bend: StrokeBend) -> Double {
    Shader.readsAlong && bend.isSharp ? style.dashCornerLength : 0
  }

  /// Fills the outer side of a bend between two edges.
  ///
  /// - Parameter closesRing: whether the second edge was the first one and is filled.
  private mutating func bend(
    _ before: StrokeEdge, _ after: StrokeEdge, closesRing: Bool = false
  ) {
    let bend = StrokeBend(before, after, style)
    if isEven { return evenBend(bend, before, after, closesRing: closesRing) }
    let clear = clearance(of: bend)
    if clear > 0, before.length > clear * 512 {
      addPair(Vertex(endOf: before, moved: clear), before.normal, 0, 0)
    }
    let vertex = Vertex(endOf: before)
    let next = Vertex(startOf: after)
    switch bend.kind {
    case .miter:
      addPair(vertex, bend.tip, 0, 0)
      // The distance along the line restarts here.
      if Shader.readsAlong, abs(vertex.along - next.along) > 0.1 { addPair(next, bend.tip, 0, 0) }
    case .flipped:
      addPair(vertex, bend.tip, 0, 0)
      addPair(next, -bend.tip, 0, 0)
    case .bevel, .fan:
      let (first, second) = bend.insets
      addPair(vertex, before.normal, first, second)
      if bend.kind == .fan {
        bend.forEachSpoke { addCorner(vertex, $0, isLeft: bend.turnsLeft) }
      }
      addPair(next, after.normal, -first, -second)
    case .round:
      addPair(vertex, before.normal, 0, 0)
      addPair(vertex, before.normal, 1, 1, isRound: true)
      addPair(next, after.normal, -1, -1, isRound: true)
      addPair(next, after.normal, 0, 0)
    }
    if !closesRing { leave(bend, by: after) }
  }

  /// Fills the outer side of a bend of a glow with triangles that fan out from the vertex.
  ///
  /// Edges keep their own sides up to their ends. If two edges shared the inner corner, which lies
  /// up to half a width back, the strip of a shorter edge would be twisted, and a twisted strip is
  /// brightest at its rim. Overlapping edges keep the greatest opacity.
  private mutating func evenBend(
    _ bend: StrokeBend, _ before: StrokeEdge, _ after: StrokeEdge, closesRing: Bool
  ) {
    let vertex = Vertex(endOf: before)
    addPair(vertex, before.normal, 0, 0)
    if bend.kind == .round {
      addPair(vertex, before.normal, 1, 1, isRound: true)
      hasPair = false
      addPair(Vertex(startOf: after), after.normal, -1, -1, isRound: true)
    } else {
      let middle = corner(vertex, .zero, across: 0, turn: 0, isRound: false)
      var last = bend.turnsLeft ? left : right
      func rim(_ normal: SIMD2<Double>) -> StrokeCorner {
        let side: Double = bend.turnsLeft ? -1 : 1
        return corner(vertex, normal * side, across: -side, turn: 0, isRound: false)
      }
      func fill(to next: StrokeCorner) {
        brush.fill(middle, last, next)
        last = next
      }
      switch bend.kind {
      case .miter: fill(to: rim(bend.tip))
      case .fan:
        bend.forEachSpoke { spoke in
          fill(to: corner(vertex, spoke, across: bend.turnsLeft ? 1 : -1, turn: 0, isRound: false))
        }
      case .bevel, .flipped, .round: break
      }
      fill(to: rim(after.normal))
      hasPair = false
    }
    if !closesRing || bend.kind == .round {
      addPair(Vertex(startOf: after), after.normal, 0, 0)
    }
  }

  /// Ends the slant of dashes after a sharp bend.
  private mutating func leave(_ bend: StrokeBend, by edge: StrokeEdge) {
    let clear = clearance(of: bend)
    guard clear > 0, edge.length > clear * 512 else { return }
    addPair(Vertex(startOf: edge, moved: clear), edge.normal, 0, 0)
  }

  /// Begins a ring behind its first bend, which is filled at the end.
  private mutating func begin(_ bend: StrokeBend, _ edge: StrokeEdge) {
    let vertex = Vertex(startOf: edge)
    if isEven { return addPair(vertex, edge.normal, 0, 0) }
    switch bend.kind {
    case .miter: addPair(vertex, bend.tip, 0, 0)
    case .flipped: addPair(vertex, -bend.tip, 0, 0)
    case .bevel, .fan: addPair(vertex, bend.after, -bend.insets.0, -bend.insets.1)
    case .round: addPair(vertex, bend.after, 0, 0)
    }
    leave(bend, by: edge)
  }

  // MARK: Corners

  /// Continues the strip with a pair of corners.
  ///
  /// - Parameters:
  ///   - normal: the vector from the vertex to the right corner, in distances of the sides from the
  ///     middle; the left one is opposite.
  ///   - rightEnd: the distance by which the right corner lies ahead, in the same unit.
  private mutating func addPair(
    _ vertex: Vertex, _ normal: SIMD2<Double>, _ rightEnd: Double, _ leftEnd: Double,
    isRound: Bool = false
  ) {
    let ahead = SIMD2(normal.y, -normal.x)
    let nextRight = corner(
      vertex, normal + ahead * rightEnd, across: -1, turn: rightEnd, isRound: isRound)
    let nextLeft = corner(
      vertex, ahead * leftEnd - normal, across: 1, turn: -leftEnd, isRound: isRound)
    if hasPair { brush.fill(from: (right, left), to: (nextRight, nextLeft)) }
    (right, left, hasPair) = (nextRight, nextLeft, true)
  }

  /// Continues the strip with a corner of one side.
  private mutating func addCorner(_ vertex: Vertex, _ extrusion: SIMD2<Double>, isLeft: Bool) {
    let next = corner(vertex, extrusion, across: isLeft ? 1 : -1, turn: 0, isRound: false)
    brush.fill(right, next, left)
    if isLeft { left = next } else { right = next }
  }

  /// Returns a corner.
  ///
  /// - Parameter turn: positive or negative where the vector has an eighth of a turn to the side of the
  ///   line, which its offset does not have.
  @inline(__always)
  private func corner(
    _ vertex: Vertex, _ extrusion: SIMD2<Double>, across: Double, turn: Double, isRound: Bool
  ) -> StrokeCorner {
    var moved = extrusion * outset
    if style.offset != 0 {
      let aside = extrusion * (-style.offset * across)
      let u = turn == 0 ? 0 : turn < 0 ? -0.5 : 0.5
      let t = 1 - u.magnitude
      moved += SIMD2(aside.x * t - aside.y * u, aside.x * u + aside.y * t)
    }
    return StrokeCorner(
      x: vertex.x &+ nearestInt(moved.x * 256), y: vertex.y &+ nearestInt(moved.y * 256),
      across: across, beyond: isRound ? 1 : 0, along: vertex.along)
  }
}
