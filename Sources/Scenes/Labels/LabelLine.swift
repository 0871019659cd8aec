import Platform

/// A line in pixels of a zoom's world, along which labels are written.
struct LabelLine {
  /// A place on the line, in pixels.
  struct Place {
    var x: Double
    var y: Double
    /// The direction in which the line runs there: a vector of length 1.
    var directionX: Double
    var directionY: Double
    /// The vertex at which its segment begins.
    var segment: Int
  }

  /// The tile that a line comes from, as far as symbols depend on it.
  struct TileCut {
    /// Whether the tile has cut the line at its start, so that the line continues in another tile.
    let isAtStart: Bool

    /// The factor by which the tile is magnified beyond its zoom.
    let magnification: Double

    /// A line that no tile cuts.
    static let whole = TileCut(isAtStart: false, magnification: 1)
  }

  /// The distance in pixels below which a vertex is dropped because it is too near to the last
  /// one: details under a pixel do not change the course of a line.
  private static let usualStep = 0.5
  private let step: Double

  /// The maximum number of labels on one line: a line six times around the world at zoom 22 would
  /// fill the memory at the usual spacing.
  private static let limit = 1 << 20

  /// The positions in pixels from the world's north-west corner; east of the world for lines over
  /// the antimeridian.
  private var xs: [Double] = []
  private var ys: [Double] = []

  /// The distance from the line's start to each vertex, along the line.
  private var distances: [Double] = []

  /// Creates a line from places in the world.
  ///
  /// - Parameters:
  ///   - worldSide: the side of the world, in pixels.
  ///   - keepsVertices: whether close vertices are kept, so that positions along the line are
  ///     exact; lines of vector tiles have few vertices.
  /// - Complexity: O(vertices).
  init(_ places: [WorldPlace], worldSide: Double, keepsVertices: Bool = false) {
    step = keepsVertices ? 0 : Self.usualStep
    for (index, place) in places.enumerated() {
      append(place.x * worldSide, place.y * worldSide, isLast: index == places.count - 1)
    }
  }

  /// The length of the line from end to end, in pixels.
  var length: Double { distances.last ?? 0 }

  private mutating func append(_ x: Double, _ y: Double, isLast: Bool) {
    guard let lastX = xs.last, let lastY = ys.last, let distance = distances.last else {
      xs.append(x)
      ys.append(y)
      distances.append(0)
      return
    }
    let way = Self.length(x - lastX, y - lastY)
    guard way > 0 else { return }
    if way < step {
      guard isLast else { return }
      // The end stays in place, and the vertex just before it is dropped.
      if xs.count > 1 {
        xs.removeLast()
        ys.removeLast()
        distances.removeLast()
        append(x, y, isLast: false)
        return
      }
    }
    xs.append(x)
    ys.append(y)
    distances.append(distance + way)
  }

  /// Returns the same line in larger pixels.
  ///
  /// - Complexity: O(vertices), O(1) for a factor of 1.
  func magnified(by factor: Double) -> LabelLine {
    guard factor != 1 else { return self }
    var line = self
    line.xs = xs.map { $0 * factor }
    line.ys = ys.map { $0 * factor }
    line.distances = distances.map { $0 * factor }
    return line
  }

  /// Returns the places for labels of a length, as distances from the line's start.
  ///
  /// By MapLibre's rules, the first label stands two ems from the start, so that labels of roads
  /// keep away from crossings; the next ones follow at the spacing, which is widened to leave at
  /// least a quarter of it between labels. If no label fits at these places, the first one stands
  /// in the middle of the line. On a line that a tile has cut at its start, the first label stands
  /// half the spacing from the start, and the middle is not tried.
  ///
  /// - Parameters:
  ///   - size: the size of an em, in pixels.
  ///   - maxAngle: see ``bears(_:at:size:maxAngle:)``.
  /// - Complexity: O(length / spacing · vertices under a label).
  func anchors(
    labelLength: Double, spacing: Double, size: Double, maxAngle: Double?,
    _ cut: TileCut = .whole
  ) -> [Double] {
    guard labelLength <= length else { return [] }
    let step = spacing - labelLength < spacing / 4 ? labelLength + spacing / 4 : spacing
    let offset = cut.isAtStart ? step / 2 : labelLength / 2 + 2 * size
    func anchors(from first: Double) -> [Double] {
      stride(from: first, to: length, by: step).prefix(Self.limit).filter {
        bears(labelLength, at: $0, size: size, maxAngle: maxAngle)
      }
    }
    let found = anchors(
      from: (offset * cut.magnification).truncatingRemainder(dividingBy: step))
    return found.isEmpty && !cut.isAtStart ? anchors(from: length / 2) : found
  }

