/// A measure of the importance of each vertex of an arc: the tolerance up to which the algorithm of
/// Douglas and Peucker (1973) keeps it. The scratch memory is reused for every arc.
///
/// Keeping the vertices whose importance reaches a tolerance is the algorithm's result for that
/// tolerance, so one run serves all zooms (as in geojson-vt).
struct ArcImportance {
  /// The maximum number of edges of an arc that are measured at once; a longer arc is cut into
  /// equal parts at vertices that are then always kept. It bounds the worst case, a spiral, to
  /// this many visits to each vertex.
  static let lengthLimit = 4096

  /// The tolerance in world units below which no zoom distinguishes vertices: a quarter of a pixel
  /// at zoom 22 in tiles of 1,024 pixels.
  static let leastTolerance: Float = 256

  private var xs = ContiguousArray<Double>()
  private var ys = ContiguousArray<Double>()
  private var edges = 0

  /// The importance of each vertex; the values of the ends are undefined.
  private(set) var importances = ContiguousArray<Float>()

  /// The ranges still to be split, with an upper bound on the importance of their vertices.
  private var waiting: [(first: Int, last: Int, limit: Float)] = []

  /// Reserves room for an arc.
  mutating func begin(edges: Int) {
    self.edges = edges
    if xs.count <= edges {
      xs = ContiguousArray(repeating: 0, count: edges + 1)
      ys = xs
      importances = ContiguousArray(repeating: 0, count: edges + 1)
    }
  }

  /// Sets a vertex, relative to the first one: whole numbers below 2⁵³, so differences are exact.
  mutating func set(_ place: Int, x: Double, y: Double) {
    xs[place] = x
    ys[place] = y
    importances[place] = 0
  }

  /// Measures the arc.
  ///
  /// - Complexity: O(n log n) for n vertices of a usual line, O(n · ``lengthLimit``) for any.
  mutating func measure() {
    let runs = (edges + Self.lengthLimit - 1) / Self.lengthLimit
    for run in 0..<runs {
      let first = edges * run / runs
      let last = edges * (run + 1) / runs
      importances[last] = .infinity
      waiting.append((first, last, .infinity))
      while let stretch = waiting.popLast() { split(stretch) }
    }
  }

  private mutating func split(_ stretch: (first: Int, last: Int, limit: Float)) {
    guard stretch.last - stretch.first > 1 else { return }
    let (place, distance) = farthest(first: stretch.first, last: stretch.last)
    let importance = min(Float(distance), stretch.limit)
    importances[place] = importance
    // The vertices in between cannot matter at any zoom: their importance stays 0.
    guard importance >= Self.leastTolerance else { return }
    waiting.append((stretch.first, place, importance))
    waiting.append((place, stretch.last, importance))
  }

  /// Returns the first of the vertices farthest from the straight line between two others.
  private func farthest(first: Int, last: Int) -> (place: Int, distance: Double) {
    let (ax, ay) = (xs[first], ys[first])
    let (dx, dy) = (xs[last] - ax, ys[last] - ay)
    let square = dx * dx + dy * dy
    let inverse = square > 0 ? 1 / square : 0
    return xs.withUnsafeBufferPointer { xs in
      ys.withUnsafeBufferPointer { ys in
        var best = -1.0
        var place = first + 1
        for index in (first + 1)..<last {
          let (px, py) = (xs[index] - ax, ys[index] - ay)
          let along = min(max((px * dx + py * dy) * inverse, 0), 1)
          let (qx, qy) = (px - along * dx, py - along * dy)
          let distance = qx * qx + qy * qy
          if distance > best {
            best = distance
            place = index
          }
        }
        return (place, best.squareRoot())
      }
    }
  }
}
