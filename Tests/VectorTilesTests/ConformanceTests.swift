import Foundation
import PMTiles
import TestSupport
import Testing
import VectorTileSamples
import VectorTiles

/// A fixture of mapbox/mvt-fixtures: a tile, what it holds, and whether that is valid.
private struct Fixture: CustomTestStringConvertible {
  static let folder = "conformance/mvt/fixtures"

  let name: String

  static let all: [Fixture] = {
    guard SharedData.isThere else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: SharedData.path(folder))
    return (names ?? []).sorted().map { Fixture(name: $0) }
  }()

  var testDescription: String { name }

  /// The content of `tile.json`.
  struct Tile: Decodable {
    struct Feature: Decodable {
      var id: UInt64?
      var tags: [UInt32]?
      var type: UInt8?
      var geometry: [UInt32]?
    }

    /// A text, which fixture 076 spells as a number.
    struct Text: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        let content = try decoder.singleValueContainer()
        text = try (try? content.decode(String.self)) ?? "\(content.decode(Int.self))"
      }
    }

    struct Value: Decodable {
      var string_value: Text?
      var float_value: Float?
      var double_value: Double?
      var int_value: Int64?
      var uint_value: UInt64?
      var sint_value: Int64?
      var bool_value: Bool?

      var value: VectorTileValue? {
        string_value.map { .string($0.text) } ?? float_value.map { .float($0) }
          ?? double_value.map { .double($0) } ?? int_value.map { .int($0) }
          ?? uint_value.map { .uint($0) } ?? sint_value.map { .sint($0) }
          ?? bool_value.map { .bool($0) }
      }
    }

    struct Layer: Decodable {
      var version: Int
      var name: String
      var extent: Int?
      var features: [Feature]?
      var keys: [String]?
      var values: [Value]?
    }

    var layers: [Layer]?
  }

  struct Info: Decodable {
    struct Validity: Decodable {
      var v1: Bool
      var v2: Bool
      var error: String?
    }

    var validity: Validity
  }

  func bytes() throws -> [UInt8] { try SharedData.bytes("\(Self.folder)/\(name)/tile.mvt") }

  func decoded<Value: Decodable>(_ file: String, _: Value.Type) throws -> Value {
    let bytes = try SharedData.bytes("\(Self.folder)/\(name)/\(file)")
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  }
}

/// Returns the commands that draw a geometry as specified.
private func commands(of feature: VectorTileFeature) -> ContiguousArray<UInt32> {
  let parts = feature.parts.indices.map { part in
    feature.vertices[feature.vertexRange(part)].map { (Int($0.x), Int($0.y)) }
  }
  return ContiguousArray(TileSample.Feature(feature.type, parts).commands)
}

@Suite(
  "Conformance of vector tiles",
  .enabled(
    if: !Fixture.all.isEmpty,
    "conformance/mvt is not in ../shared/data (or $QUADRILLE_SHARED/data)"))
struct ConformanceTests {
  /// Valid fixtures whose geometry is refused all the same: that of 057 has the commands of 051, which
  /// is invalid; 049 and 050 leave 32 bits, and 061 is closed by a command.
  private static let special: Set<String> = ["049", "050", "057", "061"]

  /// Invalid fixtures whose only fault is the value 0: a number where a text is declared, and a type
  /// of a later version. No feature has it, so each loses nothing and is read as MapLibre reads it.
  private static let broken: Set<String> = ["010", "026"]

  @Test(
    "valid vector tiles read to their tile.json, invalid ones are refused or read as they may be")
  func fixtures() throws {
    for fixture in Fixture.all {
      let validity = try fixture.decoded("info.json", Fixture.Info.self).validity
      if validity.v1 || validity.v2 {
        try expectContent(of: fixture, assumesVersion1: !validity.v2)
      } else if Self.broken.contains(fixture.name) {
        try expectBrokenValue(in: fixture)
      } else if validity.error != "recoverable" {
        #expect(throws: VectorTileError.self, "\(fixture.name)") { try readAll(fixture) }
      } else {
        // Reading may succeed; it must not trap.
        _ = try? readAll(fixture)
      }
    }
  }

  /// Reads everything of a tile.
  private func readAll(_ fixture: Fixture) throws {
    var feature = VectorTileFeature()
    for layer in try VectorTile(try fixture.bytes()).layers {
      for index in 0..<layer.count {
        try layer.readFeature(index, into: &feature)
        try feature.decodeGeometry()
      }
    }
  }

