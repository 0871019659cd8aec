import Foundation

/// The fields of an island: three rings of cells around its middle, up to a strip along its coast,
/// which share their bent edges. Forest grows on the mountains, and nothing on the highest.
struct IslandFields {
  /// A cell: what grows there, how well, and its corners, without the first again.
  struct Field {
    let kind: String
    let yield: Int
    let ring: [(Double, Double)]
  }

  /// What grows below the mountains.
  private static let kinds = ["farmland", "farmland", "forest", "farmland", "marsh"]

  /// Steps around the island, of which the edges of cells are some; divisible by the cells of each
  /// ring.
  private static let steps = 180
  private static let cells = [5, 9, 15]

  private let island: Island

  /// Between the rings, the shares of the way to the coast, and how they waver.
  private let rings: [(share: Double, waves: [(amplitude: Double, phase: Double)])]

  private(set) var fields: [Field] = []

  init(of island: Island, on terrain: Terrain, random: inout RandomNumbers) {
    self.island = island
    rings = [0.1, 0.4, 0.67, 0.93].map { share in
      let waver = share > 0.9 || share < 0.2 ? 0.01 : 0.045
      return (share, (3...9).map { _ in (waver * random.unit(), random.unit() * 2 * .pi) })
    }
    for (ring, count) in Self.cells.enumerated() {
      let starts = (0..<count).map { number in
        (number * Self.steps / count + random.below(Self.steps / count / 2)) % Self.steps
      }
      let bends = starts.map { _ in (random.unit() - 0.5, random.unit() - 0.5) }
      for number in 0..<count {
        let next = (number + 1) % count
        var end = starts[next]
        if end <= starts[number] { end += Self.steps }
        let inner = (starts[number]...end).map { place(ring, $0) }
        let outer = (starts[number]...end).map { place(ring + 1, $0) }
        let edges = [(starts[number], bends[number]), (starts[next], bends[next])].map {
          edge(ring, at: $0.0, bend: $0.1, width: 1.4 / Double(count))
        }
        let middle = island.place(
          Double(starts[number] + end) / Double(Self.steps) * .pi,
          (rings[ring].share + rings[ring + 1].share) / 2)
        let height = terrain.elevation(at: middle)
        let lowland = random.pick(Self.kinds)
        let yield = 2 + random.below(9)
        guard height < 0.55 else { continue }
        fields.append(
          Field(
            kind: height > 0.3 ? "forest" : lowland, yield: yield,
            ring: inner + edges[1] + outer.reversed() + edges[0].reversed()))
      }
    }
  }

  private func share(_ ring: Int, _ angle: Double) -> Double {
    rings[ring].waves.enumerated().reduce(rings[ring].share) { sum, wave in
      sum + wave.element.amplitude * sin(Double(wave.offset + 3) * angle + wave.element.phase)
    }
  }

  private func place(_ ring: Int, _ step: Int) -> (Double, Double) {
    let angle = Double(step % Self.steps) / Double(Self.steps) * 2 * .pi
    return island.place(angle, share(ring, angle))
  }

  /// The corners between two rings, from the inner to the outer, without its ends.
  ///
  /// - Parameter width: how far the edge is bent, in radians, so that it does not cross the next one.
  private func edge(
    _ ring: Int, at step: Int, bend: (Double, Double), width: Double
  ) -> [(Double, Double)] {
    let angle = Double(step) / Double(Self.steps) * 2 * .pi
    let (inner, outer) = (share(ring, angle), share(ring + 1, angle))
    return (1...7).map { part in
      let way = Double(part) / 8
      let turn = width * (bend.0 * sin(way * .pi) + 0.4 * bend.1 * sin(way * 3 * .pi))
      return island.place(angle + turn, inner + (outer - inner) * way)
    }
  }
}
