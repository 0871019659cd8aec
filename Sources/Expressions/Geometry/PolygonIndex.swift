/// A polygon with an index of its edges by y.
///
/// Edges are sorted into bands of equal height; a position is tested only against those of its own
/// band, which are all that can contain it or cross its ray.
struct PolygonIndex: Sendable {
  /// The edges of all rings, as listed; an open ring stays open.
  let edges: [PlanarSegment]
  let box: MeasuredBox
  /// The edges of band *i* are `order[starts[i]..<starts[i + 1]]`.
  private let starts: [Int]
  private let order: [Int]
  private let bandsPerUnit: Double

  private static let bandLimit = 1024

  /// - Complexity: O(edges × bands that each passes through).
  init(_ rings: [[PlanarPoint]]) {
    edges = rings.flatMap { ring in
      zip(ring, ring.dropFirst()).map { PlanarSegment($0, $1) }
    }
    box = MeasuredBox(rings.joined())
    let count = max(1, min(edges.count / 4, Self.bandLimit))
    let height = box.high.y - box.low.y
    bandsPerUnit = height > 0 ? Double(count) / height : 0
    var bands = [[Int]](repeating: [], count: count)
    for (index, edge) in edges.enumerated() {
      let first = Self.band(min(edge.start.y, edge.end.y), box, bandsPerUnit, count)
      let last = Self.band(max(edge.start.y, edge.end.y), box, bandsPerUnit, count)
      for band in first...max(first, last) { bands[band].append(index) }
    }
    var starts = [0]
    for band in bands { starts.append(starts[starts.count - 1] + band.count) }
    self.starts = starts
    order = Array(bands.joined())
  }

  private static func band(
    _ y: Double, _ box: MeasuredBox, _ bandsPerUnit: Double, _ count: Int
  ) -> Int {
    let band = (y - box.low.y) * bandsPerUnit
    return band.isFinite ? Int(min(max(band, 0), Double(count - 1))) : 0
  }

  /// Returns the edges in the bands from one y to another; edges in several bands come several
  /// times.
  private func edges(from low: Double, to high: Double) -> LazyMapSequence<
    ArraySlice<Int>, PlanarSegment
  > {
    let count = starts.count - 1
    let first = Self.band(low, box, bandsPerUnit, count)
    let last = max(first, Self.band(high, box, bandsPerUnit, count))
    return order[starts[first]..<starts[last + 1]].lazy.map { [edges] in edges[$0] }
  }

  /// Whether a position is inside, by the number of edges that a ray crosses; holes are outside.
  ///
  /// - Parameter onEdge: the answer for a position on an edge.
  /// - Complexity: O(edges in the band).
  func contains(_ position: PlanarPoint, onEdge: Bool = false) -> Bool {
    guard box.contains(position) else { return false }
    var isInside = false
    for edge in edges(from: position.y, to: position.y) {
      if edge.holds(position) { return onEdge }
      if edge.isCrossedByRay(from: position) { isInside.toggle() }
    }
    return isInside
  }

  /// Whether a line lies inside: all its positions do, and no edge crosses it.
  ///
  /// - Complexity: O(positions × edges in the bands that a segment passes through).
  func contains(line: [PlanarPoint]) -> Bool {
    guard line.allSatisfy({ contains($0) }) else { return false }
    return !zip(line, line.dropFirst()).contains { start, end in
      let segment = PlanarSegment(start, end)
      return edges(from: min(start.y, end.y), to: max(start.y, end.y))
        .contains { $0.crosses(segment) }
    }
  }
}
