/// A feature of a vector tile before it is cut: positions in a world of 0…1 from west to east and
/// from north to south.
struct WorldFeature {
  enum Kind: Int { case point = 1, line, polygon }

  typealias Value = VectorTileEncoder.Value

  var kind: Kind
  /// Points in one part; or a line, or the rings of an area, each in a part.
  var parts: [[SIMD2<Double>]]
  var properties: [(String, Value)]

  /// The first zoom that shows it.
  var minZoom = 0
}

/// Cuts features into tiles of a grid of 4,096 units with a buffer of 64, as programs do that make
/// vector tiles.
struct TileCutter {
  static let extent = 4_096.0
  private static let buffer = 64.0

  let zoom: Int
  let x: Int
  let y: Int

  /// The part of a feature in the tile, in its units; `nil` if there is none.
  func cut(_ feature: WorldFeature) -> VectorTileEncoder.Feature? {
    let parts = feature.parts.flatMap { part -> [[SIMD2<Double>]] in
      let own = part.map(local)
      switch feature.kind {
      case .point: return [own.filter(isInside)]
      case .line: return lines(own)
      case .polygon: return [ring(own)]
      }
    }
    let least = feature.kind.rawValue
    let rounded = parts.map(Self.rounded).filter { $0.count >= least }
    guard !rounded.isEmpty else { return nil }
    return VectorTileEncoder.Feature(
      kind: feature.kind.rawValue, parts: rounded, properties: feature.properties)
  }

  private func local(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let tiles = Double(1 << zoom)
    return (point * tiles - SIMD2(Double(x), Double(y))) * Self.extent
  }

  private func isInside(_ point: SIMD2<Double>) -> Bool {
    all(point .>= -Self.buffer) && all(point .<= Self.extent + Self.buffer)
  }

  /// The four sides of the tile with its buffer: how far a point lies inside each.
  private static let sides: [@Sendable (SIMD2<Double>) -> Double] = [
    { $0.x + buffer }, { extent + buffer - $0.x }, { $0.y + buffer }, { extent + buffer - $0.y },
  ]

  /// The part of a ring that is inside (Sutherland and Hodgman 1974).
  private func ring(_ ring: [SIMD2<Double>]) -> [SIMD2<Double>] {
    Self.sides.reduce(ring) { ring, side in
      guard var previous = ring.last else { return [] }
      var kept: [SIMD2<Double>] = []
      for point in ring {
        let (a, b) = (side(previous), side(point))
        if (a >= 0) != (b >= 0) { kept.append(previous + (point - previous) * (a / (a - b))) }
        if b >= 0 { kept.append(point) }
        previous = point
      }
      return kept
    }
  }

  /// The parts of a line that are inside (Liang and Barsky 1984).
  private func lines(_ line: [SIMD2<Double>]) -> [[SIMD2<Double>]] {
    var runs: [[SIMD2<Double>]] = []
    for (a, b) in zip(line, line.dropFirst()) {
      var (first, last) = (0.0, 1.0)
      for side in Self.sides {
        let (from, to) = (side(a), side(b))
        if from < 0, to < 0 { last = -1 }
        if from < 0, to >= 0 { first = max(first, from / (from - to)) }
        if from >= 0, to < 0 { last = min(last, from / (from - to)) }
      }
      guard first < last else { continue }
      if first > 0 || runs.last?.last != a { runs.append([a + (b - a) * first]) }
      runs[runs.count - 1].append(last < 1 ? a + (b - a) * last : b)
    }
    return runs
  }

  /// Rounds positions to units, each once in a row.
  private static func rounded(_ part: [SIMD2<Double>]) -> [SIMD2<Int>] {
    var points: [SIMD2<Int>] = []
    for point in part {
      let unit = SIMD2(Int(point.x.rounded()), Int(point.y.rounded()))
      if unit != points.last { points.append(unit) }
    }
    return points
  }
}
