import Features
import Foundation
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// `featureLimit` from the file to the report.
@Suite("A limit of features") struct FeatureLimitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Four points in the north-east quarter of the world, one in the south-west.
    try folder.write(
      "lng,lat,rank\n10,10,1\n20,20,4\n30,30,3\n40,40,2\n-50,-50,9\n", to: "points.csv")
    let squares = (0..<6).map { index in
      let (west, south) = (10 + index * 10, 10)
      return """
        {"type": "Feature", "properties": {"rank": \(index)}, "geometry": {"type": "Polygon",
         "coordinates": [[[\(west),\(south)],[\(west + 5),\(south)],[\(west + 5),\(south + 5)],
         [\(west),\(south + 5)],[\(west),\(south)]]]}}
        """
    }
    try folder.write(
      #"{"type": "FeatureCollection", "features": [\#(squares.joined(separator: ","))]}"#,
      to: "squares.json")
  }

  private func definition(_ limit: String, source: String = "csv", data: String = "points.csv")
    throws -> PipelineDefinition
  {
    let file = try folder.write(
      """
      version: 1
      sources:
        s:
          type: \(source)
          data: \(data)
          featureLimit: \(limit)
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func report(_ definition: PipelineDefinition) throws -> BuildReport {
    try #require(
      PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  @Test(
    "a feature limit keeps the first points of each tile, and counts at each zoom what it drops")
  func points() throws {
    let report = try report(definition("{perTile: 2, orderBy: [rank, desc]}"))
    // Zoom 0: ranks 9 and 4 stay. Zoom 1: 4 and 3 in the north-east, 9 alone.
    #expect(report.zooms.map(\.limited) == [3, 2])
    let ledger = try #require(report.sources.first?.ledger)
    #expect(ledger.read == 5 && ledger.used == 3 && ledger.limited == 2 && ledger.balances)
  }

  @Test(
    "a feature limit cannot order by texts, in check as in the build, but by a single number",
    arguments: [("csv", "named.csv"), ("geojson", "named.json")])
  func orderByText(type: String, file: String) throws {
    try folder.write("lng,lat,name,part\n1,1,a,x\n2,2,b,7\n", to: "named.csv")
    try folder.write(
      """
      {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"name": "a", "part": null}, "geometry":
       {"type": "LineString", "coordinates": [[1, 1], [2, 2]]}},
      {"type": "Feature", "properties": {"name": "b", "part": 7}, "geometry":
       {"type": "Point", "coordinates": [1, 1]}}]}
      """, to: "named.json")
    let texts = try definition("{perTile: 1, orderBy: [name, desc]}", source: type, data: file)
    let error = #expect(throws: PipelineError.self) { try report(texts) }
    #expect(error?.exitCode == 78)
    #expect(
      error?.description.replacing(folder.url.path + "/", with: "")
        == "x.yml:6:42: 'orderBy' of 'featureLimit' in source 's' names 'name', which is a number in "
        + "no record; the first has \"\(type == "csv" ? "a" : "b")\". Name a property of numbers.")
    let failure = try PipelineRunner.check(texts, options: BuildOptions()).failure
    #expect(failure?.description == error?.description)
    let mixed = try definition("{perTile: 1, orderBy: [part, desc]}", source: type, data: file)
    #expect(try report(mixed).sources.first?.ledger.read == 2)
    #expect(try PipelineRunner.check(mixed, options: BuildOptions()).failure == nil)
  }

  @Test("a feature limit draws a polygon whole or not at all, by the middle of its box")
  func polygons() throws {
    let report = try report(
      definition("{perTile: 1, orderBy: [rank, asc]}", source: "geojson", data: "squares.json"))
    #expect(report.zooms.map(\.limited) == [5, 5])
    #expect(report.sources.first?.ledger.used == 1)
    #expect(report.sources.first?.ledger.limited == 5)
  }

  @Test("a feature limit also thins by cells of its own size")
  func cells() throws {
    let report = try report(
      definition("{perCell: 1, cellSize: 8, orderBy: [rank, desc]}"))
    // At zoom 0 a cell of 8 px is 11.25 degrees wide: every point has its own.
    #expect(report.zooms.map(\.limited) == [0, 0])
    #expect(report.sources.first?.ledger.limited == 0)
  }

  @Test(
    "an invalid feature limit is refused with its place",
    arguments: [
      ("{orderBy: [rank, desc]}", "needs 'perTile' or 'perCell'"),
      ("{perTile: 1, perCell: 1, orderBy: [rank, desc]}", "exclude one another"),
      ("{perTile: 1, cellSize: 9, orderBy: [rank, desc]}", "size of the cells of 'perCell'"),
      ("{perTile: 1, orderBy: [rank, down]}", "asc or desc"),
      ("{perTile: 1, orderBy: [rank, desc]}\n    cluster: true", "Keep one of them"),
    ])
  func faults(limit: String, message: String) throws {
    let error = #expect(throws: PipelineError.self) { try definition(limit) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.place?.line ?? 0 >= 6)
  }
}
