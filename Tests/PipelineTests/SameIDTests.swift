import Examination
import Features
import Foundation
import Ingest
import MBTiles
import PipelineSamples
import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

/// Ids that a GeoJSON file gives to several features.
@Suite("Features of one id")
struct SameIDTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Features on the equator, each with its id, name and longitude; without one it has no geometry.
  private static func features(_ list: [(id: String, name: String, longitude: Double?)]) -> String {
    let lines = list.map { item in
      let geometry =
        item.longitude.map { #"{"type":"Point","coordinates":[\#($0),0]}"# } ?? "null"
      return #"{"type":"Feature","id":\#(item.id),"properties":{"n":"\#(item.name)"},"geometry":"#
        + geometry + "}"
    }
    return #"{"type":"FeatureCollection","features":["# + "\n" + lines.joined(separator: ",\n")
      + "\n]}"
  }

  private func definition(
    _ features: String, keys: String = "", format: String = "utfgrid", cache: String = ""
  ) throws -> PipelineDefinition {
    try folder.write(features, to: "dt.geojson")
    let file = try folder.write(
      """
      version: 1
      sources: {p: {type: geojson, data: dt.geojson\(keys)}}
      layers: [{id: a, type: circle, source: p, paint: {circle-radius: 20}}]
      tiles: {maxzoom: 1, interactivity: {fields: [n], format: \(format)}}
      output: {path: dt.mbtiles}
      """, to: "dt.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  private func build(_ definition: PipelineDefinition) throws -> [BuildReport] {
    try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
  }

  private func tap(_ longitude: Double) throws -> String {
    String(
      decoding: try PipelineRunner.tap(
        archive: folder.path("dt.mbtiles"), at: LngLat(longitude: longitude, latitude: 0), zoom: 1),
      as: UTF8.self)
  }

  /// The keys that a query writes, by the names of their features.
  private func keys(
    _ definition: PipelineDefinition, _ change: (inout QueryOptions) -> Void = { _ in }
  ) throws -> [String: String] {
    var query = QueryOptions()
    change(&query)
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    _ = try PipelineRunner.query(
      definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }
    ) { output.bytes += $0 }
    let text = String(decoding: output.bytes, as: UTF8.self)
    let pairs = text.matches(of: #/"key":"([^"]*)".*?"n":"([^"]*)"/#)
    return Dictionary(uniqueKeysWithValues: pairs.map { (String($0.2), String($0.1)) })
  }

  private func key(_ id: String) -> String {
    FeatureKey(source: "p", layer: "", feature: id).description
  }

  @Test(
    "features with one id answer taps individually, by the key that a query prints",
    arguments: ["utfgrid", "compact"], ["1", "\"1\""])
  func taps(format: String, second: String) throws {
    let definition = try definition(
      Self.features([("1", "nowhere", nil), ("1", "west", -90), (second, "east", 90)]),
      format: format)
    try build(definition)
    let expected = ["nowhere": key("1"), "west": key("1-1"), "east": key("1-2")]
    #expect(try keys(definition) == expected)
    for (name, longitude) in [("west", -90.0), ("east", 90)] {
      let answer = try tap(longitude)
      #expect(answer.contains(#""n":"\#(name)""#), "\(answer)")
      #expect(answer.contains(try #require(expected[name])), "\(answer)")
    }
  }

  @Test(
    "features with one id have keys that do not depend on the query, and lead back to one feature")
  func questions() throws {
    let definition = try definition(
      Self.features([("1", "a", -90), ("1", "b", 0), ("\"1-1\"", "c", 30), ("1", "d", 90)]))
    let all = ["a": key("1"), "b": key("1-1"), "c": key("1-1-1"), "d": key("1-2")]
    #expect(try keys(definition) == all)
    for (name, key) in all {
      #expect(try keys(definition) { $0.whereText = "n = '\(name)'" } == [name: key])
      #expect(try keys(definition) { $0.ids = [key] } == [name: key])
      let answer = try PipelineRunner.why(
        definition, question: .feature(key), scale: 1, options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })
      #expect(answer.text.contains("dt.geojson:"), "\(answer.text)")
    }
  }

  @Test(
    "features with one id follow 'onDuplicateId' in builds, queries and checks",
    arguments: [("first", ["a", "c"], "1"), ("last", ["b", "c"], "1")])
  func policies(policy: String, names: [String], id: String) throws {
    let definition = try definition(
      Self.features([("1", "a", -90), ("1", "b", 0), ("2", "c", 90)]),
      keys: ", onDuplicateId: \(policy)")
    let report = try #require(try build(definition).first?.sources.first)
    #expect(report.ledger.used == 2 && report.ledger.rejected == [.duplicateKey: 1])
    #expect(report.ledger.balances)
    #expect(try keys(definition) == [names[0]: key("1"), names[1]: key("2")])
    #expect(try tap(names[0] == "a" ? -90 : 0).contains(#""n":"\#(names[0])""#))
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(summary.failure == nil)
    #expect(summary.sources.first?.examination?.ledger.rejected == [.duplicateKey: 1])
  }

  @Test("'onDuplicateId: error' ends a build with the lines of both features")
  func error() throws {
    let definition = try definition(
      Self.features([("1", "a", -90), ("\"1\"", "b", 0)]), keys: ", onDuplicateId: error")
    let message =
      "the id '1' is also that of line 2. Set 'onDuplicateId: first' or 'last' to "
      + "keep one of them."
    let built = #expect(throws: PipelineError.self) { try build(definition) }
    #expect(built?.message == message && built?.exitCode == 65)
    let asked = #expect(throws: PipelineError.self) { try keys(definition) }
    #expect(asked?.message == message)
    let failure = try PipelineRunner.check(definition, options: BuildOptions()).failure
    #expect(failure?.message == message)
  }

  @Test("an 'id:' without a value for a record falls back to the file's id")
  func fallback() throws {
    let features = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"1","properties":{"n":"a","k":"x"},"geometry":{"type":"Point","coordinates":[0,0]}},
      {"type":"Feature","id":"1","properties":{"n":"b","k":null},"geometry":{"type":"Point","coordinates":[9,0]}},
      {"type":"Feature","id":"1","properties":{"n":"c"},"geometry":{"type":"Point","coordinates":[20,0]}}]}
      """
    let plain = try definition(features, keys: ", id: k")
    #expect(try keys(plain) == ["a": key("x"), "b": key("1"), "c": key("1-1")])
    try build(plain)
    let first = try definition(features, keys: ", id: k, onDuplicateId: first")
    #expect(try keys(first) == ["a": key("x"), "b": key("1")])
    #expect(try build(first).first?.sources.first?.ledger.used == 2)
  }

  @Test("features are distinguished by all digits of large integer ids, in every format")
  func largeIDs() throws {
    let ids = ["36061000100001000", "9007199254740992", "9007199254740993", "-9007199254740993"]
    func features(_ spell: (String) -> String) -> String {
      let lines = ids.map {
        #"{"type":"Feature",\#(spell($0)),"geometry":{"type":"Point","coordinates":[3,4]}}"#
      }
      return lines.joined(separator: "\n")
    }
    let files = [
      ("k.csv", "lng,lat,k\n" + ids.map { "3,4,\($0)\n" }.joined()),
      ("k.jsonl", features { #""properties":{"k":\#($0)}"# }),
      ("id.jsonl", features { #""id":\#($0),"properties":{}"# }),
      ("j.csv", "k,more\n" + ids.map { "\($0),x\($0)\n" }.joined()),
    ]
    let sources = [
      "type: csv, data: k.csv, id: k", "type: geojsonseq, data: k.jsonl, id: k",
      "type: geojsonseq, data: id.jsonl, onDuplicateId: error",
      "type: geojsonseq, data: k.jsonl, id: k, join: {data: j.csv, on: k}",
    ]
    for source in sources {
      let sample = try QuerySample([("p", source)], files: files)
      let lines = try sample.lines { $0.format = .geojsonseq }
      for (id, line) in zip(ids, lines) {
        #expect(line.contains(#""sourceId":\#(id),"key":"\#(key(id))""#), "\(line)")
        #expect(try sample.text { ($0.ids, $0.countsOnly) = ([id], true) } == "1\n")
        if source.contains("join") { #expect(line.contains(#""more":"x\#(id)""#)) }
      }
      #expect(lines.count == ids.count)
      _ = try PipelineRunner.build(
        sample.definition, options: BuildOptions(), cancellation: Cancellation(),
        progress: { _ in })
    }
    // An edit finds the one record whose digits it has.
    let edited = try QuerySample(
      [("p", "type: geojsonseq, data: k.jsonl, id: k, edits: log.csv")],
      files: files + [("log.csv", "op,k\ndelete,9007199254740993\n")])
    #expect(try edited.lines { $0.format = .geojsonseq }.count == ids.count - 1)
    #expect(try edited.text { $0.ids = ["9007199254740993"] }.contains("Feature\"") == false)
  }

  @Test("filters see the ids of 'id:', in queries as in drawing")
  func filteredIDs() throws {
    let features = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":5,"properties":{"n":"a","k":"x"},"geometry":{"type":"Point","coordinates":[0,0]}},
      {"type":"Feature","id":6,"properties":{"n":"b"},"geometry":{"type":"Point","coordinates":[9,0]}}]}
      """#
    let plain = try definition(features, keys: ", id: k")
    for (id, names) in [(#""x""#, ["a"]), ("5", []), ("6", ["b"])] as [(String, [String])] {
      let filter = #"["==",["id"],\#(id)]"#
      #expect(try self.keys(plain) { $0.filterText = filter }.keys.sorted() == names)
      let filtered = try definition(features, keys: ", id: k, filter: \(filter)")
      #expect(try self.keys(filtered).keys.sorted() == names)
      let plan = try PipelineRunner.plan(
        filtered, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      #expect(plan.sources.map(\.ledger.used) == [names.count])
    }
  }

  @Test("features with one id are distinguished alike by incremental and full builds")
  func incremental() throws {
    var list = (0..<200).map {
      (id: "\($0 % 40)", name: "n\($0)", longitude: Optional(0.9 * Double($0)))
    }
    try build(definition(Self.features(list)))
    list.remove(at: 3)
    list[60].name = "new"
    let changed = try definition(Self.features(list))
    try build(changed)
    let incremental = try folder.bytes("dt.mbtiles")
    try FileManager.default.removeItem(atPath: folder.path("dt.mbtiles"))
    try FileManager.default.removeItem(atPath: folder.path(".quadrille-cache"))
    try build(changed)
    #expect(try folder.bytes("dt.mbtiles") == incremental)
  }
}
