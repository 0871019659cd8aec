import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

/// The records of tiles, with their parts in grid units.
private struct RecordsSample {
  struct Record {
    let kind: GeometryColumn.Kind
    let kinds: [GeometryColumn.Part]
    let parts: [[GridPoint]]
    let tile: UInt64?
    let id: String?
    let name: String?

    /// The area by the shoelace formula, holes taken away.
    var area: Double { parts.reduce(0) { $0 + ringArea($1.map { ($0.x, $0.y) }) } }
  }

  var records: [Record] = []
  var counts: [VectorTileRecords.Counts] = []
  var batches: [FeatureBatch] = []

  /// Reads all layers of some tiles.
  init(
    _ tiles: [(tile: TileCoord, bytes: [UInt8])], extent: Int = 4096, isPainted: Bool = true
  ) throws {
    for (tile, bytes) in tiles {
      var records = VectorTileRecords(of: tile, isPainted: isPainted)
      for layer in try VectorTile(bytes).layers { records.add(layer) }
      counts.append(records.counts)
      batches.append(records.records())
      let unit = Double(WorldVertex.turn >> tile.z) / Double(extent)
      self.records += batches[batches.count - 1].records(unit: unit)
    }
  }
}

extension FeatureBatch {
  fileprivate func records(unit: Double) -> [RecordsSample.Record] {
    let names = columns.firstIndex { $0.name == "name" }
    return (0..<count).map { row in
      let parts = geometry.partRange(row)
      return RecordsSample.Record(
        kind: geometry.kinds[row], kinds: parts.map { geometry.parts[$0] },
        parts: parts.map { part in
          geometry.positionRange(part).map { index in
            let vertex = WorldVertex(geometry.positions[index])
            return GridPoint(Double(vertex.x) / unit, Double(vertex.y) / unit)
          }
        }, tile: geometry.tile(of: row), id: ids.text(row),
        name: names.flatMap { columns[$0].text(row) })
    }
  }
}

private func ringArea(_ ring: [(Double, Double)]) -> Double {
  zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
    $0 + $1.0.0 * $1.1.1 - $1.1.0 * $1.0.1
  } / 2
}

private func shape(
  _ type: VectorTileFeature.GeometryType, _ parts: [[(Double, Double)]], id: UInt64? = nil,
  name: String? = nil
) -> CutSample.Shape {
  CutSample.Shape(
    type: type, parts: parts.map { part in part.map { GridPoint($0.0, $0.1) } }, id: id,
    properties: name.map { [("name", .string($0))] } ?? [])
}

