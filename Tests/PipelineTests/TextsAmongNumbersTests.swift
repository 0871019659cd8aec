import Examination
import Features
import Foundation
import Ingest
import PipelineSamples
import Queries
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

/// Values such as `1,234` in a property that a pipeline uses as a number.
@Suite("Texts in properties that are used as numbers")
struct TextsAmongNumbersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "lng,lat,rev,name\n1,1,950,a\n1,1,\"1,234\",b\n1,1,\"2,000\",c\n1,1,80,d\n1,1,n/a,e\n",
      to: "m.csv")
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"rev":950},"geometry":{"type":"Point","coordinates":[1,1]}},
      {"type":"Feature","properties":{"rev":"80"},"geometry":{"type":"Point","coordinates":[2,2]}}]}
      """, to: "m.geojson")
  }

  private func definition(_ keys: String, layer: String) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        m: {\(keys)}
      layers:
        - {id: a, type: circle, source: m, \(layer)}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func hints(_ definition: PipelineDefinition) throws -> [Finding] {
    try PipelineRunner.check(definition, options: BuildOptions()).findings
      .filter { $0.kind == .textsAmongNumbers }
  }

  private func notes(_ definition: PipelineDefinition, force: Bool = true) throws -> [String] {
    var options = BuildOptions()
    options.force = force
    return try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in }
    )[0].notes.filter { $0.contains("for nothing") }
      .map { $0.replacing(folder.url.path + "/", with: "") }
  }

  private static let cure =
    "[to-number, [join, [split, [to-string, [get, rev]], \",\"], \"\"]]"

  private static let uses: [(keys: String, layer: String, user: String)] = [
    ("cluster: true, clusterProperties: {sum: ['+', [get, rev]]}", "", "'clusterProperties'"),
    (
      "cluster: true, clusterProperties: {top: [max, [to-number, [get, rev]]]}", "",
      "'clusterProperties'"
    ),
    ("", "paint: {circle-radius: [interpolate, [linear], [get, rev], 0, 2, 3000, 9]}", "layer 'a'"),
    ("", "paint: {circle-radius: [step, [get, rev], 2, 1000, 9]}", "layer 'a'"),
    ("", "paint: {circle-radius: [get, rev]}", "layer 'a'"),
    ("", "paint: {circle-radius: {property: rev, stops: [[0, 2], [3000, 9]]}}", "layer 'a'"),
    ("", "paint: {circle-radius: [number, [get, rev], 3]}", "layer 'a'"),
    ("", "paint: {circle-radius: [to-number, [get, rev]]}", "layer 'a'"),
    (
      "", "paint: {circle-radius: [let, r, [coalesce, [get, rev], 1], [+, [var, r], 1]]}",
      "layer 'a'"
    ),
    ("", "filter: ['>', [get, rev], 90]", "layer 'a'"),
    ("", "filter: ['<', rev, 1000]", "layer 'a'"),
    ("", "filter: [match, [get, rev], [80, 950], true, false]", "layer 'a'"),
    ("", "filter: [in, [get, rev], [literal, [80, 950]]]", "layer 'a'"),
    ("filter: ['>', [get, rev], 90]", "", "'filter'"),
    ("filter: ['==', [get, rev], 950]", "", "'filter'"),
    ("where: rev > 90", "", "'where'"),
    ("where: 'rev IN (80, 950)'", "", "'where'"),
    ("where: NOT rev BETWEEN 1 AND 90", "", "'where'"),
    ("where: 2 * rev > 90 OR name = 'b'", "", "'where'"),
    ("featureLimit: {perTile: 5, orderBy: [rev, desc]}", "", "'featureLimit'"),
  ]

  @Test("each use as a number has a note in build and a hint in check", arguments: uses)
  func used(use: (keys: String, layer: String, user: String)) throws {
    let keys = "type: csv, data: m.csv" + (use.keys.isEmpty ? "" : ", \(use.keys)")
    let definition = try definition(
      keys, layer: use.layer.isEmpty ? "paint: {circle-radius: 5}" : use.layer)
    let notes = try notes(definition)
    #expect(notes.count == 1, "\(notes)")
    let note = notes.first ?? ""
    #expect(note.hasPrefix("x.yml:") && note.contains(": \(use.user) "))
    #expect(
      note.contains("2 of 4 values are texts, such as '1,234' (m.csv:3), which count for nothing."))
    #expect(note.contains("1234 in the file") && note.contains("'rev'"))
    #expect(note.contains(Self.cure) == (use.user != "'featureLimit'"), "\(note)")
    let hints = try hints(definition)
    #expect(hints.count == 1, "\(hints)")
    #expect(hints.first?.count == 2)
    #expect(
      hints.first?.samples == [Finding.Sample(line: 3, text: "1,234")])
  }

  @Test(
    "uses that answer texts, or other columns, have none",
    arguments: [
      "paint: {circle-radius: [case, ['==', [typeof, [get, rev]], number], [get, rev], 3]}",
      "filter: ['!=', [get, name], 5]", "filter: ['==', [get, rev], '1,234']",
      "filter: [has, rev]", "filter: ['>', [get, rev], 'a']",
    ])
  func silent(layer: String) throws {
    let definition = try definition("type: csv, data: m.csv", layer: layer)
    #expect(try notes(definition) == [])
    #expect(try hints(definition).isEmpty)
  }

  @Test("the suggested expression makes the values count")
  func cured() throws {
    let sample = try QuerySample(
      [
        (
          "m",
          "type: csv, data: m.csv, cluster: true, "
            + "clusterProperties: {sum: ['+', [get, rev]], all: ['+', \(Self.cure)]}"
        )
      ], files: [("m.csv", "lng,lat,rev\n1,1,950\n1,1,\"1,234\"\n1,1,\"2,000\"\n1,1,80\n")])
    let text = try sample.text { $0.clusterZoom = 0 }
    #expect(text.contains("\"sum\":1030") && text.contains("\"all\":4264"), "\(text)")
  }

  @Test("texts that are numbers between quotes count for nothing, too")
  func typed() throws {
    let definition = try definition(
      "type: geojson, data: m.geojson, where: rev > 10", layer: "paint: {circle-radius: 5}")
    #expect(
      try notes(definition) == [
        "x.yml:3:46: 'where' uses 'rev' as a number, but 1 of 2 values is a text, such as '80' "
          + "(m.geojson:3), which counts for nothing. Write 80 in the file, or test "
          + "[to-number, [get, rev]] with 'filter'."
      ])
  }

  @Test("cached records keep the counts of their filter")
  func cached() throws {
    let rows = (0..<500).map { "1,1,\($0),x" }.joined(separator: "\n")
    try folder.write("lng,lat,rev,name\n\(rows)\n1,1,\"1,234\",b\n", to: "m.csv")
    let keys = "type: csv, data: m.csv, where: rev > 10"
    let first = try notes(try definition(keys, layer: "paint: {circle-radius: 5}"), force: false)
    let second = try notes(try definition(keys, layer: "paint: {circle-radius: 6}"), force: false)
    #expect(first.count == 1 && first == second)
  }

  @Test("a query notes values that its conditions leave out")
  func query() throws {
    let sample = try QuerySample(
      [("m", "type: csv, data: m.csv")],
      files: [("m.csv", "lng,lat,rev\n1,1,950\n1,1,\"12,5\"\n1,1,45 %\n1,1,80\n")])
    let file = sample.folder.url.path + "/"
    let notes = try sample.notes { ($0.whereText, $0.countsOnly) = ("rev > 900", true) }
    #expect(
      notes.map { $0.replacing(file, with: "") } == [
        "--where uses 'rev' as a number, but 2 of 4 values are texts, such as '12,5' (m.csv:3), which "
          + "count for nothing. Write 12.5 in the file, or test [to-number, [join, [split, "
          + "[to-string, [get, rev]], \",\"], \".\"]] with --filter."
      ])
    #expect(try sample.notes { $0.whereText = "rev = 'x'" }.isEmpty)
  }

  @Test("texts of a GeoPackage that SQLite would leave out are counted")
  func geopackage() throws {
    let sample = try QuerySample(
      [("m", "type: csv, data: m.csv, types: {rev: string}")],
      files: [("m.csv", "lng,lat,rev\n1,1,950\n1,1,\"1,234\"\n")])
    let path = sample.folder.url.path + "/m.gpkg"
    _ = try sample.text { ($0.format, $0.output) = (.gpkg, path) }
    let other = try QuerySample([("m", "type: gpkg, data: \(path)")], files: [])
    let notes = try other.notes { $0.whereText = "rev > 900" }
    #expect(notes.count == 1 && notes[0].contains("2 of 2 values are texts, such as '950'"))
  }
}
