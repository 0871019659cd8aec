/// The share of a pixel that an edge's ends and dashes leave.
protocol StrokeShare {
  /// Whether every pixel is left whole.
  var isWhole: Bool { get }

  /// Returns the share of a pixel that is left, 0 … 1.
  ///
  /// - Parameters:
  ///   - px: the horizontal distance of the pixel's centre from the edge's first vertex, in 1/256
  ///     px.
  ///   - py: the vertical distance, likewise, downward.
  ///   - distance: the distance in pixels along the edge from its first vertex.
  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double
}

/// The whole of each pixel: an edge between two others.
struct WholeShare: StrokeShare {
  var isWhole: Bool { true }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double { 1 }
}

/// The part of a pixel that is not beyond a line's end.
struct CutShare: StrokeShare {
  let edge: StrokeEdge
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double { edge.endArea(at: distance) }
}

/// The part of a pixel that lies on dashes.
struct DashedShare: StrokeShare {
  let edge: StrokeEdge
  let dashes: DashPattern
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double {
    edge.dashedArea(at: distance, dashes)
  }
}

/// The part of a pixel on this edge's side of the bisectors of its bends, and on dashes if there
/// are any: lines beside their geometry.
struct BentShare: StrokeShare {
  let edge: StrokeEdge
  let dashes: DashPattern?
  var isWhole: Bool { false }

  func area(_ px: Int, _ py: Int, _ distance: Double) -> Double {
    guard edge.ownsBend(px, py) else { return 0 }
    guard let dashes else { return edge.endArea(at: distance) }
    return edge.dashedArea(at: distance, dashes)
  }
}
