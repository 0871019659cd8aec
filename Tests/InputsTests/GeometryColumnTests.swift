import Examination
import Features
import Foundation
import Ingest
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A source with a column of geometries")
struct GeometryColumnTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(_ source: String) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      name: shapes
      sources: {places: {\(source)}}
      layers:
        - {id: area, type: fill, source: places, paint: {fill-color: red}}
        - {id: line, type: line, source: places, paint: {line-color: blue}}
        - {id: disc, type: circle, source: places, paint: {circle-radius: 5}}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}
      """, to: "shapes.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func digest(_ source: String) throws -> String {
    try #require(
      PipelineRunner.build(
        definition(source), options: BuildOptions(), cancellation: Cancellation(),
        progress: { _ in }
      ).first
    ).archive.digest
  }

  private func check(_ source: String) throws -> CheckSummary {
    try PipelineRunner.check(definition(source), options: BuildOptions())
  }

  @Test("points, lines and polygons in a column draw what GeoJSON draws")
  func equalsGeoJSON() throws {
    try folder.write(
      """
      id,shape
      1,POINT(8.5 47.4)
      2,"LINESTRING(0 0,20 30)"
      3,"POLYGON((10 10,40 10,40 40,10 10))"
      """, to: "a.csv")
    try folder.write(
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47.4]},"properties":{}}
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[20,30]]},"properties":{}}
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[10,10],[40,10],[40,40],[10,10]]]},"properties":{}}
      """, to: "a.geojsonl")
    #expect(
      try digest("type: csv, data: a.csv, geometry: shape")
        == digest("type: geojsonseq, data: a.geojsonl"))
  }

  @Test("the order of two numbers is that of the pipeline, latitude first by default")
  func order() throws {
    try folder.write("pos,n\n\"47.4, 8.5\",1\n", to: "pairs.csv")
    try folder.write("lng,lat,n\n8.5,47.4,1\n", to: "points.csv")
    try folder.write("pos,n\n8.5 47.4,1\n", to: "other.csv")
    let expected = try digest("type: csv, data: points.csv")
    #expect(try digest("type: csv, data: pairs.csv, geometry: pos") == expected)
    #expect(
      try digest("type: csv, data: other.csv, geometry: {column: pos, order: lnglat}") == expected)
  }

  @Test(
    "keys that contradict the column of geometries are refused",
    arguments: [
      ("geometry: pos, x: lng", "'geometry' and 'x' both say where a record is"),
      ("geometry: place", "no column named 'place'"),
      ("columns: [pos, n], geometry: place", "no column named 'place'"),
      ("geometry: {column: pos, order: up}", "order"),
    ])
  func refusal(keys: String, words: String) throws {
    try folder.write("pos,n\n\"47.4, 8.5\",1\n", to: "pairs.csv")
    let error = #expect(throws: PipelineError.self) {
      try digest("type: csv, data: pairs.csv, \(keys)")
    }
    #expect(error?.exitCode == 78)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    "check suggests the key for a column of geometries",
    arguments: [
      ("shape,n\nPOINT(8.5 47.4),1\nPOINT(8.6 47.4),2\n", "geometry: shape"),
      ("n,g\n1,010100000000000000000021403333333333B34740\n", "geometry: g"),
      ("n,pos\n1,\"47.4, 8.5\"\n2,\"47.5, 8.5\"\n", "geometry: pos"),
      (
        "n,pos\n1,\"120.5, 8.5\"\n2,\"121.5, 8.5\"\n",
        "geometry: {column: pos, order: lnglat}"
      ),
    ])
  func suggestion(text: String, setting: String) throws {
    try folder.write(text, to: "a.csv")
    let finding = try check("type: csv, data: a.csv").sources.first?.examination?.findings
      .first { $0.kind == .coordinateColumns }
    #expect(finding?.settings.map(\.yaml) == [setting])
  }

  @Test("check shows how two numbers are read, unless the pipeline says it")
  func example() throws {
    try folder.write("pos,n\n\"47.4, 8.5\",1\n\"47.5, 8.5\",2\n", to: "a.csv")
    func findings(_ geometry: String) throws -> [Finding] {
      try check("type: csv, data: a.csv, geometry: \(geometry)").sources.first?.examination?
        .findings.filter { $0.kind == .pairOrder } ?? []
    }
    #expect(
      try findings("pos").map(\.message)
        == ["'47.4, 8.5' in column 'pos' is read as latitude 47.4, longitude 8.5."])
    #expect(try findings("{column: pos, order: latlng}").isEmpty)
  }
}
