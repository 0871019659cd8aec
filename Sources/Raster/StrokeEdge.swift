/// An edge of a line with its precomputed values: vertices in 1/256 px.
///
/// Everything about a pixel is computed from exact whole numbers, the differences between its
/// centre and a vertex: the same edge moved by whole pixels covers the moved pixels.
struct StrokeEdge {
  /// The kind of end of an edge along its direction.
  enum End: Equatable {
    /// The edge continues: pixels whose centre lies beyond the vertex belong to the join.
    case open

    /// The edge is cut off straight, this many pixels beyond the vertex.
    case cut(Double)
  }

  let x: Int
  let y: Int
  let dx: Int
  let dy: Int

  /// Length in 1/256 px, and its inverse.
  let length: Double
  let inverseLength: Double
  let slopeClass: Int

  /// The distance of the first vertex from the line's start, in 1/256 px.
  let startDistance: Int64
  var start = End.open
  var end = End.open

  /// The sums of the directions of this edge and the previous or next one, where the two divide the
  /// inner side of their bend by its bisector; (0, 0) where they do not.
  var startBisector = SIMD2<Float>.zero
  var endBisector = SIMD2<Float>.zero

  /// The limit to which differences of coordinates are clamped, so that their products stay far
  /// within 64 bits.
  private static let limit = 1 << 29

  /// Creates an edge; nil if both vertices are equal.
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

  /// The range of the product of a pixel's difference from the first vertex with the direction,
  /// within which the pixel belongs to this edge.
  var along: ClosedRange<Int> {
    func extension_(_ end: End) -> Int {
      // A pixel whose centre lies 0.75 px beyond a straight end is not covered.
      if case .cut(let beyond) = end { return Int((beyond + 0.75) * 256 * length) }
      return 0
    }
    return -extension_(start)...(dx * dx + dy * dy + extension_(end))
  }

  /// Whether the pixels along the edge have different coverage.
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

  /// Returns the share of a pixel, `distance` px along from the first vertex, that the ends leave,
  /// 0 … 1.
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

  /// Returns the share of a pixel, `distance` px along from the first vertex, that dashes and ends
  /// leave, as a share of the pixel's length along the line.
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
  /// Returns the part of an edge, in pixels from its start, that may be within `reach` px of a
  /// picture; nil if there is none.
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
