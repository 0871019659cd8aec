import Failures
import Features
import TestSupport
import Testing
import Tiling
import VectorTileSamples

@testable import VectorTiles

private typealias Sample = TileSample

/// Returns the features of all layers with their geometries decoded.
private func features(
  _ bytes: [UInt8], limits: VectorTileLimits = VectorTileLimits()
) throws(VectorTileError) -> [VectorTileFeature] {
  var features: [VectorTileFeature] = []
  for layer in try VectorTile(bytes, limits: limits).layers {
    for index in 0..<layer.count {
      var feature = VectorTileFeature()
      try layer.readFeature(index, into: &feature)
      try feature.decodeGeometry()
      features.append(feature)
    }
  }
  return features
}

/// Returns the error of a tile, or of its features.
private func fault(_ bytes: [UInt8], limits: VectorTileLimits = VectorTileLimits())
  -> VectorTileError?
{
  do throws(VectorTileError) {
    _ = try features(bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

@Suite("Vector tiles")
struct VectorTileTests {
  @Test("a vector tile's layers, features, ids and properties are those that were encoded")
  func content() throws {
    let values: [(String, VectorTileValue)] = [
      ("a", .string("ä")), ("b", .float(1.5)), ("c", .double(-0.1)), ("d", .int(-3)),
      ("e", .uint(.max)), ("f", .sint(.min)), ("g", .bool(true)), ("h", .string("ä")),
    ]
    let bytes = Sample.tile([
      .init("points", [.init(.point, [[(1, 2), (-3, 5000)]], id: 7, values)]),
      .init("empty", extent: 512, version: 1, []),
    ])
    let tile = try VectorTile(bytes)
    #expect(tile.layers.map(\.name) == ["points", "empty"])
    #expect(tile.layers.map(\.extent) == [4096, 512])
    #expect(tile.layers.map(\.version) == [2, 1])
    #expect(tile.layers.map(\.count) == [1, 0])
    let layer = try #require(tile.layers(named: "points").first)
    #expect(layer.keys == values.map(\.0))
    #expect(layer.values == values.dropLast().map(\.1))
    var feature = VectorTileFeature()
    try layer.readFeature(0, into: &feature)
    try feature.decodeGeometry()
    #expect(feature.id == 7)
    #expect(feature.type == .point)
    #expect(feature.tags == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 0])
    #expect(feature.vertices == [TilePosition(x: 1, y: 2), TilePosition(x: -3, y: 5000)])
    #expect(feature.parts == [.point, .point])
  }

  @Test("properties of a vector tile are numbers whatever their encoding, whole ones to the digit")
  func properties() {
    #expect(VectorTileValue.int(5).property == .number(5))
    #expect(VectorTileValue.uint(5).property == VectorTileValue.float(5).property)
    #expect(VectorTileValue.bool(false).property == .bool(false))
    #expect(
      VectorTileValue.uint(.max).property == WholeNumber("18446744073709551615").map { .whole($0) })
    var column = PropertyColumn(name: "n")
    for value: VectorTileValue in [
      .sint(.min), .double(.nan), .float(0.5), .string("x"), .bool(true), .int(3),
    ] {
      value.append(to: &column)
    }
    let texts = ["-9223372036854775808", nil, "0.5", "x", "true", "3"]
    #expect((0..<6).map { column.text($0) } == texts)
  }

  @Test("only the wanted layers of a vector tile are kept, and all of one name")
  func layers() throws {
    let one = Sample.Layer("a", [.init(.point, [[(1, 1)]])])
    let other = Sample.Layer("a", [])
    let bytes = Sample.tile([one, .init("b", []), other])
    #expect(try VectorTile(bytes, isWanted: { $0 == "b" }).layers.map(\.name) == ["b"])
    let tile = try VectorTile(bytes)
    #expect(tile.layers.map(\.name) == ["a", "b", "a"])
    #expect(tile.layers(named: "a").map(\.count) == [1, 0])
    #expect(tile.repeatedNames == ["a"])
  }

  @Test("a tile without bytes has no layers, and unknown fields are skipped")
  func unknownFields() throws {
    #expect(try VectorTile([]).layers.isEmpty)
    var tile = Sample.Message()
    tile.integer(9, 3)
    tile.fixed(17, UInt32(5))
    tile.fixed(18, UInt64(5))
    tile.run(20, [1, 2, 3])
    tile.run(3, Sample.Layer("a", []).bytes)
    #expect(try VectorTile(tile.bytes).layers.map(\.name) == ["a"])
  }

  @Test("a layer without name or version, or of another version, ends the tile")
  func heads() {
    var nameless = Sample.Message()
    nameless.integer(15, 2)
    var versionless = Sample.Message()
    versionless.run(1, Array("a".utf8))
    #expect(fault(Sample.tile([nameless.bytes]))?.fact == .missing(field: "name"))
    let error = fault(Sample.tile([versionless.bytes]))
    #expect(error?.fact == .missing(field: "version"))
    #expect(error?.layer == "a" && error?.feature == nil)
    #expect((try? VectorTile(Sample.tile([versionless.bytes]), assumesVersion1: true)) != nil)
    #expect(fault(Sample.tile([.init("a", version: 3, [])]))?.fact == .version(3))
    #expect(fault(Sample.tile([.init("a", extent: 0, [])]))?.fact == .extent(0))
  }

  @Test("a layer that cannot be read is left out where layers are spared, if its name is wanted")
  func sparedLayers() throws {
    var nameless = Sample.Message()
    nameless.integer(15, 2)
    var broken = Sample.Layer("b", []).bytes
    broken += [0x12, 0x7F]
    let good = Sample.Layer("a", [.init(.point, [[(1, 1)]])])
    let later = Sample.Layer("c", version: 3, [])
    let bytes = Sample.tile([nameless.bytes, broken, later.bytes, good.bytes])
    let tile = try VectorTile(bytes, sparesLayers: true, isWanted: { "ab".contains($0) })
    #expect(tile.layers.map(\.name) == ["a"])
    #expect(tile.faults.map(\.layer) == [nil, "b"])
    #expect(tile.faults.map(\.fact) == [.missing(field: "name"), .truncated])
    #expect(throws: VectorTileError.self) { try VectorTile(bytes) }
    // The framing of the tile itself must hold.
    #expect(throws: VectorTileError.self) { try VectorTile([0x1A, 0x7F, 0], sparesLayers: true) }
  }

  @Test("a damaged value, or one of no type, concerns the features that have it")
  func brokenValues() throws {
    for value: [UInt8] in [[], [0x0A, 0x7F], [0x48, 1]] {
      var layer = Sample.Message()
      layer.integer(15, 2)
      layer.run(1, Array("a".utf8))
      for tag: UInt32 in [0, 1] {
        var feature = Sample.Message()
        feature.packed(2, [0, tag])
        feature.integer(3, 1)
        feature.packed(4, [9, 2, 2])
        layer.run(2, feature.bytes)
      }
      layer.run(3, Array("key".utf8))
      layer.run(4, value)
      layer.run(4, Sample.bytes(of: .int(7)))
      let read = try #require(try VectorTile(Sample.tile([layer.bytes])).layers.first)
      var feature = VectorTileFeature()
      let error = #expect(throws: VectorTileError.self) { try read.readFeature(0, into: &feature) }
      #expect(error?.fact == .value && error?.feature == 0)
      try read.readFeature(1, into: &feature)
      #expect(read.values[Int(feature.tags[1])] == .int(7))
    }
  }

  @Test("fields of another wire type end the tile")
  func forms() {
    var layer = Sample.Message()
    layer.integer(15, 2)
    layer.run(1, Array("a".utf8))
    var wrong = layer
    wrong.integer(3, 5)
    let error = fault(Sample.tile([wrong.bytes]))
    #expect(error?.fact == .form(field: "keys"))
    // Two bytes of the tile and five of the layer precede the field.
    #expect(error?.byte == 7)
    #expect(
      error?.sentence
        == "the vector tile, layer 'a', byte 7: the field 'keys' has another wire type than the "
        + "format demands; make the tile again, or leave it out.")
    #expect(error?.failureCode == .badData)
    #expect(fault([0x1B])?.fact == .field)
    #expect(fault([0x1A, 0x05, 0x00])?.fact == .truncated)
    let long = [0x48] + [UInt8](repeating: 0xFF, count: 10)
    #expect(fault(long)?.fact == .longInteger)
  }

  @Test("an error of a feature says tile, layer and feature, and spares the others")
  func featureErrors() throws {
    let good = Sample.Feature(.point, [[(1, 1)]])
    let bytes = Sample.tile([.init("a", [good, .init(.line, [[(1, 1)]]), good])])
    var error = try #require(fault(bytes))
    error.tile = TileCoord(z: 3, x: 1, y: 2)
    #expect(error.layer == "a" && error.feature == 1)
    #expect(error.sentence.hasPrefix("tile 3/1/2, layer 'a', feature 2, byte "))
    let layer = try #require(try VectorTile(bytes).layers(named: "a").first)
    var feature = VectorTileFeature()
    try layer.readFeature(2, into: &feature)
    try feature.decodeGeometry()
    #expect(feature.vertices == [TilePosition(x: 1, y: 1)])
  }

  @Test("limits of a vector tile hold for bytes, layers, features, keys, values and vertices")
  func limits() {
    let bytes = Sample.tile([
      .init(
        "a",
        [.init(.line, [[(0, 0), (1, 1), (2, 2)]], [("k", .bool(true)), ("l", .bool(false))])]),
      .init("b", [.init(.point, [[(0, 0)]])]),
    ])
    #expect(fault(bytes) == nil)
    func fact(_ change: (inout VectorTileLimits) -> Void) -> VectorTileError.Fact? {
      var limits = VectorTileLimits()
      change(&limits)
      return fault(bytes, limits: limits)?.fact
    }
    #expect(fact { $0.bytes = 10 } == .large(bytes: bytes.count, limit: 10))
    #expect(fact { $0.layers = 1 } == .tooMany("layers", limit: 1))
    #expect(fact { $0.features = 1 } == .tooMany("features", limit: 1))
    #expect(fact { $0.keys = 1 } == .tooMany("keys", limit: 1))
    #expect(fact { $0.values = 1 } == .tooMany("values", limit: 1))
    #expect(fact { $0.properties = 1 } == .tooMany("properties", limit: 1))
    #expect(fact { $0.vertices = 2 } == .tooMany("vertices", limit: 2))
  }

  @Test("a truncated vector tile, or one with a changed byte, is read or refused")
  func damage() throws {
    let good = Sample.tile([
      .init(
        "a",
        [
          .init(.polygon, [[(0, 0), (90, 0), (90, 90)], [(60, 10), (60, 30), (80, 30)]], id: 3),
          .init(.line, [[(1, 1), (300, 5)]], [("k", .string("v")), ("n", .double(2))]),
        ])
    ])
    var random = SplitMix64(seed: 3)
    var refused = 0
    for round in 0..<2000 {
      var bytes = good
      if round % 4 == 0 {
        bytes.removeLast(1 + random.below(bytes.count - 1))
      } else {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      if fault(bytes) != nil { refused += 1 }
    }
    #expect(refused > 500)
  }
}

@Suite("Geometries of vector tiles")
struct VectorTileGeometryTests {
  @Test("lines of a vector tile keep their vertices and parts")
  func lines() throws {
    let feature = try features(
      Sample.tile([.init("a", [.init(.line, [[(0, 0), (5, -5)], [(9, 9), (8, 9), (8, 8)]])])]))
    let line = try #require(feature.first)
    #expect(line.parts == [.line, .line])
    #expect(line.ends == [2, 5])
    #expect(line.vertices.map(\.x) == [0, 5, 9, 8, 8])
    #expect(line.vertices.map(\.y) == [0, -5, 9, 9, 8])
  }

  private static let square = [(0, 0), (10, 0), (10, 10), (0, 10)]
  private static let hole = [(2, 2), (2, 4), (4, 4), (4, 2)]

  @Test("rings of a vector tile are outer ones or holes by their direction")
  func rings() throws {
    let far = Self.square.map { ($0.0 + 20, $0.1) }
    let polygons = try features(
      Sample.tile([.init("a", [.init(.polygon, [Self.square, Self.hole, far])])]))
    #expect(polygons.first?.parts == [.outerRing, .innerRing, .outerRing])
    #expect(polygons.first?.ends == [4, 8, 12])
  }

  @Test("polygons whose outer rings run the other way are turned, and rings without area dropped")
  func turned() throws {
    let flat = [(0, 0), (5, 5), (9, 9)]
    let polygons = try features(
      Sample.tile([
        .init(
          "a", version: 1,
          [.init(.polygon, [flat, Self.square.reversed(), Self.hole.reversed()])])
      ]))
    let polygon = try #require(polygons.first)
    #expect(polygon.parts == [.outerRing, .innerRing])
    let vertices = polygon.vertices.map { (Int($0.x), Int($0.y)) }
    #expect(vertices.prefix(4).elementsEqual(Self.square, by: ==))
    #expect(vertices.suffix(4).elementsEqual(Self.hole, by: ==))
  }

  @Test("a ring that repeats its first vertex is the ring without it")
  func closedRing() throws {
    let closed = Self.square + [(0, 0)]
    let polygons = try features(Sample.tile([.init("a", [.init(.polygon, [closed])])]))
    #expect(polygons.first?.ends == [4])
  }

  @Test("positions beyond 32 bits are held at the limit")
  func overflow() throws {
    let lines = try features(Sample.tile(2, commands: [9, 4_294_967_294, 0, 10, 2, 2]))
    #expect(lines.first?.vertices.map(\.x) == [.max, .max])
    #expect(lines.first?.vertices.map(\.y) == [0, 1])
  }

  @Test("a feature of no type has no geometry here, and is read")
  func unknownType() throws {
    let features = try features(Sample.tile(0, commands: [9, 50, 34]))
    #expect(features.first?.type == .unknown)
    #expect(features.first?.vertices.isEmpty == true)
    #expect(features.first?.commands == [9, 50, 34])
  }

  @Test(
    "a geometry whose commands make no sense is refused",
    arguments: [
      (1, [15, 50, 34], .order(of: "ClosePath")),
      (1, [9, 50], .count(of: "MoveTo", 1)),
      (1, [1], .count(of: "MoveTo", 0)),
      (1, [9, 2, 2, 9, 2, 2], .order(of: "MoveTo")),
      (1, [9, 2, 2, 10, 2, 2], .order(of: "LineTo")),
      (1, [4_294_967_289, 2, 2], .count(of: "MoveTo", 536_870_911)),
      (1, [12, 2, 2], .command(4)),
      (1, [], .noGeometry),
      (2, [10, 2, 2], .order(of: "LineTo")),
      (2, [9, 2, 2], .unfinished("a line")),
      (2, [17, 2, 2, 2, 2], .count(of: "MoveTo", 2)),
      (2, [9, 2, 2, 2], .count(of: "LineTo", 0)),
      (2, [9, 0, 0, 4_294_967_290, 6, 10], .count(of: "LineTo", 536_870_911)),
      (2, [9, 4, 4, 18, 0, 16, 16, 0, 15], .order(of: "ClosePath")),
      (3, [9, 6, 12, 18, 10, 12, 24, 44, 23], .count(of: "ClosePath", 2)),
      (3, [9, 6, 12, 18, 10, 12, 24, 44, 7], .count(of: "ClosePath", 0)),
      (3, [9, 6, 12, 18, 10, 12, 24, 44], .unfinished("a ring")),
      (3, [9, 6, 12, 15], .unfinished("a ring")),
      (4, [9, 6, 12], .geometryType(4)),
    ] as [(UInt64, [UInt32], VectorTileError.Fact)])
  func refused(type: UInt64, commands: [UInt32], fact: VectorTileError.Fact) {
    let error = fault(Sample.tile(type, commands: commands))
    #expect(error?.fact == fact)
    #expect(error?.layer == "layer" && error?.feature == 0)
  }

  @Test(
    "properties that the layer lacks, and keys without a value, are refused",
    arguments: [
      ([0], .oddTags), ([1, 0], .tag("key", index: 1, count: 1)),
      ([0, 9], .tag("value", index: 9, count: 1)),
    ] as [([UInt32], VectorTileError.Fact)])
  func tags(tags: [UInt32], fact: VectorTileError.Fact) {
    #expect(fault(Sample.tile(1, commands: [9, 2, 2], tags: tags))?.fact == fact)
  }

  @Test("tiles of version 1 may repeat MoveTo in points, close lines and leave rings open")
  func version1() throws {
    let points = try features(Sample.tile(1, commands: [9, 2, 2, 9, 2, 2], version: 1))
    #expect(points.first?.vertices.map(\.x) == [1, 2])
    let line = try features(Sample.tile(2, commands: [9, 4, 4, 18, 0, 16, 16, 0, 7], version: 1))
    #expect(line.first?.vertices.map(\.y) == [2, 10, 10, 2])
    #expect(line.first?.parts == [.line])
    let ring = try features(Sample.tile(3, commands: [9, 0, 0, 18, 8, 0, 0, 8], version: 1))
    #expect(ring.first?.parts == [.outerRing])
  }
}
