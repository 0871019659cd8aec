import Foundation
import Features
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

private func polygon(
  _ parts: [[(Double, Double)]], id: UInt64? = nil, name: String? = nil
) -> CutSample.Shape {
  CutSample.Shape(
    type: .polygon, parts: parts.map { part in part.map { GridPoint($0.0, $0.1) } }, id: id,
    properties: name.map { [("name", .string($0))] } ?? [])
}

/// A ring around a centre whose radius jumps, clockwise on the map.
private func star(
  _ x: Double, _ y: Double, _ radii: Range<Double>, points: Int, seed: UInt64
) -> [(Double, Double)] {
  var random = SplitMix64(seed: seed)
  return (0..<points).map { index in
    let angle = 2 * Double.pi * Double(index) / Double(points)
    let radius = random.number(in: radii)
    return ((x + radius * cos(angle)).rounded(), (y + radius * sin(angle)).rounded())
  }
}

@Suite("Areas joined across the borders of vector tiles")
struct AreaJoinTests {
  /// Expects that a feature covers what the shape does, but for what is as near as the rounding to
  /// an edge, and that no edge of it follows a border.
  private func expectEqual(
    _ feature: JoinedSample.Feature, _ shape: CutSample.Shape, within rounding: Double = 1.5,
    seed: UInt64 = 1
  ) {
    var random = SplitMix64(seed: seed)
    let xs = shape.parts.joined().map(\.x)
    let ys = shape.parts.joined().map(\.y)
    guard let west = xs.min(), let east = xs.max(), let north = ys.min(), let south = ys.max()
    else { return }
    var wrong = 0
    for _ in 0..<300 {
      let point = GridPoint(
        random.number(in: (west - 9)..<(east + 9)), random.number(in: (north - 9)..<(south + 9)))
      guard shape.parts.distance(to: point) > rounding else { continue }
      if feature.parts.contain(point) != shape.parts.contain(point) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(feature.borderLength() < 4)
    for vertex in shape.parts.joined() {
      #expect(feature.parts.distance(to: vertex) <= rounding)
    }
  }

  @Test("an area with a hole that nine tiles cut is whole again")
  func ninePieces() throws {
    let shape = polygon(
      [
        [(3000, 3000), (13_000, 3500), (12_700, 12_900), (3100, 13_000)],
        [(6000, 7000), (7100, 12_000), (10_000, 9000)],
      ], id: 5, name: "lake")
    let tiles = CutSample().tiles([shape])
    #expect(tiles.count == 16)
    let joined = try JoinedSample(tiles)
    let feature = try #require(joined.features.first)
    #expect(joined.features.count == 1)
    #expect(feature.kind == .polygon)
    #expect(feature.kinds == [.outerRing, .innerRing])
    #expect(feature.id == "5" && feature.name == "lake")
    expectEqual(feature, shape)
  }

  @Test("areas of any form are whole again", arguments: 1...12)
  func stars(seed: UInt64) throws {
    let shape = polygon([star(16_000, 17_000, 300..<9000, points: 150, seed: seed)])
    let joined = try JoinedSample(CutSample().tiles([shape]))
    let feature = try #require(joined.features.first)
    #expect(joined.features.count == 1)
    #expect(feature.kinds == [.outerRing])
    expectEqual(feature, shape, seed: seed)
  }

  @Test("areas are whole again whatever buffer and extent they are cut with")
  func buffers() throws {
    for (extent, buffer) in [(4096, 0), (4096, 256), (512, 5), (1000, 10), (8192, 1)] {
      let scale = Double(extent) / 4096
      let ring = star(
        9000 * scale, 9000 * scale, (100 * scale)..<(5000 * scale), points: 90, seed: 3)
      let shape = polygon([ring])
      let sample = CutSample(extent: extent, buffer: buffer)
      let joined = try JoinedSample(sample.tiles([shape]), extent: extent)
      #expect(joined.features.count == 1)
      let feature = try #require(joined.features.first)
      // Where two spikes meet in one point of a border, they may become rings of their own.
      #expect(feature.kinds.allSatisfy { $0 == .outerRing })
      #expect(feature.borderLength(extent: Double(extent)) < 9)
      #expect(abs(feature.area / polygonArea(ring) - 1) < 0.001)
    }
  }

  private func polygonArea(_ ring: [(Double, Double)]) -> Double {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
      $0 + $1.0.0 * $1.1.1 - $1.1.0 * $1.0.1
    } / 2
  }