  /// Expects a tile to be read but for features that have the value 0, which are refused.
  private func expectBrokenValue(in fixture: Fixture) throws {
    try readAll(fixture)
    var bytes = try fixture.bytes()
    let layer = try #require(try VectorTile(bytes).layers.first)
    #expect(layer.count == 1, "\(fixture.name)")
    // Gives the feature, the run after "12 09" (field 2, 9 bytes), the tags 0 and 0.
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x12, 0x09]) })
    bytes.insert(contentsOf: [0x12, 0x02, 0x00, 0x00], at: start + 2)
    bytes[start + 1] += 4
    bytes[1] += 4
    if layer.keys.isEmpty {
      bytes.append(contentsOf: [0x1a, 0x01, 0x61])
      bytes[1] += 3
    }
    let tagged = try #require(try VectorTile(bytes).layers.first)
    var feature = VectorTileFeature()
    let error = #expect(throws: VectorTileError.self) {
      try tagged.readFeature(0, into: &feature)
    }
    #expect(error?.fact == .value && error?.feature == 0, "\(fixture.name)")
  }

  /// - Parameter assumesVersion1: for tiles that only readers of version 1 have to read.
  private func expectContent(of fixture: Fixture, assumesVersion1: Bool) throws {
    let name = fixture.name
    let expected = try fixture.decoded("tile.json", Fixture.Tile.self).layers ?? []
    let tile = try VectorTile(try fixture.bytes(), assumesVersion1: assumesVersion1)
    #expect(tile.layers.map(\.name) == expected.map(\.name), "\(name)")
    for (layer, other) in zip(tile.layers, expected) {
      #expect(layer.version == other.version, "\(name)")
      #expect(layer.extent == other.extent ?? 4096, "\(name)")
      #expect(layer.keys == other.keys ?? [], "\(name)")
      #expect(layer.values == (other.values ?? []).map(\.value), "\(name)")
      #expect(layer.count == other.features?.count ?? 0, "\(name)")
      for (index, feature) in (other.features ?? []).enumerated() {
        try expectFeature(index, of: layer, feature, name)
      }
    }
  }

  private func expectFeature(
    _ index: Int, of layer: VectorTileLayer, _ other: Fixture.Tile.Feature, _ name: String
  ) throws {
    var feature = VectorTileFeature()
    try layer.readFeature(index, into: &feature)
    #expect(feature.id == other.id, "\(name)")
    #expect(feature.type.rawValue == other.type ?? 0, "\(name)")
    #expect(feature.tags.elementsEqual(other.tags ?? []), "\(name)")
    #expect(feature.commands.elementsEqual(other.geometry ?? []), "\(name)")
    if name == "057" {
      #expect(throws: VectorTileError.self) { try feature.decodeGeometry() }
      return
    }
    try feature.decodeGeometry()
    guard feature.type != .unknown, !Self.special.contains(name) else { return }
    #expect(commands(of: feature) == feature.commands, "\(name)")
  }

  @Test("every tile of Bangkok, Chicago and Norway is read to its last feature")
  func realTiles() throws {
    var tiles = 0
    var features = 0
    for city in ["bangkok", "chicago", "norway"] {
      let folder = "conformance/mvt/real-world/\(city)"
      for name in try SharedData.names(in: folder, ending: ".mvt") {
        tiles += 1
        for layer in try VectorTile(try SharedData.bytes("\(folder)/\(name)")).layers {
          features += layer.count
          var feature = VectorTileFeature()
          for index in 0..<layer.count {
            try layer.readFeature(index, into: &feature)
            try feature.decodeGeometry()
            #expect(!feature.vertices.isEmpty)
          }
        }
      }
    }
    #expect(tiles > 50 && features > 10_000)
  }

  @Test("a gzipped tile is read once it is unpacked")
  func packedTile() throws {
    let bytes = try SharedData.bytes("conformance/mvt/real-world/compressed/14-9384-9577.mvt.gz")
    let limit = VectorTileLimits().bytes
    let unpacked = bytes.withUnsafeBytes { Gzip.decompress($0, limit: limit) }
    #expect(try VectorTile(try #require(unpacked)).layers.count > 1)
    #expect(throws: VectorTileError.self) { try VectorTile(bytes) }
  }
}
