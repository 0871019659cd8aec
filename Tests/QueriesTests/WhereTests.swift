import Features
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

/// `where:` and `query --where` from the file to the records.
@Suite struct WhereTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      lng,lat,name,rooms,zip
      1,1,Alpha,10,01234
      2,2,Beta,,90210
      175,3,Gamma,30,x
      -175,4,Älpha,40,
      """, to: "places.csv")
    try folder.write(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "in"},
         "geometry": {"type": "Point", "coordinates": [2, 2]}},
        {"type": "Feature", "properties": {"name": "edge"},
         "geometry": {"type": "MultiPoint", "coordinates": [[0, 2], [9, 9]]}},
        {"type": "Feature", "properties": {"name": "nowhere"}, "geometry": null}
      ]}
      """, to: "shapes.json")
  }

  /// A pipeline whose sources have further keys.
  private func pipeline(_ csv: String, _ json: String = "") throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        places:
          type: csv
          data: places.csv
          \(csv)
        shapes:
          type: geojson
          data: shapes.json
          \(json)
      layers:
        - {id: a, type: circle, source: places, paint: {circle-radius: 5}}
        - {id: b, type: circle, source: shapes, paint: {circle-radius: 5}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The names of the records that a query yields.
  private func names(
    _ definition: PipelineDefinition, from source: String, where text: String? = nil
  ) throws -> [String] {
    var query = QueryOptions()
    query.sources = [source]
    query.whereText = text
    var bytes: [UInt8] = []
    _ = try PipelineRunner.query(
      definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }
    ) { bytes += $0 }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.matches(of: #/"name":"([^"]*)"/#).map { String($0.1) }
  }

  @Test(
    "a where selects the records of its source",
    arguments: [
      ("where: rooms >= 30", ["Gamma", "Älpha"]), ("where: NOT rooms >= 30", ["Alpha"]),
      ("where: rooms IS NULL", ["Beta"]), ("where: zip = '01234'", ["Alpha"]),
      ("where: zip = 90210", ["Beta"]), ("where: zip <> 90210", []),
      ("where: name LIKE '%lpha'", ["Alpha", "Älpha"]),
      ("where: ACCENTI(name) LIKE 'A%'", ["Alpha", "Älpha"]),
      ("where: 'S_WITHIN(geometry, BBOX(170, -10, -170, 10))'", ["Gamma", "Älpha"]),
      ("where: 'S_INTERSECTS(geom, POINT(2 2))'", ["Beta"]),
      ("where: nosuch = 1", []), ("where: TRUE", ["Alpha", "Beta", "Gamma", "Älpha"]),
      ("where: rooms > 5\n    filter: ['<', [get, rooms], 40]", ["Alpha", "Gamma"]),
      ("where: rooms > 5\n    select: [name]", ["Alpha", "Gamma", "Älpha"]),
    ])
  func chosen(keys: String, expected: [String]) throws {
    #expect(try names(pipeline(keys), from: "places") == expected)
  }

  @Test("a query's where is combined with that of the file")
  func query() throws {
    let definition = try pipeline("where: rooms > 5", "where: name <> 'in'")
    #expect(try names(definition, from: "places", where: "name < 'B'") == ["Alpha"])
    #expect(try names(definition, from: "places", where: "FALSE").isEmpty)
    #expect(try names(definition, from: "shapes", where: "name = 'edge'") == ["edge"])
    do {
      _ = try names(definition, from: "places", where: "name =\n  5 +\n")
      Issue.record("no error")
    } catch let error as PipelineError {
      #expect(error.code == .usage)
      #expect(
        error.message
          == "--where at 2:6: a property or a value is expected, but found the end.")
    }
  }

  @Test("a build counts what a where filters, including records without geometry")
  func build() throws {
    let definition = try pipeline(
      "where: rooms > 5", "where: geometry IS NULL OR S_WITHIN(geometry, BBOX(0, 0, 4, 4))")
    let report = try #require(
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
    let counts = report.sources.map {
      [$0.ledger.read, $0.ledger.used, $0.ledger.filtered, $0.ledger.noGeometry]
    }
    #expect(counts == [[4, 3, 1, 0], [3, 1, 1, 1]])
  }
}