  /// Returns whether a label fits on the line without bending too much.
  ///
  /// - Parameters:
  ///   - distance: the distance of the label's middle from the line's start.
  ///   - size: the size of an em, in pixels; corners within three fifths of an em count together.
  ///   - maxAngle: the limit of the sum of corners, in degrees; `nil` for icons without a text, which
  ///     do not bend.
  func bears(_ labelLength: Double, at distance: Double, size: Double, maxAngle: Double?) -> Bool {
    let start = distance - labelLength / 2
    let end = distance + labelLength / 2
    guard start >= 0, end <= length else { return false }
    guard let limit = maxAngle.map({ $0 * .pi / 180 }) else { return true }
    let window = 0.6 * size
    var oldest = firstVertex(after: start)
    var sum = 0.0
    var vertex = oldest
    while vertex < xs.count - 1, distances[vertex] < end {
      sum += turn(at: vertex)
      while distances[vertex] - distances[oldest] > window {
        sum -= turn(at: oldest)
        oldest += 1
      }
      if sum > limit { return false }
      vertex += 1
    }
    return true
  }

  /// Returns the place at a distance from the line's start, clamped to the line; `nil` without a
  /// segment.
  func place(at distance: Double) -> Place? {
    guard xs.count > 1 else { return nil }
    let end = min(max(firstVertex(after: distance), 1), xs.count - 1)
    let way = distances[end] - distances[end - 1]
    let directionX = (xs[end] - xs[end - 1]) / way
    let directionY = (ys[end] - ys[end - 1]) / way
    let along = min(max(distance - distances[end - 1], 0), way)
    return Place(
      x: xs[end - 1] + directionX * along, y: ys[end - 1] + directionY * along,
      directionX: directionX, directionY: directionY, segment: end - 1)
  }

  /// Returns the direction in which the line comes to an anchor; `nil` if it begins there.
  ///
  /// As in MapLibre, that is the direction from the last vertex before the anchor as it is rounded,
  /// which may be a vertex itself.
  ///
  /// - Parameters:
  ///   - segment: the segment on which the anchor was found.
  ///   - tolerance: the distance below which a vertex is the anchor.
  func direction(
    toX x: Double, y: Double, on segment: Int, tolerance: Double
  ) -> (x: Double, y: Double)? {
    for vertex in stride(from: segment, through: 0, by: -1) {
      let (dx, dy) = (x - xs[vertex], y - ys[vertex])
      let length = Self.length(dx, dy)
      if length > tolerance { return (dx / length, dy / length) }
    }
    return nil
  }

  /// Whether, from the start to the end of a label, the line goes farther north or south than east
  /// or west.
  func isSteep(around distance: Double, length: Double) -> Bool {
    guard let start = place(at: distance - length / 2), let end = place(at: distance + length / 2)
    else { return false }
    return abs(end.y - start.y) > abs(end.x - start.x)
  }

  /// Returns the first vertex that is farther from the start than a distance, by bisection.
  private func firstVertex(after distance: Double) -> Int {
    var low = 0
    var high = distances.count
    while low < high {
      let middle = (low + high) / 2
      if distances[middle] > distance { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the angle by which the line turns at an inner vertex, in radians, 0 … π.
  private func turn(at vertex: Int) -> Double {
    guard vertex > 0, vertex + 1 < xs.count else { return 0 }
    let (ax, ay) = (xs[vertex] - xs[vertex - 1], ys[vertex] - ys[vertex - 1])
    let (bx, by) = (xs[vertex + 1] - xs[vertex], ys[vertex + 1] - ys[vertex])
    return abs(atan2(ax * by - ay * bx, ax * bx + ay * by))
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
