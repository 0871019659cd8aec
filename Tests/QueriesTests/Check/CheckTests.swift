import Examination
import Features
import Foundation
import Ingest
import JSON
import PipelineSamples
@testable import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

@Suite("The check of a pipeline's sources")
struct CheckTests {
  @Test(
    "check finds what keys resolve, and nothing more once they are set as suggested",
    arguments: Trap.mendable)
  func mends(trap: Trap) throws {
    var sample = try CheckSample(trap.bytes, to: trap.file, trap.lines)
    let before = try sample.check()
    let finding = try #require(
      before.findings.first { $0.kind == trap.kind }, "\(before.text(file: "x"))")
    #expect(!finding.settings.isEmpty && finding.count > 0)
    for finding in before.findings where finding.kind == trap.kind || finding.severity == .problem {
      sample.set(finding.settings)
    }
    let after = try sample.check()
    #expect(!after.kinds.contains(trap.kind), "\(after.text(file: "x"))")
    #expect(after.failure == nil && !after.findings.contains { $0.severity == .problem })
    #expect((after.sources.first?.examination?.ledger.used ?? 0) > 20)
    #expect(try sample.buildFailure() == nil)
  }

  @Test("check finds what only the owner of the file can fix", arguments: Trap.others)
  func finds(trap: Trap) throws {
    let sample = try CheckSample(trap.bytes, to: trap.file, trap.lines)
    let summary = try sample.check()
    let finding = try #require(
      summary.findings.first { $0.kind == trap.kind }, "\(summary.text(file: "x"))")
    #expect(finding.count > 0 && finding.samples.count <= 3)
    // No trap is two traps, but for records that are lost together with what explains them.
    let expected = [trap.kind, .rejectedRecords, .noProperties, .constantColumns]
    #expect(summary.kinds.allSatisfy(expected.contains), "\(summary.text(file: "x"))")
  }

  @Test("check and build explain records that are all rejected, even if that is tolerated")
  func allRejected() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "\u{FEFF}Name;Längengrad;Breitengrad\r\nNord;8,81;53,08\r\nSüd;11,58;48,14\r\n", to: "a.csv")
    func file(_ keys: String) throws -> String {
      try folder.write(
        """
        version: 1
        sources:
          shops: {type: csv, data: a.csv, onError: {max: 10}\(keys)}
        layers: [{id: a, type: circle, source: shops, paint: {circle-radius: 5}}]
        tiles: {maxzoom: 1}
        output: {path: out.mbtiles}
        """, to: "x.yml")
    }
    func check(_ keys: String) throws -> CheckSummary {
      try PipelineRunner.check(
        PipelineDefinition(contentsOf: file(keys), environment: { _ in nil }),
        options: BuildOptions())
    }
    let first = try check("").findings
    #expect(Set(first.map(\.kind)) == [.wrongDelimiter, .coordinateColumns, .commaDecimals])
    let keys = Set(first.flatMap(\.settings).map(\.key))
    #expect(keys == ["decimal", "delimiter", "x", "y"], "\(first)")
    let half = ", delimiter: ';', x: Längengrad, y: Breitengrad"
    #expect(try check(half).kinds == [.commaDecimals])
    #expect(try check("\(half), decimal: ','").kinds == [])
    let definition = try PipelineDefinition(contentsOf: file(half), environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      _ = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.message.contains("'shops' every record is rejected, 2 in all") == true)
    #expect(error?.message.contains("decimal: ") == true, "\(error?.message ?? "")")
  }

  @Test(
    "check refuses what a build refuses, with the same code and words",
    arguments: Trap.mendable + Trap.others)
  func agrees(trap: Trap) throws {
    let sample = try CheckSample(trap.bytes, to: trap.file, trap.lines)
    let failure = try sample.check().failure
    let built = try sample.buildFailure()
    #expect(failure?.exitCode == built?.exitCode, "\(String(describing: built))")
    if failure?.code == .definition { #expect(failure?.message == built?.message) }
  }

  @Test(
    "check finds nothing in a sound source",
    arguments: [
      Trap(
        .unreadable, Trap.table("lng,lat,name,zip") { "\(Trap.place($0)),n\($0),\(90000 + $0)" }),
      Trap(
        .unreadable,
        Trap.table("lng,lat,name,born") { "\(Trap.place($0)),é \($0),2014-01-\(10 + $0)" }
      ),
      Trap(.unreadable, Trap.table("lng,lat,t") { "\(Trap.place($0)),2014-01-\(10 + $0)T06:00Z" }),
      Trap(
        .unreadable,
        Trap.table("name,lat,lng,2010,2011") { "n\($0),\($0).5,\($0 + 5).5,\($0),7.5\($0)1" }),
      Trap(.unreadable, Trap.table("lng,lat,name") { "\(Trap.place($0)),São João da Ã \($0)" }),
      // The south pole on a map of the world is the end of a line, not Longitude 29.
      Trap.geojson(
        .unreadable,
        (0..<30).map { row in
          let x = Double(row) * 11 - 170
          return Trap.feature(
            "{\"type\": \"LineString\", \"coordinates\": [[\(x), \(row)], [29, -89.5]]}",
            "{\"n\": \(row)}")
        }),
      Trap.geojson(
        .unreadable,
        (0..<30).map { Trap.feature(Trap.point(8.5, Double($0)), "{\"n\": \($0)}") },
        head: "\"bbox\": [8.5, 0, 8.5, 29], "),
    ])
  func sound(trap: Trap) throws {
    let summary = try CheckSample(trap.bytes, to: trap.file, trap.lines).check()
    #expect(summary.findings.isEmpty && summary.failure == nil, "\(summary.text(file: "x"))")
  }

  @Test("check names the format of files that are not data")
  func signatures() throws {
    for (bytes, word) in [
      (Array("fgb\u{3}fgb".utf8), "FlatGeobuf"), (Array("PAR1".utf8), "Parquet"),
      (Array("<!DOCTYPE html><html>".utf8), "web page"),
      (Array("<?xml version='1.0'?>".utf8), "XML"),
      (Array("{\"type\": \"Topology\"}".utf8), "TopoJSON"),
    ] {
      let summary = try CheckSample(bytes, to: "places.json", ["type: geojson"]).check()
      #expect(summary.kinds == [.wrongType] && summary.failure != nil)
      #expect(summary.findings.first?.message.contains(word) == true)
    }
  }

  @Test("check names what is wrong with packed files")
  func packed() throws {
    for (bytes, words) in [
      ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0] as [UInt8], "ends in the middle"),
      (Array("PK\u{3}\u{4}abcdef".utf8), "list of members (zip) is broken"),
    ] {
      let summary = try CheckSample(bytes, to: "places.json", ["type: geojson"]).check()
      #expect(summary.kinds == [.unreadable])
      #expect(summary.failure?.description.contains(words) == true)
    }
  }

  @Test("check reports the range of the positions")
  func wrongBounds() throws {
    let trap = try #require(Trap.others.first { $0.kind == .wrongBounds })
    let text = try CheckSample(trap.bytes, to: trap.file, trap.lines).check().text(file: "x")
    #expect(text.contains("positions reach from 1.5, 1 to 3, 3."), "\(text)")
  }

  @Test("check names lines of the file")
  func places() throws {
    let trap = Trap(
      .nullIsland, Trap.table("lng,lat,name") { $0 == 4 ? "0,0,n" : "\(Trap.place($0)),n\($0)" })
    let sample = try CheckSample(trap.bytes, to: trap.file, trap.lines)
    let finding = try #require(try sample.findings().first)
    #expect(finding.samples == [Finding.Sample(line: 6, text: "0, 0")])
    let text = try sample.check().text(file: "sample.yml")
    #expect(text.contains("places.csv:6: 0, 0"))
    #expect(text.contains("where: \"geometry IS NULL OR S_DISJOINT"))
  }

  @Test("check counts columns and records")
  func profiles() throws {
    let text = "lng,lat,a,b,c\n1.5,2,7,x,\n1.5,2,-3.5,y,2\n1.5,2,,x,true\n,,9,x,\n1.5,95,9,x,\n"
    let sample = try CheckSample(Array(text.utf8), to: "p.csv", ["type: csv", "onError: {max: 1}"])
    let examination = try #require(try sample.check().sources.first?.examination)
    #expect(examination.failure == nil && examination.ledger.balances)
    #expect(examination.ledger.used == 3 && examination.ledger.noGeometry == 1)
    #expect(examination.ledger.rejected == [.latitudeOutOfRange: 1])
    let columns = examination.columns
    #expect(columns.map(\.name) == ["lng", "lat", "a", "b", "c"])
    #expect(columns[2].numbers == 4 && columns[2].minimum == -3.5 && columns[2].maximum == 9)
    #expect(columns[2].nulls == 1 && columns[2].distinct.count == 3)
    #expect(columns[3].texts == 5 && columns[3].distinct.count == 2)
    #expect(columns[4].numbers == 1 && columns[4].texts == 0 && columns[4].nulls == 3)
    #expect(examination.coordinates.coincident == 2 && examination.coordinates.box.maxY == 95)
  }

  @Test("check gives the same JSON every time")
  func json() throws {
    let trap = try #require(Trap.others.first)
    let sample = try CheckSample(trap.bytes, to: trap.file, trap.lines)
    let first = try sample.check().json(file: "x").pretty
    #expect(try sample.check().json(file: "x").pretty == first)
    let object = try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any]
    let source = (object?["sources"] as? [[String: Any]])?.first
    let finding = (source?["findings"] as? [[String: Any]])?.first
    #expect(finding?["kind"] as? String == trap.kind.rawValue)
    #expect((source?["records"] as? [String: Any])?["read"] as? Int == 30)
  }
}