  @Test("an area that covers whole tiles has no edge there")
  func wholeTiles() throws {
    let shape = polygon([[(1000, 1000), (19_000, 1000), (19_000, 19_000), (1000, 19_000)]])
    let joined = try JoinedSample(CutSample().tiles([shape]))
    let feature = try #require(joined.features.first)
    #expect(feature.kinds == [.outerRing])
    expectEqual(feature, shape)
    #expect(feature.area == 18_000 * 18_000)
  }

  @Test("neighbours keep one border: together they cover what they did, without a gap")
  func neighbours() throws {
    let middle = [(5000.0, 1000.0), (9100, 5000), (7000, 9500), (12_000, 14_000)]
    let west = polygon([middle + [(1000, 14_000), (1000, 1000)]], name: "west")
    let east = polygon([middle.reversed() + [(15_000, 1000), (15_000, 14_000)]], name: "east")
    let joined = try JoinedSample(CutSample().tiles([west, east]))
    #expect(joined.features.map(\.name) == ["west", "east"])
    #expect(joined.features.map(\.area).reduce(0, +) == 14_000 * 13_000)
    let edges = joined.features.map { feature in
      Set(feature.edges.map { [$0.a, $0.b] })
    }
    let shared = edges[0].filter { edges[1].contains($0.reversed()) }
    // Each edge of the border, and its parts at cuts, is there in both directions.
    #expect(shared.count >= 3)
    #expect(
      edges[0].filter { !edges[1].contains($0.reversed()) }.count == edges[0].count - shared.count)
    for edge in edges[0] where edge.allSatisfy({ $0.x > 1000 }) && edge[0].y != edge[1].y {
      #expect(edges[1].contains(edge.reversed()))
    }
  }

  @Test("areas with other ids or properties are not joined, even if they touch at a border")
  func otherFeatures() throws {
    let west = [(1000.0, 1000.0), (4096, 1000), (4096, 2000), (1000, 2000)]
    let east = west.map { (8192 - $0.0, $0.1) }.reversed() + []
    for (one, other) in [
      (polygon([west], id: 1), polygon([east], id: 2)),
      (polygon([west], name: "a"), polygon([east], name: "b")),
      (polygon([west]), polygon([east], id: 1)),
    ] {
      let joined = try JoinedSample(CutSample(buffer: 0).tiles([one, other]))
      #expect(joined.features.count == 2)
      #expect(joined.features.map { $0.borderLength() } == [1000, 1000])
    }
    // Without anything to tell them apart they are one.
    let joined = try JoinedSample(CutSample(buffer: 0).tiles([polygon([west]), polygon([east])]))
    #expect(joined.features.count == 1)
    #expect(joined.features.map { $0.area.rounded() } == [2 * 1000 * 3096])
  }

  @Test("areas without ids and with equal properties stay apart if they are apart")
  func equalProperties() throws {
    let shapes = (0..<6).map { index in
      polygon([star(4096, 1500 + Double(index) * 2000, 300..<900, points: 20, seed: UInt64(index))])
    }
    let joined = try JoinedSample(CutSample().tiles(shapes))
    #expect(joined.features.count == 6)
    for shape in shapes {
      let center = GridPoint(4096, shape.parts[0].map(\.y).reduce(0, +) / 20)
      let feature = try #require(joined.features.first { $0.parts.contain(center) })
      expectEqual(feature, shape)
    }
  }

  @Test("areas that overlap at a border and have equal properties are not mixed up")
  func overlap() throws {
    let one = polygon([[(3000, 1000), (5000, 1100), (5100, 3000), (3100, 2900)]])
    let other = polygon([[(2000, 2000), (6000, 2050), (6100, 4000), (2100, 4100)]])
    let joined = try JoinedSample(CutSample().tiles([one, other, one]))
    #expect(joined.features.count == 3)
    for (feature, shape) in zip(joined.features, [one, other, one]) {
      expectEqual(feature, shape)
    }
  }

  @Test("stretches whose ends differ a little meet halfway, others leave an edge")
  func differingEnds() throws {
    func joined(_ difference: Double) throws -> JoinedSample.Feature? {
      let west = [(1000.0, 1000.0), (4096, 1000), (4096, 2000), (1000, 2000)]
      let east: [(Double, Double)] = [
        (4096, 1000 + difference), (7000, 1000), (7000, 2000), (4096, 2000 + difference),
      ]
      let tiles = CutSample(buffer: 0).tiles([polygon([west]), polygon([east])])
      let joined = try JoinedSample(tiles)
      return joined.features.count == 1 ? joined.features.first : nil
    }
    let near = try #require(try joined(4))
    #expect(near.borderLength() == 0)
    #expect(near.parts.first?.contains(GridPoint(4096, 1002)) == true)
    let far = try #require(try joined(40))
    #expect(far.kinds == [.outerRing])
    #expect(far.borderLength() == 80)
    #expect(abs(far.area - (3096 * 1000 + 2904 * 1000)) < 1)
  }

  @Test("an area has an edge where the neighbour is absent")
  func absentNeighbour() throws {
    let shape = polygon([[(1000, 1000), (7000, 1000), (7000, 3000), (1000, 3000)]])
    let sample = CutSample(absent: [TileCoord(z: 4, x: 1, y: 0)])
    let joined = try JoinedSample(sample.tiles([shape]))
    #expect(joined.features.map { $0.borderLength() } == [2000])
    #expect(joined.features.map(\.area) == [3096 * 2000])
  }

  @Test(
    "nothing is cut at the world's north and south edge, and nothing joined at the antimeridian")
  func worldEdges() throws {
    let size = 2 * 4096.0
    let shape = polygon([
      [(-60, -60), (size + 60, -60), (size + 60, size + 60), (-60, size + 60)]
    ])
    let joined = try JoinedSample(CutSample(zoom: 1).tiles([shape]))
    let feature = try #require(joined.features.first)
    #expect(joined.features.count == 1)
    #expect(feature.kinds == [.outerRing])
    #expect(feature.area == size * (size + 120))
    #expect(feature.parts.joined().map(\.x).max() == size)
    #expect(feature.parts.joined().map(\.y).min() == -60)
  }

  @Test("tiles of different extents are joined")
  func extents() throws {
    let shape = polygon([[(1000, 1000), (7000, 1000), (7000, 3000), (1000, 3000)]])
    var tiles = CutSample().tiles([shape])
    let eighth = polygon([shape.parts[0].map { ($0.x / 8, $0.y / 8) }])
    tiles[1] = CutSample(extent: 512, buffer: 8).tiles([eighth])[1]
    let joined = try JoinedSample(tiles)
    #expect(joined.features.map(\.area) == [6000 * 2000])
    #expect(joined.features.map { $0.borderLength() } == [0])
  }

  private static let square = [(1000.0, 1000.0), (3000, 1000), (3000, 3000), (1000, 3000)]

  @Test(
    "outer rings of one feature that overlap are features of their own, others stay together",
    arguments: [
      ("crossing", square.map { ($0.0 + 1000, $0.1 + 500) }, 2),
      ("crossing at vertices", square.map { ($0.0, $0.1 + 1000) }, 2),
      ("the same", square, 2),
      ("the same from another vertex", Array(square[2...] + square[..<2]), 2),
      ("inside along an edge", [(1000, 1000), (2000, 1000), (2000, 2000), (1000, 2000)], 2),
      ("inside", [(1500, 1500), (2000, 1500), (2000, 2000), (1500, 2000)], 1),
      ("inside, touching at a vertex", [(1000, 1000), (2000, 1500), (1500, 2000)], 1),
      ("beside", square.map { ($0.0 + 2000, $0.1) }, 1),
      ("touching at a corner", square.map { ($0.0 + 2000, $0.1 + 2000) }, 1),
      ("apart", square.map { ($0.0 + 2500, $0.1) }, 1),
    ] as [(String, [(Double, Double)], Int)])
  func overlappingRings(name: String, other: [(Double, Double)], count: Int) throws {
    for rings in [[Self.square, other], [other, Self.square]] {
      let joined = try JoinedSample(CutSample().tiles([polygon(rings, id: 7, name: name)]))
      #expect(joined.features.count == count, "\(name)")
      #expect(joined.features.allSatisfy { $0.id == "7" && $0.name == name })
      #expect(joined.counts.divided == count - 1)
      #expect(joined.features.map(\.parts.count).reduce(0, +) == 2)
      // Each ring is filled as far as it was.
      for ring in rings where count == 2 {
        #expect(joined.features.contains { abs($0.area - polygonArea(ring)) < 1 })
      }
    }
  }

  @Test("rings that overlap over the border of tiles are joined each with its own")
  func overlapAcrossBorder() throws {
    let one = [(3000.0, 1000.0), (5000, 1000), (5000, 3000), (3000, 3000)]
    let other = one.map { ($0.0 + 300, $0.1 + 1000) }
    let joined = try JoinedSample(CutSample().tiles([polygon([one, other], id: 7)]))
    #expect(joined.features.map(\.area) == [4_000_000, 4_000_000])
    #expect(joined.features.map { $0.borderLength() } == [0, 0])
  }

  @Test("holes stay with their ring where it is divided from others")
  func holesOfOverlaps() throws {
    let hole = [(1200.0, 1200.0), (1200, 1400), (1400, 1400), (1400, 1200)]
    let other = Self.square.map { ($0.0 + 1000, $0.1 + 1000) }
    let island = [(2500.0, 3500.0), (2600, 3500), (2600, 3600), (2500, 3600)]
    let shape = polygon([Self.square, hole, other, island])
    let joined = try JoinedSample(CutSample().tiles([shape]))
    let parts = joined.features.map { feature in feature.kinds.count }
    #expect(joined.features.map(\.kinds.first) == [.outerRing, .outerRing])
    #expect(parts == [2, 2])
    #expect(joined.features[0].kinds == [.outerRing, .innerRing])
    // The island lies wholly inside the other ring, so it stays a hole of it.
    #expect(joined.features[1].kinds == [.outerRing, .outerRing])
  }

  @Test("two layers of one name are read as one")
  func repeatedLayer() throws {
    let one = CutSample(layer: "a").tiles([polygon([Self.square], id: 1, name: "one")])
    let other = CutSample(extent: 512, buffer: 8, layer: "a").tiles(
      [polygon([Self.square.map { ($0.0 / 8, $0.1 / 8) }], id: 2, name: "other")])
    let bytes = one[0].bytes + other[0].bytes
    var reader = VectorTileReader(
      layer: "a", tiles: [one[0].tile], joining: .all, content: { _ in .bytes(bytes) })
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect((0..<batch.count).map { batch.ids.text($0) } == ["1", "2"])
    #expect((0..<batch.count).map { batch.columns[0].text($0) } == ["one", "other"])
    #expect(reader.ledger.rejectedTotal == 0)
  }

  @Test("features keep the order that they have in each tile")
  func order() throws {
    let shapes = (0..<5).map { index in
      polygon(
        [
          [
            (9000 - Double(index) * 2000, 1000), (9500, 1000), (9500, 2000),
            (9000 - Double(index) * 2000, 2000),
          ]
        ], name: "\(index)")
    }
    let joined = try JoinedSample(CutSample().tiles(shapes))
    #expect(joined.features.map(\.name) == ["0", "1", "2", "3", "4"])
  }

  @Test("a hole that a border cuts belongs to the ring around it, others to theirs")
  func holes() throws {
    let shape = polygon([
      [(1000, 1000), (7000, 1000), (7000, 7000), (1000, 7000)],
      [(1500, 1500), (1500, 2000), (2000, 2000), (2000, 1500)],
      [(4000, 3000), (4000, 5000), (6000, 5000), (6000, 3000)],
    ])
    let joined = try JoinedSample(CutSample().tiles([shape]))
    let feature = try #require(joined.features.first)
    #expect(feature.kinds == [.outerRing, .innerRing, .innerRing])
    #expect(feature.area == 36_000_000 - 250_000 - 4_000_000)
    expectEqual(feature, shape)
  }

  @Test(
    "the water and roads of Bangkok's real tiles are joined", .enabled(if: SharedData.isThere),
    arguments: ["water", "road"])
  func bangkok(layer: String) throws {
    let folder = "conformance/mvt/real-world/bangkok"
    let tiles = try SharedData.names(in: folder, ending: ".mvt").map { name in
      let parts = name.split(whereSeparator: { "-.".contains($0) }).compactMap { Int($0) }
      return (
        TileCoord(z: parts[0], x: parts[1], y: parts[2]),
        try VectorTile(try SharedData.bytes("\(folder)/\(name)"), isWanted: { $0 == layer })
      )
    }.sorted { TileKey($0.0) < TileKey($1.0) }
    var joiner = VectorTileJoiner(zoom: 12)
    for (tile, content) in tiles { for layer in content.layers { joiner.add(tile, layer) } }
    let counts = joiner.counts
    #expect(counts.rejected == 0)
    let pieces = counts.features - counts.outside
    let batch = try joiner.joined()
    #expect(pieces > 30)
    #expect(batch.count < pieces * 9 / 10)
    #expect(batch.geometry.kinds.allSatisfy { $0 != .none })
  }
}
