import DefinitionSamples
import Features
import Foundation
import MBTiles
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

/// One record of two points, a line, two squares that overlap, and a third one, from the file to
/// taps.
@Suite("A GeometryCollection") struct CollectionTests {
  private let folder: TemporaryFolder
  /// The tile that shows everything.
  private static let tile = TileCoord(z: 1, x: 1, y: 0)

  init() throws {
    folder = try TemporaryFolder()
    func square(_ west: Int, _ south: Int, _ side: Int) -> String {
      let (east, north) = (west + side, south + side)
      return #"{"type":"Polygon","coordinates":[[[\#(west),\#(south)],[\#(east),\#(south)],"#
        + #"[\#(east),\#(north)],[\#(west),\#(north)],[\#(west),\#(south)]]]}"#
    }
    let members = [
      #"{"type":"Point","coordinates":[10,60]}"#,
      #"{"type":"LineString","coordinates":[[30,60],[150,60]]}"#,
      square(20, 10, 30), square(40, 10, 30), #"{"type":"Point","coordinates":[12,60]}"#,
      #"{"type":"GeometryCollection","geometries":[\#(square(120, 10, 20))]}"#,
    ]
    try folder.write(
      #"""
      {"type":"Feature","id":"one","properties":{"name":"all","rank":1},"geometry":
        {"type":"GeometryCollection","geometries":[\#(members.joined(separator: ","))]}}
      """#, to: "one.geojson")
  }

  private func definition(
    _ layers: String, format: String = "utfgrid", source: String = ""
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {s: {type: geojson, data: one.geojson\(source)}}
      layers:
      \(layers)
      tiles: {maxzoom: 1, interactivity: {fields: [name], format: \(format)}}
      output: {path: \(format).mbtiles}
      """, to: "one.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private static func layer(_ id: String, _ type: String, only geometry: String) -> String {
    "  - {id: \(id), type: \(type), source: s, filter: ['==', [geometry-type], \(geometry)]}"
  }

  private static let layers = [
    layer("area", "fill", only: "Polygon"), layer("way", "line", only: "LineString"),
    layer("dot", "circle", only: "Point"),
  ].joined(separator: "\n")

  private func why(_ definition: PipelineDefinition, _ question: WhyQuestion) throws -> WhyAnswer {
    try PipelineRunner.why(
      definition, question: question, scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
  }

  private func build(_ definition: PipelineDefinition) throws -> BuildReport {
    try #require(
      PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  /// The pixel of ``tile`` at a position.
  private static func pixel(_ longitude: Double, _ latitude: Double) throws -> WhyQuestion {
    let place = try #require(WorldPoint(LngLat(longitude: longitude, latitude: latitude)))
    let side = Double(1 << 32) / 512
    return .pixel(tile, x: Int(Double(place.x) / side) - 256, y: Int(Double(place.y) / side))
  }

  @Test("each member is drawn by the layers that filter its type, and answers why as one record")
  func filters() throws {
    let definition = try definition(Self.layers)
    let places = [
      (10.0, 60.0, "dot"), (12, 60, "dot"), (90, 60, "way"), (25, 25, "area"), (60, 25, "area"),
      (130, 20, "area"), (45, 25, "area"), (100, 30, ""),
    ]
    for (longitude, latitude, layer) in places {
      let answer = try why(definition, Self.pixel(longitude, latitude))
      #expect(
        answer.json.strings("layer") == (layer.isEmpty ? [] : [layer]),
        "\(longitude), \(latitude)")
    }
    let tile = try why(definition, .tile(Self.tile))
    #expect(tile.json.strings("layer").sorted() == ["area", "dot", "way"])
    #expect(Set(tile.json.strings("record")) == [folder.path("one.geojson") + ":1"])
    let feature = try why(definition, .feature("one")).json
    #expect(feature.strings("tiles") == ["0/0/0", "1/1/0"])
    #expect(feature.strings("layers") == ["area", "way", "dot", "area", "way", "dot"])
  }

  @Test("a collection is one record in the counts of a build, and under a feature limit")
  func counts() throws {
    for source in ["", ", id: name", ", featureLimit: {perTile: 1, orderBy: [rank, asc]}"] {
      let report = try build(definition(Self.layers, source: source))
      let ledger = try #require(report.sources.first?.ledger)
      let counts: [Int] = [ledger.read, ledger.used, ledger.limited]
      #expect(counts == [1, 1, 0])
      #expect(ledger.balances)
    }
  }

  @Test("taps on any member lead to one entry", arguments: ["utfgrid", "compact"])
  func taps(format: String) throws {
    let report = try build(definition(Self.layers, format: format))
    let tap = try ArchiveTap(FilePath(folder.path("\(format).mbtiles")))
    let key = FeatureKey(source: "s", layer: "", feature: "one").description
    for (longitude, latitude) in [(10.0, 60.0), (90, 60), (25, 25), (60, 25), (130, 20)] {
      let place = try #require(WorldPoint(LngLat(longitude: longitude, latitude: latitude)))
      let (x, y) = (Double(place.x) / Double(1 << 31), Double(place.y) / Double(1 << 31))
      let answer = try tap.answer(in: Self.tile, x: x - 1, y: y)
      #expect(answer?.key == key, "\(longitude), \(latitude)")
    }
    // One of points and one of lines and areas, which grids merge by their key.
    #expect((1...(format == "utfgrid" ? 1 : 2)).contains(report.grids?.keys ?? 0))
  }

  @Test("a label stands at each member, and with symbol-parts: largest at one of those filtered")
  func labels() throws {
    func drawn(_ filter: String, _ parts: String) throws -> Int {
      let layers =
        "  - {id: a, type: symbol, source: s\(filter), layout: {text-field: x, symbol-parts: \(parts),"
        + " text-font: [DejaVu Sans], text-allow-overlap: true}}"
      let definition = try definition(layers)
      return try [(10.0, 60.0), (30, 60), (35, 25.6), (55, 25.6), (130, 20.1)].count { place in
        try !why(definition, Self.pixel(place.0, place.1)).json.strings("layer").isEmpty
      }
    }
    let areas = ", filter: ['==', [geometry-type], Polygon]"
    #expect(try drawn(areas, "all") == 3 && drawn(areas, "largest") == 1)
    #expect(try drawn("", "all") == 5)
    // The points keep theirs: one label.
    #expect(try drawn("", "largest") == 2)
    #expect(try drawn(", filter: ['==', [geometry-type], LineString]", "largest") == 1)
  }
}
