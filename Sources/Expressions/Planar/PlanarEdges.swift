import Tiling

/// Edges indexed by latitude, or by y.
struct PlanarEdges: Sendable {
  let all: [PlanarEdge]
  let box: PlanarBox
  /// The indexes of the edges in each of several bands of equal height, south to north; empty where
  /// scanning all edges is faster.
  private let bands: [[Int32]]

  /// The number of edges below which a search takes as long as a scan.
  private static let leastCount = 16
  private static let mostBands = 1024

  /// - Parameter isIndexed: whether the edges are searched often enough for bands to pay off.
  init(_ edges: [PlanarEdge], isIndexed: Bool) {
    all = edges
    let box = edges.reduce(into: PlanarBox.empty) { $0.formUnion($1.box) }
    self.box = box
    let height = box.maxY - box.minY
    guard isIndexed, edges.count >= Self.leastCount, height.isFinite, height > 0 else {
      bands = []
      return
    }
    let count = min(edges.count, Self.mostBands)
    var bands = [[Int32]](repeating: [], count: count)
    for (index, edge) in edges.enumerated() {
      let range = Self.range(of: edge.box, in: box, bands: count)
      for band in range { bands[band].append(Int32(truncatingIfNeeded: index)) }
    }
    self.bands = bands
  }

  private static func range(
    of part: PlanarBox, in box: PlanarBox, bands count: Int
  ) -> ClosedRange<Int> {
    func band(_ latitude: Double) -> Int {
      let place = (latitude - box.minY) / (box.maxY - box.minY) * Double(count)
      return place >= Double(count) ? count - 1 : place > 0 ? Int(place) : 0
    }
    return band(part.minY)...max(band(part.minY), band(part.maxY))
  }

  /// Whether `isFound` returns true for an edge whose latitudes overlap those of a box; it may be
  /// called more than once for an edge.
  ///
  /// - Complexity: O(edges in the bands), all of them without bands.
  func contains(near part: PlanarBox, where isFound: (PlanarEdge) -> Bool) -> Bool {
    guard part.minY <= box.maxY, part.maxY >= box.minY else { return false }
    if bands.isEmpty { return all.contains(where: isFound) }
    for band in Self.range(of: part, in: box, bands: bands.count) {
      for index in bands[band] where isFound(all[Int(index)]) { return true }
    }
    return false
  }

  /// Visits every edge at a latitude once, and some others.
  func visit(atLatitude latitude: Double, _ body: (PlanarEdge) -> Void) {
    guard latitude >= box.minY, latitude <= box.maxY else { return }
    if bands.isEmpty {
      for edge in all { body(edge) }
      return
    }
    let position = PlanarPoint(0, latitude)
    let band = Self.range(of: PlanarBox(position, position), in: box, bands: bands.count).lowerBound
    for index in bands[band] { body(all[Int(index)]) }
  }
}