@Suite("Features of a vector tile as records")
struct VectorTileRecordsTests {
  @Test("areas and lines stay as each tile has them, with its buffer")
  func wholeShapes() throws {
    let lake = shape(
      .polygon, [[(1000, 1000), (7000, 1000), (7000, 3000), (1000, 3000)]], id: 5, name: "lake")
    let road = shape(.line, [[(1000, 1000), (7000, 1000)], [(100, 9), (200, 9)]], id: 7)
    let tiles = CutSample().tiles([lake, road])
    let sample = try RecordsSample(tiles)
    #expect(sample.records.map(\.id) == ["5", "7", "5", "7"])
    #expect(sample.records.map(\.name) == ["lake", nil, "lake", nil])
    #expect(
      sample.records.map(\.kind) == [.polygon, .multiLineString, .polygon, .lineString])
    #expect(
      sample.records.map(\.tile) == [0, 0, 1, 1].map { TileKey(tiles[$0].tile).rawValue })
    #expect(sample.records[0].area == (4160 - 1000) * 2000)
    #expect(sample.records[2].area == (7000 - 4032) * 2000)
    #expect(sample.records[3].parts == [[GridPoint(4032, 1000), GridPoint(7000, 1000)]])
    #expect(sample.batches.allSatisfy { Array($0.lines) == [1, 2] })
  }

  @Test("a feature in a tile's buffer alone is kept where it is drawn, since its stroke reaches in")
  func bufferAlone() throws {
    let shapes = [
      shape(.line, [[(4110, 500), (4120, 3000)]]),
      shape(.polygon, [[(4110, 500), (4120, 3000), (4100, 3000)]]),
    ]
    let tiles = CutSample().tiles(shapes)
    #expect(tiles.count == 2)
    let painted = try RecordsSample(tiles)
    #expect(painted.records.count == 4 && painted.counts.allSatisfy { $0.outside == 0 })
    let marked = try RecordsSample(tiles, isPainted: false)
    #expect(marked.records.count == 2)
    #expect(marked.counts.map(\.outside) == [2, 0])
  }

  @Test("points in the buffers of tiles and on their borders are there once")
  func points() throws {
    let places = [(100.0, 100.0), (4096, 500), (4096, 4096), (4090, 4100), (8192, 3), (8000, 8191)]
    let tiles = CutSample().tiles(places.map { shape(.point, [[$0]]) })
    for isPainted in [true, false] {
      let sample = try RecordsSample(tiles, isPainted: isPainted)
      #expect(sample.records.count == places.count)
      #expect(
        Set(sample.records.map(\.parts)) == Set(places.map { [[GridPoint($0.0, $0.1)]] }))
      #expect(sample.records.allSatisfy { $0.kind == .point })
      let counts = sample.counts.reduce((0, 0)) { ($0.0 + $1.features, $0.1 + $1.outside) }
      #expect(counts.1 > 0 && counts.0 == counts.1 + places.count)
    }
  }

  @Test("a tile of any extent has its vertices where they are", arguments: [512, 1000, 4096, 8192])
  func extents(extent: Int) throws {
    let side = Double(extent)
    let ring = [(side * 0.1, side * 0.2), (side * 0.9, side * 0.3), (side * 0.4, side * 0.8)]
      .map { ($0.0.rounded(), $0.1.rounded()) }
    let tiles = CutSample(extent: extent, buffer: 8).tiles([shape(.polygon, [ring])])
    let sample = try RecordsSample(tiles, extent: extent)
    let found = try #require(sample.records.first?.parts.first)
    #expect(sample.records.count == 1 && found.count == 3)
    for (vertex, expected) in zip(found, ring) {
      #expect(abs(vertex.x - expected.0) < 1e-5 && abs(vertex.y - expected.1) < 1e-5)
    }
  }

  private static let square = [(1000.0, 1000.0), (3000, 1000), (3000, 3000), (1000, 3000)]

  @Test(
    "outer rings of one area that overlap are records of their own, others stay together",
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
      let tiles = CutSample(buffer: 3000).tiles([shape(.polygon, rings, id: 7, name: name)])
      let sample = try RecordsSample(Array(tiles[..<1]))
      #expect(sample.records.count == count, "\(name)")
      #expect(sample.records.allSatisfy { $0.id == "7" && $0.name == name })
      #expect(sample.counts[0].divided == count - 1)
      #expect(sample.records.map(\.parts.count).reduce(0, +) == 2)
      // Each ring is filled as far as it was.
      for ring in rings where count == 2 {
        #expect(sample.records.contains { abs($0.area - ringArea(ring)) < 1 })
      }
      #expect(try RecordsSample(Array(tiles[..<1]), isPainted: false).records.count == 1)
    }
  }

  @Test("holes stay with their ring where it is divided from others")
  func holesOfOverlaps() throws {
    let hole = [(1200.0, 1200.0), (1200, 1400), (1400, 1400), (1400, 1200)]
    let other = Self.square.map { ($0.0 + 1000, $0.1 + 1000) }
    let island = [(2500.0, 3500.0), (2600, 3500), (2600, 3600), (2500, 3600)]
    let tiles = CutSample().tiles([shape(.polygon, [Self.square, hole, other, island])])
    let records = try RecordsSample(tiles).records
    #expect(records.count == 2)
    #expect(records[0].kinds == [.outerRing, .innerRing])
    // The island lies wholly inside the other ring, so it stays a hole of it.
    #expect(records[1].kinds == [.outerRing, .outerRing])
  }

  @Test("a line without a length is no record")
  func emptyLine() throws {
    let bytes = TileSample.tile([
      .init("layer", [.init(.line, [[(5, 5), (5, 5)]]), .init(.line, [[(5, 5), (6, 5)]])])
    ])
    let sample = try RecordsSample([(TileCoord(z: 2, x: 1, y: 3), bytes)])
    #expect(sample.records.count == 1)
    #expect(sample.counts[0].outside == 1)
  }

  @Test("two layers of one name are read as one")
  func repeatedLayer() throws {
    let one = CutSample(layer: "a").tiles([shape(.polygon, [Self.square], id: 1, name: "one")])
    let other = CutSample(extent: 512, buffer: 8, layer: "a").tiles(
      [shape(.polygon, [Self.square.map { ($0.0 / 8, $0.1 / 8) }], id: 2, name: "other")])
    let sample = try RecordsSample([(one[0].tile, one[0].bytes + other[0].bytes)])
    #expect(sample.records.map(\.id) == ["1", "2"])
    #expect(sample.records.map(\.name) == ["one", "other"])
    #expect(sample.records.map(\.area) == [4_000_000, 4_000_000])
  }

  @Test("a feature that cannot be read is counted with its tile, and the others are records")
  func rejected() throws {
    let bytes = TileSample.tile([
      .init(
        "layer",
        [.init(.line, [[(1, 1)]]), .init(.point, [[(5, 5), (6, 6)]]), .init(.unknown, [[]])])
    ])
    let sample = try RecordsSample([(TileCoord(z: 2, x: 1, y: 3), bytes)])
    #expect(sample.counts[0].features == 3)
    #expect(sample.counts[0].rejected == 2)
    #expect(sample.counts[0].examples.first?.tile == TileCoord(z: 2, x: 1, y: 3))
    #expect(sample.counts[0].examples.first?.feature == 0)
    #expect(sample.records.map(\.kind) == [.multiPoint])
  }

  @Test("properties have a column for each name and are missing where they are")
  func properties() throws {
    let shapes = [
      CutSample.Shape(
        type: .point, parts: [[GridPoint(10, 10)]], id: .max,
        properties: [("a", .int(1)), ("b", .string("x"))]),
      CutSample.Shape(
        type: .point, parts: [[GridPoint(20, 20)]],
        properties: [("c", .bool(true)), ("b", .double(2))]),
    ]
    let batch = try #require(try RecordsSample(CutSample().tiles(shapes)).batches.first)
    let values = Dictionary(
      uniqueKeysWithValues: batch.columns.map { column in
        (column.name, (0..<2).map { column.value($0) })
      })
    #expect(
      values == [
        "a": [.number(1), nil], "b": [.string("x"), .number(2)], "c": [nil, .bool(true)],
      ])
    #expect((0..<2).map { batch.ids.text($0) } == ["18446744073709551615", nil])
  }

  @Test(
    "the water and roads of Bangkok's real tiles are records", .enabled(if: SharedData.isThere),
    arguments: ["water", "road"])
  func bangkok(layer: String) throws {
    let folder = "conformance/mvt/real-world/bangkok"
    var counts = (features: 0, outside: 0, rejected: 0)
    for name in try SharedData.names(in: folder, ending: ".mvt") {
      let parts = name.split(whereSeparator: { "-.".contains($0) }).compactMap { Int($0) }
      let tile = TileCoord(z: parts[0], x: parts[1], y: parts[2])
      let bytes = try SharedData.bytes("\(folder)/\(name)")
      var records = VectorTileRecords(of: tile, isPainted: false)
      for layer in try VectorTile(bytes, isWanted: { $0 == layer }).layers { records.add(layer) }
      counts.features += records.counts.features
      counts.outside += records.counts.outside
      counts.rejected += records.counts.rejected
      let batch = records.records()
      #expect(batch.geometry.kinds.allSatisfy { $0 != .none })
    }
    #expect(counts.rejected == 0)
    #expect(counts.features - counts.outside > 30)
  }
}
