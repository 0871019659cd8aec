import Testing

@testable import sample_data

@Suite struct LotSampleTests {
  private struct Edge: Hashable {
    var from: PlanePoint
    var to: PlanePoint
  }

  @Test func `two runs give the same lots, and fewer are the first of more`() {
    var (one, other, less) = (LotSample(), LotSample(), LotSample())
    let features = one.features(limit: 700)
    #expect(features.count == 700)
    #expect(features == other.features(limit: 700))
    #expect(Array(features.prefix(123)) == less.features(limit: 123))
  }

  @Test func `a feature is one line with the six properties`() {
    var sample = LotSample()
    for feature in sample.features(limit: 500) {
      #expect(!feature.contains("\n"))
      #expect(feature.hasPrefix("{\"type\":\"Feature\",\"properties\":{\"bbl\":\"1"))
      for name in ["address", "ownername", "numfloors", "yearbuilt", "landuse"] {
        #expect(feature.contains("\"\(name)\":"))
      }
    }
  }

  @Test func `each lot has a key of its own, of borough, block and lot`() {
    var sample = LotSample()
    let keys = sample.features(limit: 4_000).compactMap {
      $0.split(separator: "\"").dropFirst(9).first
    }
    #expect(keys.count == 4_000)
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.utf8.count == 10 && $0.first == "1" && Int($0) != nil })
  }

  @Test func `lots of a block share whole edges and leave no corner within another's edge`() {
    var random = RandomNumbers(seed: 3)
    let blocks = OldTown.all.flatMap { OldTownBlocks($0).blocks(&random) } + GridBlocks().blocks()
    for _ in 0..<150 {
      let block = random.pick(blocks)
      let plan = LotPlan(block: block, density: random.unit(), random: &random)
      let shapes = LotShaper.shapes(of: plan.pieces, lots: plan.lots.count, cuts: block.cuts)
      var edges: Set<Edge> = []
      var corners: Set<PlanePoint> = []
      for ring in shapes.flatMap({ $0.polygons.joined() }) {
        for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
          // Two lots on one side of an edge would overlap.
          #expect(edges.insert(Edge(from: from, to: to)).inserted)
          corners.insert(from)
        }
      }
      for edge in edges where edge.from.x == edge.to.x || edge.from.y == edge.to.y {
        let x = min(edge.from.x, edge.to.x)...max(edge.from.x, edge.to.x)
        let y = min(edge.from.y, edge.to.y)...max(edge.from.y, edge.to.y)
        let within = corners.filter {
          x.contains($0.x) && y.contains($0.y) && $0 != edge.from && $0 != edge.to
        }
        #expect(within.isEmpty)
      }
    }
  }

  @Test func `lots fill a block that nothing cuts, but for its courts`() {
    var random = RandomNumbers(seed: 5)
    let whole = GridBlocks().blocks().filter(\.cuts.isEmpty)
    for _ in 0..<100 {
      let block = random.pick(whole)
      let plan = LotPlan(block: block, density: random.unit(), random: &random)
      let shapes = LotShaper.shapes(of: plan.pieces, lots: plan.lots.count, cuts: [])
      let area = shapes.reduce(0) { $0 + $1.doubleArea }
      let courts = 2 * block.width * block.depth - area
      let rings = shapes.flatMap { $0.polygons }.flatMap { $0.dropFirst() }
      let holes = -rings.reduce(0) { $0 + LotShape.doubleArea($1) }
      #expect((0...holes).contains(courts))
    }
  }

  @Test func `Central Park has no lot`() {
    let park = Manhattan.parks.first { $0.name == "Central Park" }
    for block in GridBlocks().blocks() {
      for x in [block.west, block.east] {
        for y in [block.south, block.north] {
          #expect(park?.contains(x: Double(x) / 100, y: Double(y) / 100) == false)
        }
      }
    }
  }
}
