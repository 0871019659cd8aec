/// One edge of a line with what is computed once for it: vertices in 1/256 px.
///
/// Everything of a pixel is computed from exact whole numbers, the differences between its centre
/// and a vertex: the same edge moved by whole pixels covers the same pixels moved.
struct StrokeEdge {
  /// How an edge ends along its direction.
  enum End: Equatable {
    /// Goes on: pixels whose centre lies beyond the vertex are the join's.
    case open

    /// Cut off straight, this many px beyond the vertex.
    case cut(Double)
  }

  let x: Int
  let y: Int
  let dx: Int
  let dy: Int

  /// In 1/256 px.
  let length: Double
  let inverseLength: Double
  let slopeClass: Int

  /// Distance of the first vertex from the line's start, 1/256 px.
  let startDistance: Int64
  var start = End.open
  var end = End.open

  /// Sums of the directions of this edge and the one before or after it, where the two share the
  /// inner side of their bend by its bisector; (0, 0) where neither gives way.
  var startBisector = SIMD2<Float>.zero
  var endBisector = SIMD2<Float>.zero

  /// Differences of coordinates and their products stay far within 64 bits.
  private static let limit = 1 << 29

  /// Nil where both vertices are the same.
  init?(from first: Path.Point, to second: Path.Point, startDistance: Int64) {
    func held(_ value: Int32) -> Int { min(max(Int(value), -StrokeEdge.limit), StrokeEdge.limit) }
    x = held(first.x)
    y = held(first.y)
    dx = held(second.x) - x
    dy = held(second.y) - y
    guard dx != 0 || dy != 0 else { return nil }
    length = Double(dx * dx + dy * dy).squareRoot()
    inverseLength = 1 / length
    slopeClass = StrokeProfile.slopeClass(Double(dx), Double(dy))
    self.startDistance = startDistance
  }

  /// The products of a pixel's difference from the first vertex with the direction between which the
  /// pixel is this edge's.
  var along: ClosedRange<Int> {
    func extension_(_ end: End) -> Int {
      // A pixel whose centre lies 0.75 px beyond a straight end is untouched.
      if case .cut(let beyond) = end { return Int((beyond + 0.75) * 256 * length) }
      return 0
    }
    return -extension_(start)...(dx * dx + dy * dy + extension_(end))
  }

  /// Whether the pixels along the edge are covered differently.
  var isCut: Bool { start != .open || end != .open }

  /// Divides the inner side of a bend between two edges.
  static func bisect(_ before: inout StrokeEdge, _ after: inout StrokeEdge) {
    let sum = SIMD2<Float>(
      Float(Double(before.dx) * before.inverseLength + Double(after.dx) * after.inverseLength),
      Float(Double(before.dy) * before.inverseLength + Double(after.dy) * after.inverseLength))
    before.endBisector = sum
    after.startBisector = sum
  }

  /// Whether a pixel at this difference from the first vertex is on this edge's side of both
  /// bisectors.
  func ownsBend(_ px: Int, _ py: Int) -> Bool {
    Double(px) * Double(startBisector.x) + Double(py) * Double(startBisector.y) >= 0
      && Double(px &- dx) * Double(endBisector.x) + Double(py &- dy) * Double(endBisector.y) <= 0
  }

  /// The share of a pixel, `distance` px along from the first vertex, that the ends leave, 0 … 1.
  func endArea(at distance: Double) -> Double {
    guard isCut else { return 1 }
    let (a, b) = StrokeProfile.normal(slopeClass: slopeClass)
    var area = 1.0
    if case .cut(let beyond) = start {
      area -= 1 - StrokeProfile.halfPlaneArea(distance + beyond, a, b)
    }
    if case .cut(let beyond) = end {
      area -= 1 - StrokeProfile.halfPlaneArea(length / 256 - distance + beyond, a, b)
    }
    return max(area, 0)
  }

  /// The share of a pixel, `distance` px along from the first vertex, that dashes and ends leave:
  /// those of the pixel's length along the line.
  func dashedArea(at distance: Double, _ dashes: DashPattern) -> Double {
    let first = Double(startDistance) / 256
    var from = first + distance - 0.5
    var to = first + distance + 0.5
    var area = 0.0
    if case .cut(let beyond) = start {
      if dashes.isDash(at: first) { area += max(min(to, first) - max(from, first - beyond), 0) }
      from = max(from, first)
    }
    if case .cut(let beyond) = end {
      let last = first + length / 256
      if dashes.isDash(at: last) { area += max(min(to, last + beyond) - max(from, last), 0) }
      to = min(to, last)
    }
    return min(area + dashes.dashedLength(from: from, to: to), 1)
  }
}

extension StrokeEdge {
  /// The part of an edge, px from its start, that may be within `reach` px of a picture; nil where
  /// none is.
  func stretch(within reach: Double, width: Int, height: Int) -> ClosedRange<Double>? {
    var lower = 0.0
    var upper = 1.0
    for (start, change, size) in [(x, dx, width), (y, dy, height)] {
      let least = -reach * 256 - Double(start)
      let greatest = (Double(size) + reach) * 256 - Double(start)
      if change == 0 {
        guard least <= 0, greatest >= 0 else { return nil }
      } else {
        let first = least / Double(change)
        let second = greatest / Double(change)
        lower = max(lower, min(first, second))
        upper = min(upper, max(first, second))
      }
    }
    return lower <= upper ? lower * length / 256...upper * length / 256 : nil
  }
}
