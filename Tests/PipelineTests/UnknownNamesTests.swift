import Examination
import Features
import Foundation
import Ingest
import PipelineSamples
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

/// Names of columns and properties that no record has, and what nothing is left of.
@Suite("Names that no record has")
struct UnknownNamesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,name,n\n1,1,a,1\n2,2,b,2\n", to: "t.csv")
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"a"},"geometry":{"type":"Point","coordinates":[1,1]}},
      {"type":"Feature","properties":{"n":2},"geometry":{"type":"Point","coordinates":[2,2]}}]}
      """, to: "t.geojson")
    try folder.write("name,owner\na,Ann\n", to: "o.csv")
  }

  private func definition(
    _ source: String, layer: String = "paint: {circle-radius: 5}"
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        p:
          \(source.split(separator: "\n").joined(separator: "\n    "))
      layers:
        - {id: a, type: circle, source: p, \(layer)}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The sentences about unknown names, without folders.
  private func hints(
    _ source: String, layer: String = "paint: {circle-radius: 5}"
  ) throws -> [String] {
    let summary = try PipelineRunner.check(
      definition(source, layer: layer), options: BuildOptions())
    #expect(summary.sources.allSatisfy { $0.examination?.failure == nil })
    return summary.findings.filter { $0.kind == .unknownProperty }
      .map { $0.message.replacing(folder.url.path + "/", with: "") }
  }

  @Test(
    "unknown names are reported by check with their place and a similar name",
    arguments: ["type: csv\ndata: t.csv", "type: geojson\ndata: t.geojson"])
  func told(source: String) throws {
    #expect(
      try hints(source + "\nwhere: \"n > 0 OR nme = 'a'\"") == [
        "x.yml:6:22: 'where' asks for 'nme', which no record has; did you mean 'name'?"
      ])
    #expect(
      try hints(source + "\nfilter: [any, ['>', [get, n], 0], ['==', [get, entirely], a]]") == [
        "x.yml:6:52: 'filter' asks for 'entirely', which no record has."
      ])
    #expect(
      try hints(source, layer: "paint: {circle-radius: [number, [get, nn], 3]}") == [
        "x.yml:7:76: layer 'a' asks for 'nn', which no record has; did you mean 'n'?"
      ])
    #expect(
      try hints(source + "\nfeatureLimit: {perTile: 5, orderBy: [nm, desc]}") == [
        "x.yml:6:42: 'featureLimit' asks for 'nm', which no record has; did you mean 'n'?"
      ])
  }

  @Test("unknown names in taps are reported, unless clusters or another source may have them")
  func taps() throws {
    func hints(_ sources: String) throws -> [String] {
      let file = try folder.write(
        """
        version: 1
        sources:
          p: {type: csv, data: t.csv, cluster: true}
        \(sources)
        layers:
          - {id: a, type: circle, source: p}
        tiles: {maxzoom: 1, interactivity: {fields: [name, point_count, nm, id]}}
        output: {path: out.mbtiles}
        """, to: "taps.yml")
      return try PipelineRunner.check(
        PipelineDefinition(contentsOf: file, environment: { _ in nil }), options: BuildOptions()
      ).findings.filter { $0.kind == .unknownProperty }
        .map { $0.message.replacing(folder.url.path + "/", with: "") }
    }
    #expect(
      try hints("") == [
        "taps.yml:7:65: 'interactivity' asks for 'nm', which no record has; did you mean 'n'?"
      ])
    #expect(try hints("  q: {type: csv, data: t.csv}").isEmpty)
  }

  @Test(
    "names that any record has are not reported",
    arguments: [
      ("", "filter: [has, nosuch]"),
      ("", "paint: {circle-radius: [coalesce, [get, nosuch], 5]}"),
      ("", "paint: {circle-radius: [case, [has, nn], [number, [get, nn], 1], 5]}"),
      ("\nwhere: n > 0", "filter: ['==', [get, name], a]"),
      ("\nselect: [name]\nwhere: n > 0", "filter: ['==', [get, name], a]"),
      (
        "\ncluster: true\nclusterProperties: {sum: ['+', [get, n]]}",
        "filter: ['>', [+, [get, sum], [get, point_count]], 1]"
      ),
      (
        "\njoin: {data: o.csv, on: name}", "filter: ['==', [get, owner], Ann]"
      ),
    ], ["type: csv\ndata: t.csv", "type: geojson\ndata: t.geojson"])
  func known(keys: (source: String, layer: String), source: String) throws {
    #expect(try hints(source + keys.source, layer: keys.layer) == [])
  }

  @Test("a source whose filters leave nothing is a finding, and the build reports the counts")
  func allFiltered() throws {
    let definition = try definition("type: csv\ndata: t.csv\nwhere: name = 'x'")
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(summary.kinds == [.allFiltered] && summary.failure?.exitCode == 65)
    #expect(summary.findings[0].message.contains("every record, 2 in all"))
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.exitCode == 65)
    #expect(
      error?.message.contains("of source 'p' 2 read, 2 filtered, 0 used") == true,
      "\(error?.message ?? "")")
  }

  @Test("query refuses to select a missing column, and lists the existing ones")
  func select() throws {
    let sample = try QuerySample(
      [("p", "type: csv, data: t.csv")], files: [("t.csv", "lng,lat,name,n\n1,1,a,1\n")])
    #expect(
      sample.fault { $0.select = ["nam"] }.replacing(sample.folder.url.path + "/", with: "")
        == "usage: no column named 'nam' in t.csv; did you mean 'name'? "
        + "Columns are lng, lat, name, n.")
    #expect(try sample.text { $0.select = ["n", "lng"] }.contains(#"{"n":1,"lng":1}"#))
    let joined = try QuerySample(
      [("p", "type: csv, data: t.csv, join: {data: o.csv, on: name}")],
      files: [("t.csv", "lng,lat,name,n\n1,1,a,1\n"), ("o.csv", "name,owner\na,Ann\n")])
    #expect(try joined.text { $0.select = ["owner"] }.contains(#"{"owner":"Ann"}"#))
  }

  @Test(
    "an answer in CSV has the names of the columns, with or without a record",
    arguments: [
      ("type: csv, data: t.csv", nil, "lng,lat,name,n"),
      ("type: csv, data: t.csv, select: [n]", nil, "lng,lat,n"),
      ("type: csv, data: t.csv", ["n", "name"], "lng,lat,n,name"),
      ("type: geojson, data: t.geojson", nil, "lng,lat,name,n"),
    ] as [(String, [String]?, String)])
  func headers(keys: String, select: [String]?, header: String) throws {
    let sample = try QuerySample(
      [("p", keys)],
      files: [
        ("t.csv", "lng,lat,name,n\n1,1,a,1\n"),
        (
          "t.geojson",
          #"{"type":"Feature","properties":{"name":"a","n":1},"geometry":{"type":"Point","coordinates":[1,1]}}"#
        ),
      ])
    for condition in ["n = 1", "n = 2"] {
      let lines = try sample.lines {
        ($0.format, $0.select, $0.whereText) = (.csv, select, condition)
      }
      #expect(lines.first == header)
    }
  }

  @Test(
    "a missing file has its place in the pipeline file",
    arguments: [
      ("p: {type: csv, data: nope.csv}", "x.yml:3:24"),
      ("p: {type: image, url: nope.png, bounds: [0, 0, 1, 1]}", "x.yml:3:25"),
    ])
  func missingFile(source: String, place: String) throws {
    let layer = source.contains("image") ? "raster" : "circle"
    let file = try folder.write(
      """
      version: 1
      sources:
        \(source)
      layers: [{id: a, type: \(layer), source: p}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.code == .missingInput)
    #expect(
      error?.description.hasPrefix(folder.path(place) + ": source 'p' has its data in ") == true)
  }

  @Test("control characters of the data never reach a message unescaped")
  func controls() throws {
    try folder.write("l\u{1B}[31mng,lat,na\u{7}me\n1,1,a\n", to: "esc.csv")
    let definition = try definition("type: csv\ndata: esc.csv")
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    let message = try #require(error?.message)
    #expect(message.contains(#"columns are l\u{1B}[31mng, lat, na\u{07}me."#), "\(message)")
    let refused = try PipelineRunner.check(definition, options: BuildOptions())
    try folder.write("lng,lat,na\u{7}me,\u{9B}x\n1,1,\u{1B}[2J,2\n", to: "shown.csv")
    let summary = try PipelineRunner.check(
      self.definition("type: csv\ndata: shown.csv\nid: name"), options: BuildOptions())
    let texts = [
      message, refused.text(file: "x.yml"), summary.text(file: "x.yml"),
      "\(summary.failure as Any)",
    ]
    for text in texts {
      #expect(
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" },
        "\(text.debugDescription)")
    }
  }
}
