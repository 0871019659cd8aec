/// Measures how much each vertex of an arc matters: the tolerance up to which the algorithm of
/// Douglas and Peucker (1973) keeps it. Scratch memory that is used again for every arc.
///
/// Keeping the vertices whose importance reaches a tolerance is the algorithm's result for that
/// tolerance, so one run serves all zooms (as in geojson-vt).
struct ArcImportance {
  /// Edges of an arc that are measured at once; a longer arc is cut evenly at vertices that always
  /// stay. Bounds the worst case, a spiral, to this many looks at each vertex.
  static let lengthLimit = 4096

  /// World units below which no zoom tells vertices apart: a quarter of a pixel at zoom 22 in tiles
  /// of 1,024 px.
  static let leastTolerance: Float = 256

  private var xs = ContiguousArray<Double>()
  private var ys = ContiguousArray<Double>()
  private var edges = 0

  /// The importance of each vertex; those of the ends mean nothing.
  private(set) var importances = ContiguousArray<Float>()

  /// Stretches still to be split, and the importance that none of their vertices exceeds.
  private var waiting: [(first: Int, last: Int, limit: Float)] = []

  /// Makes room for an arc.
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
    // Nothing in between can matter at any zoom: their importance stays 0.
    guard importance >= Self.leastTolerance else { return }
    waiting.append((stretch.first, place, importance))
    waiting.append((place, stretch.last, importance))
  }

  /// The first of the vertices farthest from the straight way between two others.
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
