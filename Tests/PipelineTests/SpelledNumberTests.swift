import Examination
import Expressions
import Features
import Foundation
import Ingest
import PipelineSamples
import Queries
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Reuse
@testable import Runs
@testable import Scenes
@testable import Styling

/// Numbers whose spelling says more than a Double holds: `5.10`, `12E3`, ids beyond 2⁵³.
@Suite("Numbers as their fields spell them")
struct SpelledNumberTests {
  private static let one = "9007199254740993"
  private static let other = "9007199254740992"
  private static let csv =
    "lng,lat,name,v\n1,1,a,5.10\n2,2,b,12E3\n3,3,c,1.0\n4,4,d,\(one)\n5,5,e,\(other)\n6,6,f,-7\n"
  private static let spellings = ["5.10", "12E3", "1.0", one, other, "-7"]

  private static let geojson = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":\(one),"properties":{"name":"d","v":\(one)},"geometry":{"type":"Point","coordinates":[4,4]}},
    {"type":"Feature","id":\(other),"properties":{"name":"e","v":\(other)},"geometry":{"type":"Point","coordinates":[5,5]}}]}
    """

  private func sample(_ keys: String = "type: csv, data: m.csv") throws -> QuerySample {
    try QuerySample([("m", keys)], files: [("m.csv", Self.csv), ("m.geojson", Self.geojson)])
  }

  /// The texts that a layer would draw, for each record.
  private func texts(_ field: String) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(Self.csv, to: "m.csv")
    let file = try folder.write(
      """
      version: 1
      sources: {m: {type: csv, data: m.csv, id: v}}
      layers:
        - {id: a, type: symbol, source: m, layout: {text-field: \(field)}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let style = try definition.style()
    let build = try definition.build()
    let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
    let points = try build.reading.ingest(clock)[0].points
    let view = FeatureView(points: points, level: nil)
    let expression = try #require(style.layers[0].properties[.textField])
    view.bind(expression.propertyNames, list: 0)
    return (0..<points.count).map { row in
      view.row = row
      return expression.formatted(.init(zoom: 0, feature: view)).text
    }
  }

  @Test(
    "a label has the spelling of the field, however the expression passes it on",
    arguments: [
      "[get, v]", "'{v}'", "[to-string, [get, v]]", "[concat, [get, v]]", "[id]",
      "[format, [get, v], {}]", "[coalesce, [get, w], [get, v]]",
      "[case, [has, v], [get, v], x]", "[let, a, [get, v], [to-string, [var, a]]]",
    ])
  func labels(field: String) throws { #expect(try texts(field) == Self.spellings) }

  @Test("a label of a computed number has its shortest form")
  func computed() throws {
    #expect(try texts("[to-string, [number, [get, v]]]").prefix(3) == ["5.1", "12000", "1"])
    #expect(try texts("[to-string, [+, [get, v], 0]]").prefix(3) == ["5.1", "12000", "1"])
  }

  @Test("answers of a query have the spelling of the field")
  func query() throws {
    let json = try sample().text()
    for spelling in Self.spellings { #expect(json.contains("\"v\":\(spelling)}"), "\(json)") }
    let csv = try sample().text { $0.format = .csv }
    #expect(csv.contains("a,5.10\r\n") && csv.contains("d,\(Self.one)\r\n"))
  }

  private static let tests: [(where: String?, filter: String?, names: [String])] = [
    ("v = \(one)", nil, ["d"]), ("v = \(other)", nil, ["e"]), ("v > \(other)", nil, ["d"]),
    ("v >= \(other)", nil, ["d", "e"]), ("v < \(one) AND v > 1e15", nil, ["e"]),
    ("v IN (\(one), 3)", nil, ["d"]), ("v NOT IN (\(one)) AND v > 1e15", nil, ["e"]),
    ("v BETWEEN \(one) AND \(one)", nil, ["d"]), ("v <> \(one) AND v > 1e15", nil, ["e"]),
    ("v = -\(one)", nil, []), ("v = 9.007199254740992e15", nil, ["d", "e"]),
    (nil, "[\"==\", [\"get\", \"v\"], \(one)]", ["d"]),
    (nil, "[\">\", [\"get\", \"v\"], \(other)]", ["d"]),
    (nil, "[\"==\", \"v\", \(one)]", ["d"]), (nil, "[\"in\", \"v\", 1, \(other)]", ["e"]),
    (nil, "[\"<=\", \"v\", \(other)]", ["e"]),
    (nil, "[\"in\", [\"get\", \"v\"], [\"literal\", [\(one), 5]]]", ["d"]),
    (nil, "[\"==\", [\"to-string\", [\"get\", \"v\"]], \"\(one)\"]", ["d"]),
    (nil, "[\"==\", [\"to-number\", [\"get\", \"v\"]], \(other)]", ["e"]),
  ]

  @Test(
    "whole numbers beyond 2^53 are compared exactly by conditions and filters", arguments: tests)
  func comparisons(test: (where: String?, filter: String?, names: [String])) throws {
    for keys in ["type: csv, data: m.csv", "type: geojson, data: m.geojson"] {
      let names = try sample(keys).names {
        ($0.whereText, $0.filterText) = (test.where, test.filter)
      }
      #expect(names.filter { "de".contains($0) } == test.names, "\(keys)")
    }
  }

  @Test("a pipeline's filter compares exactly, also in a GeoPackage")
  func sources() throws {
    let literal = "[\"==\", [get, v], \(Self.one)]"
    let keys = "type: csv, data: m.csv"
    #expect(try sample("\(keys), filter: \(literal)").names() == ["d"])
    #expect(try sample("\(keys), filter: ['==', v, \(Self.one)]").names() == ["d"])
    let sample = try sample("type: csv, data: m.csv, where: v > 1e15")
    let path = sample.folder.url.path + "/m.gpkg"
    _ = try sample.text { ($0.format, $0.output) = (.gpkg, path) }
    let other = try QuerySample([("m", "type: gpkg, data: \(path)")], files: [])
    #expect(try other.text().contains("\"v\":\(Self.one)"))
    for test in Self.tests.prefix(9) {
      let names = try other.names { ($0.whereText, $0.filterText) = (test.where, test.filter) }
      #expect(names == test.names, "\(test.where ?? "")")
    }
  }

  @Test("numbers that share a Double are sorted by their digits")
  func sorted() throws {
    let sample = try sample("type: csv, data: m.csv, where: v > 1e15")
    #expect(try sample.names { $0.order = [SortRule("v")].compactMap(\.self) } == ["e", "d"])
    #expect(try sample.names { $0.order = [SortRule("v:desc")].compactMap(\.self) } == ["d", "e"])
  }

  private static let columns: [(values: [String], example: String?)] = [
    (["5.9", "5.10", "6.1"], "5.10"), (["5.1", "5.10", "7"], "5.10"), (["1", "1.0", "2"], "1.0"),
    (["1203", "12E3"], "12E3"), (["7", one], one), (["2.50", "3.75", "4.00"], nil),
    (["1.0", "2.25", "3.5"], nil), (["1e-05", "1.5e3", "2"], nil), (["12", "7", "950"], nil),
  ]

  @Test("check suggests to keep codes as texts, and has no finding after that", arguments: columns)
  func hints(column: (values: [String], example: String?)) throws {
    let rows = column.values.enumerated().map { "\($0.offset),1,\($0.element)" }
    var check = try CheckSample(
      Array(("lng,lat,v\n" + rows.joined(separator: "\n") + "\n").utf8), to: "m.csv", ["type: csv"])
    let found = try check.check().findings.filter { $0.kind == .spelledNumbers }
    #expect(found.first?.samples.first?.text == column.example && found.count < 2)
    guard column.example != nil else { return #expect(found.isEmpty) }
    let finding = try #require(found.first)
    #expect(finding.settings.map(\.yaml) == ["types: {v: string}"])
    check.set(finding.settings)
    #expect(try check.check().findings.allSatisfy { $0.kind != .spelledNumbers })
  }
}
