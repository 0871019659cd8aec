import Features
import Ingest
import JSON
import MBTiles
import SystemPackage
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The ledger of a build")
struct LedgerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,name\n1,1,a\n2,86,b\n3,-90,c\n4,4\n5,5,e,f\n", to: "places.csv")
    try folder.write(
      """
      {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9]]]}
      {"type": "Polygon", "coordinates": [[[0, 86], [9, 86], [9, 89], [0, 86]]]}
      {"type": "MultiPoint", "coordinates": [[8, 88], [7, 7]]}
      """, to: "shapes.geojsonl")
  }

  private func definition(
    extra: String = "join", output: String = "out.mbtiles"
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      name: sample
      sources:
        places: {type: csv, data: places.csv, extraFields: \(extra), missingFields: null}
        shapes: {type: geojsonseq, data: shapes.geojsonl}
      layers:
        - {id: a, type: circle, source: places, paint: {circle-radius: 5}}
        - {id: b, type: fill, source: shapes}
        - {id: c, type: symbol, source: places, layout: {text-field: [get, name]}}
      tiles: {maxzoom: 2}
      output: {path: \(output)}
      """, to: "sample.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ definition: PipelineDefinition) throws -> BuildReport {
    try #require(
      PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  @Test("positions beyond the map have their own column, and are not an error")
  func beyondTheMap() throws {
    let report = try build(definition())
    let (places, shapes) = (report.sources[0].ledger, report.sources[1].ledger)
    #expect([places.read, places.used, places.beyondMap, places.rejectedTotal] == [5, 3, 2, 0])
    #expect([shapes.read, shapes.used, shapes.beyondMap, shapes.rejectedTotal] == [3, 2, 1, 0])
    #expect(report.summary.contains("beyond the map"))
    let json = report.json.pretty
    #expect(json.contains("\"beyondMap\": 2") && json.contains("\"beyondMap\": 1"))
    let archive = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    let ledger = try #require(archive.metadata[ArchiveMetadata.ledgerKey])
    #expect(ledger.contains("\"beyondMap\": 2"))
    #expect(try ArchiveContent(archive).sources.map(\.ledger.beyondMap) == [2, 1])
  }

  @Test("repairs are counted, noted, and kept for an archive that stays")
  func repairs() throws {
    let report = try build(definition())
    #expect(report.sources[0].ledger.repaired == [.joinedFields: 1, .missingFields: 1])
    #expect(report.sources[1].ledger.repaired == [.closedRings: 1])
    let words = ["joined into the last column", "the rest are null", "they were closed"]
    for word in words {
      #expect(report.notes.contains { $0.contains(word) }, "\(report.notes)")
    }
    let archive = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    #expect(
      try ArchiveContent(archive).sources.map(\.ledger.repaired)
        == report.sources.map(\.ledger.repaired))
  }

  @Test("a table without records beyond the map has no column for them")
  func rareColumn() throws {
    try folder.write("lng,lat,name\n1,1,a\n", to: "places.csv")
    try folder.write("{\"type\": \"Point\", \"coordinates\": [1, 1]}", to: "shapes.geojsonl")
    #expect(try !build(definition()).summary.contains("beyond the map"))
  }

  @Test("an incremental build after another 'extraFields' has the bytes of a full one")
  func incremental() throws {
    // More than what is read faster than an artifact.
    let rows = (0..<400).map { "\($0 % 90),\($0 % 60),Place \($0),x" }
    try folder.write("lng,lat,name\n" + rows.joined(separator: "\n") + "\n", to: "places.csv")
    _ = try build(definition(extra: "ignore"))
    _ = try build(definition(extra: "join"))
    let incremental = try folder.bytes("out.mbtiles")
    try folder.write("", to: "full/.keep")
    _ = try build(definition(extra: "join", output: "full/out.mbtiles"))
    #expect(try incremental == folder.bytes("full/out.mbtiles"))
  }

  @Test(
    "verification adds up the outcomes, including those of archives without 'beyondMap'",
    arguments: [
      ("\"used\": 1, \"beyondMap\": 1,", true), ("\"used\": 2,", true),
      ("\"used\": 1, \"beyondMap\": 2,", false), ("\"used\": 1,", false),
    ])
  func sum(counts: String, isRight: Bool) throws {
    let text =
      "{\"a\": {\"read\": 2, \(counts) \"filtered\": 0, \"noGeometry\": 0, \"limited\": 0, "
      + "\"rejected\": 0}}"
    let value = try JSONValueParser.parse(Array(text.utf8))
    #expect((LedgerForm.fault(in: value) == nil) == isRight)
  }
}
