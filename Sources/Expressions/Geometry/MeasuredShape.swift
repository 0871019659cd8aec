import Tiling

/// A shape prepared for measuring distances: points, or segments with the interior of a polygon.
struct MeasuredShape: Sendable {
  /// A run of neighbouring segments.
  fileprivate struct Run: Sendable {
    var range: Range<Int>
    var box: PlanarBox
  }

  /// The segments; points are segments of zero length.
  private let segments: [PlanarEdge]
  private let runs: [Run]
  private let inside: PolygonIndex?
  private let box: PlanarBox

  private static let runLength = 32

  /// - Complexity: O(positions).
  init(_ shape: PlanarShape) {
    switch shape {
    case .points(let points):
      segments = points.map { PlanarEdge(from: $0, to: $0) }
      inside = nil
    case .line(let line):
      segments = Self.segments(of: line)
      inside = nil
    case .polygon(let rings):
      // An open ring is measured as if it were closed.
      let closed = rings.map { $0.first == $0.last ? $0 : $0 + $0.prefix(1) }
      segments = closed.flatMap(Self.segments)
      inside = PolygonIndex(closed)
    }
    let segments = segments
    runs = stride(from: 0, to: segments.count, by: Self.runLength).map { start in
      let range = start..<min(start + Self.runLength, segments.count)
      return Run(
        range: range, box: segments[range].reduce(into: PlanarBox.empty) { $0.formUnion($1.box) })
    }
    box = runs.reduce(into: PlanarBox.empty) { $0.formUnion($1.box) }
  }

  private static func segments(of line: [PlanarPoint]) -> [PlanarEdge] {
    guard line.count > 1 else { return line.map { PlanarEdge(from: $0, to: $0) } }
    return zip(line, line.dropFirst()).map { PlanarEdge(from: $0, to: $1) }
  }

  /// Returns the smallest distance to another shape in metres if it is below `best`, otherwise
  /// `best`; 0 where the two touch, cross, or one lies inside the other.
  ///
  /// - Complexity: O(runs of both, multiplied) plus the segments of runs close to each other.
  func distance(to other: MeasuredShape, _ ruler: CheapRuler, below best: Double) -> Double {
    guard ruler.distance(box, other.box) < best else { return best }
    if touchesInside(of: other) || other.touchesInside(of: self) { return 0 }
    var best = best
    for run in runs {
      for otherRun in other.runs where ruler.distance(run.box, otherRun.box) < best {
        best = distance(run, to: other, otherRun, ruler, below: best)
        if best == 0 { return 0 }
      }
    }
    return best
  }

  private func distance(
    _ run: Run, to other: MeasuredShape, _ otherRun: Run, _ ruler: CheapRuler, below best: Double
  ) -> Double {
    var best = best
    for segment in segments[run.range] {
      let segmentBox = segment.box
      for otherSegment in other.segments[otherRun.range]
      where ruler.distance(segmentBox, otherSegment.box) < best {
        if segment.crosses(otherSegment) { return 0 }
        best = min(best, ruler.distance(segment, otherSegment))
      }
    }
    return best
  }

  /// Whether a position of the shape lies in the other, its edges included.
  private func touchesInside(of other: MeasuredShape) -> Bool {
    guard let polygon = other.inside else { return false }
    return segments.contains {
      polygon.contains($0.from, onEdge: true) || polygon.contains($0.to, onEdge: true)
    }
  }
}
