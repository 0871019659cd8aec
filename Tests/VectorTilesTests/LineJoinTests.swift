import Features
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

private func line(
  _ parts: [[(Double, Double)]], id: UInt64? = nil, name: String? = nil
) -> CutSample.Shape {
  CutSample.Shape(
    type: .line, parts: parts.map { part in part.map { GridPoint($0.0, $0.1) } }, id: id,
    properties: name.map { [("name", .string($0))] } ?? [])
}

@Suite("Lines and points across the borders of vector tiles")
struct LineJoinTests {
  /// The parts without the vertices that lie on a border.
  private func inner(_ feature: JoinedSample.Feature) -> [[GridPoint]] {
    feature.parts.map { part in
      part.filter {
        $0.x.remainder(dividingBy: 4096) != 0 && $0.y.remainder(dividingBy: 4096) != 0
      }
    }
  }

  @Test("a line that many tiles cut is one line of the same direction")
  func zigzag() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<20 {
      let points = (0..<40).map { index in
        (Double(100 + index * 500 + random.below(400)), Double(1 + random.below(16_000)))
      }.filter { !$0.0.isMultiple(of: 4096) && !$0.1.isMultiple(of: 4096) }
      let joined = try JoinedSample(CutSample().tiles([line([points], name: "road")]))
      #expect(joined.features.count == 1)
      let feature = try #require(joined.features.first)
      #expect(feature.kind == .lineString)
      #expect(inner(feature) == [points.map { GridPoint($0.0, $0.1) }])
      #expect(feature.name == "road")
    }
  }

  @Test("the vertices that joining adds to a line lie on it")
  func addedVertices() throws {
    let points = [(1000.0, 1000.0), (15_000, 13_000), (15_500, 900)]
    let joined = try JoinedSample(CutSample().tiles([line([points])]))
    let feature = try #require(joined.features.first)
    let original = [points.map { GridPoint($0.0, $0.1) }]
    // A ring of the same vertices has one more edge, far from the others.
    for vertex in feature.parts.joined() { #expect(original.distance(to: vertex) <= 1) }
  }

  @Test("a line along a border, or through a corner, is there once")
  func bordersAndCorners() throws {
    let along = [(1000.0, 1000.0), (4096, 1000), (4096, 3000), (7000, 3000)]
    let corner = [(3096.0, 3096.0), (5096, 5096)]
    for points in [along, corner, along.reversed(), corner.reversed()] {
      for buffer in [0, 64] {
        let joined = try JoinedSample(CutSample(buffer: buffer).tiles([line([points])]))
        #expect(joined.features.count == 1)
        let length = joined.features.flatMap(\.edges).reduce(0) {
          $0
            + (($1.a.x - $1.b.x) * ($1.a.x - $1.b.x) + ($1.a.y - $1.b.y) * ($1.a.y - $1.b.y))
            .squareRoot()
        }
        let whole = zip(points, points.dropFirst()).reduce(0.0) {
          let (dx, dy) = ($1.0.0 - $1.1.0, $1.0.1 - $1.1.1)
          return $0 + (dx * dx + dy * dy).squareRoot()
        }
        #expect(abs(length - whole) < 1)
        #expect(joined.features.first?.kind == .lineString)
      }
    }
  }

  @Test("a line that comes back to its tile is one line, and a closed one stays closed")
  func returning() throws {
    let loop = [(1000.0, 1000.0), (6000, 1500), (6000, 2500), (1000, 3000), (1000, 1000)]
    let joined = try JoinedSample(CutSample().tiles([line([loop])]))
    #expect(joined.features.map(\.kind) == [.lineString])
    #expect(joined.features.first.map(inner) == [loop.map { GridPoint($0.0, $0.1) }])
  }

  @Test("lines with other ids or properties are not joined, nor those that end far apart")
  func apart() throws {
    let west = [(1000.0, 1000.0), (4096, 1000)]
    func count(_ one: CutSample.Shape, _ other: CutSample.Shape) throws -> Int {
      try JoinedSample(CutSample(buffer: 0).tiles([one, other])).features.count
    }
    func east(_ y: Double) -> [(Double, Double)] { [(4096, y), (7000, 1000)] }
    #expect(try count(line([west], id: 1), line([east(1000)], id: 2)) == 2)
    #expect(try count(line([west], name: "a"), line([east(1000)], name: "b")) == 2)
    #expect(try count(line([west]), line([east(1000)])) == 1)
    #expect(try count(line([west]), line([east(1004)])) == 1)
    #expect(try count(line([west]), line([east(1005)])) == 2)
  }

  @Test("lines that a tile has turned go on in the direction of the first piece")
  func turned() throws {
    let whole = [(1000.0, 1000.0), (4096, 1000), (7000, 1500), (8192, 1500), (9000, 2000)]
    let parts = [Array(whole[..<2]), Array(whole[1..<4].reversed()), Array(whole[3...])]
    let sample = CutSample(buffer: 0)
    for parts in [parts, parts.map { $0.reversed() }] {
      let joined = try JoinedSample(sample.tiles(parts.map { line([$0]) }))
      #expect(joined.features.map(\.kind) == [.lineString])
      let expected = parts[0][0].0 == 1000 ? whole : whole.reversed()
      #expect(joined.features.first?.parts == [expected.map { GridPoint($0.0, $0.1) }])
    }
    // Where lines begin and end at one place, those that need not be turned go on.
    let others = [[(4096.0, 1001.0), (7000, 1001)], [(1000, 1001), (4096, 1001)]]
    let both = try JoinedSample(sample.tiles((parts[..<2] + others).map { line([$0]) }))
    #expect(both.features.count == 2)
    #expect(
      both.features.contains {
        $0.parts == [[GridPoint(1000, 1001), GridPoint(4096, 1001), GridPoint(7000, 1001)]]
      })
  }

  @Test("ends of lines that differ meet halfway")
  func halfway() throws {
    let tiles = CutSample(buffer: 0).tiles([
      line([[(1000, 1000), (4096, 1000)]]), line([[(4096, 1004), (7000, 1000)]]),
    ])
    let feature = try #require(try JoinedSample(tiles).features.first)
    #expect(
      feature.parts == [[GridPoint(1000, 1000), GridPoint(4096, 1002), GridPoint(7000, 1000)]])
  }

  @Test("lines that are not joined stay as their tiles have them, each after a place in its tile")
  func linesOfTiles() throws {
    let road = line([[(1000, 1000), (7000, 1000)], [(100, 9), (200, 9)]], id: 7)
    // It lies in the second tile, and in the buffer of the first.
    let lane = line([[(4110, 500), (4120, 3000)]])
    let sample = try JoinedSample(CutSample().tiles([road, lane]), joining: .areas)
    #expect(sample.counts.outside == 0)
    let lines = sample.features.map { feature in
      zip(feature.kinds, feature.parts).filter { $0.0 == .line }.map(\.1)
    }
    #expect(
      lines == [
        [[GridPoint(1000, 1000), GridPoint(4160, 1000)], [GridPoint(100, 9), GridPoint(200, 9)]],
        [[GridPoint(4110, 500), GridPoint(4120, 3000)]],
        [[GridPoint(4032, 1000), GridPoint(7000, 1000)]],
        [[GridPoint(4110, 500), GridPoint(4120, 3000)]],
      ])
    #expect(
      sample.features.map(\.kind) == [
        .multiLineString, .lineString, .lineString, .lineString,
      ])
    #expect(sample.features.map(\.id) == ["7", nil, "7", nil])
    for (index, feature) in sample.features.enumerated() {
      #expect(feature.kinds == feature.parts.indices.map { $0 % 2 == 0 ? .tile : .line })
      for (kind, part) in zip(feature.kinds, feature.parts) where kind == .tile {
        let place = try #require(part.first)
        #expect(part.count == 1 && (index < 2) == (place.x < 4096))
        #expect(place.x.remainder(dividingBy: 4096) != 0)
      }
    }
  }

  @Test("areas are joined where lines are not")
  func areasBesideLines() throws {
    let corners = [(1000.0, 1000.0), (7000, 1000), (7000, 3000), (1000, 3000)]
    let area = CutSample.Shape(
      type: .polygon, parts: [corners.map { GridPoint($0.0, $0.1) }])
    let tiles = CutSample().tiles([area])
    let sample = try JoinedSample(tiles, joining: .areas)
    #expect(sample.features.map(\.parts) == (try JoinedSample(tiles)).features.map(\.parts))
    #expect(sample.features.count == 1)
  }

  @Test("points in the buffers of tiles and on their borders are there once")
  func points() throws {
    let places = [(100.0, 100.0), (4096, 500), (4096, 4096), (4090, 4100), (8192, 3), (8000, 8191)]
    let shapes = places.enumerated().map { index, place in
      CutSample.Shape(
        type: .point, parts: [[GridPoint(place.0, place.1)]], id: UInt64(index))
    }
    let joined = try JoinedSample(CutSample().tiles(shapes))
    #expect(joined.features.count == places.count)
    #expect(
      Set(joined.features.map { $0.parts }) == Set(places.map { [[GridPoint($0.0, $0.1)]] }))
    #expect(joined.features.allSatisfy { $0.kind == .point })
    #expect(joined.counts.outside > 0)
    #expect(joined.counts.features == joined.counts.outside + places.count)
  }

  @Test("a feature that cannot be read is counted with its tile, and the others are joined")
  func rejected() throws {
    let bytes = TileSample.tile([
      .init(
        "layer",
        [.init(.line, [[(1, 1)]]), .init(.point, [[(5, 5), (6, 6)]]), .init(.unknown, [[]])])
    ])
    let joined = try JoinedSample([(TileCoord(z: 2, x: 1, y: 3), bytes)])
    #expect(joined.counts.features == 3)
    #expect(joined.counts.rejected == 2)
    #expect(joined.counts.examples.first?.tile == TileCoord(z: 2, x: 1, y: 3))
    #expect(joined.counts.examples.first?.feature == 0)
    #expect(joined.features.map(\.kind) == [.multiPoint])
  }

  @Test("properties of joined features have a column for each name and are missing where they are")
  func properties() throws {
    let shapes = [
      CutSample.Shape(
        type: .point, parts: [[GridPoint(10, 10)]], id: .max,
        properties: [("a", .int(1)), ("b", .string("x"))]),
      CutSample.Shape(
        type: .point, parts: [[GridPoint(20, 20)]],
        properties: [("c", .bool(true)), ("b", .double(2))]),
    ]
    let batch = try JoinedSample(CutSample().tiles(shapes)).batch
    let values = Dictionary(
      uniqueKeysWithValues: batch.columns.map { column in
        (column.name, (0..<2).map { column.value($0) })
      })
    #expect(
      values == [
        "a": [.number(1), nil], "b": [.string("x"), .number(2)], "c": [nil, .bool(true)],
      ])
    #expect((0..<2).map { batch.ids.text($0) } == ["18446744073709551615", nil])
    #expect(Array(batch.lines) == [1, 2])
  }
}

extension Double {
  fileprivate func isMultiple(of step: Double) -> Bool { remainder(dividingBy: step) == 0 }
}
