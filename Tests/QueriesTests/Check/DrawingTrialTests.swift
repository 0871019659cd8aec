import Examination
import Features
import Foundation
import Ingest
import JSON
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

/// A layer that draws the sample's source.
private let disc = "id: a, type: circle, source: p"

/// `check` and `build` of the same pipeline: one sentence, one code.
@Suite("check and build agree on what is drawn")
struct DrawingTrialTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,name,n,size\n", to: "header.csv")
    try folder.write("lng,lat,name,n,size\n1,1,a,x,4\n2,2,b,y,5\n", to: "points.csv")
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"a","n":"x"},"geometry":{"type":"Point","coordinates":[1,1]}}]}
      """, to: "points.geojson")
    try folder.write(
      #"{"type":"Feature","properties":{"name":"a"},"geometry":null}"#, to: "nowhere.geojson")
    try folder.write(
      """
      {"type":"Feature","properties":{"name":"a"},"geometry":
      {"type":"LineString","coordinates":[[1,1],[20,20]]}}
      """, to: "line.geojson")
  }

  private func definition(
    _ source: String, layers: [String], more: String = ""
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        p: {\(source)}
      layers:
      \(layers.map { "  - {\($0)}" }.joined(separator: "\n"))
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      \(more)
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(
    _ definition: PipelineDefinition, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    change(&options)
    return try #require(
      try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  /// Errors of both commands, without folders.
  private func refusals(
    _ source: String, layers: [String], more: String = ""
  ) throws -> (check: PipelineError?, build: PipelineError?) {
    let definition = try definition(source, layers: layers, more: more)
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    let error = #expect(throws: PipelineError.self) { try build(definition) }
    return (summary.failure, error)
  }

  @Test(
    "if nothing would be drawn, check and build end with 65 and the same sentence with the reason",
    arguments: [
      ("type: csv, data: header.csv", disc, "source 'p': There is not a single record."),
      (
        "type: geojson, data: nowhere.geojson", disc,
        "source 'p': The only record has no geometry: nothing is drawn."
      ),
      (
        "type: csv, data: points.csv", "id: a, type: fill, source: p",
        "layer 'a' draws nothing: it needs areas, and source 'p' has only points. "
          + "Set its 'type' to circle."
      ),
      (
        "type: geojson, data: line.geojson", "id: a, type: fill, source: p",
        "layer 'a' draws nothing: it needs areas, and source 'p' has only lines. "
          + "Set its 'type' to line."
      ),
      (
        "type: csv, data: points.csv",
        "id: a, type: symbol, source: p, layout: {text-field: [get, nam]}",
        "layer 'a' asks for 'nam', which no record has; did you mean 'name'?"
      ),
      (
        "type: geojson, data: points.geojson",
        "id: a, type: symbol, source: p, layout: {text-field: '{nam}'}",
        "layer 'a' asks for 'nam', which no record has; did you mean 'name'?"
      ),
      (
        "type: csv, data: points.csv",
        "id: a, type: symbol, source: p, layout: {text-field: '{name}', symbol-placement: line}",
        "layer 'a' draws nothing: it needs lines or areas, and source 'p' has only points. "
          + "Take 'symbol-placement' out."
      ),
      (
        "type: csv, data: points.csv", "\(disc), filter: ['==', [get, nam], a]",
        "layer 'a' asks for 'nam', which no record has; did you mean 'name'?"
      ),
      (
        "type: csv, data: points.csv, where: \"nam = 'a'\"", disc,
        "'where' asks for 'nam', which no record has; did you mean 'name'?"
      ),
      (
        "type: csv, data: points.csv", "\(disc), filter: ['==', [get, name], c]",
        "Check the filters, the layers' zooms and 'bounds'."
      ),
    ])
  func nothingDrawn(source: String, layer: String, reason: String) throws {
    let found = try refusals(source, layers: [layer])
    #expect(found.build?.exitCode == 65)
    #expect(found.check?.exitCode == 65)
    #expect(found.check?.description == found.build?.description)
    #expect(found.build?.message.contains(reason) == true, "\(found.build?.message ?? "")")
  }

  @Test("a GeoPackage without a geometry is refused by check as by the build")
  func geoPackageWithoutGeometry() throws {
    var query = QueryOptions()
    query.format = .gpkg
    query.output = folder.path("nowhere.gpkg")
    _ = try PipelineRunner.query(
      definition("type: geojson, data: nowhere.geojson", layers: [disc]), query: query,
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }, write: { _ in })
    let found = try refusals("type: gpkg, data: nowhere.gpkg", layers: [disc])
    #expect(found.build?.exitCode == 65)
    #expect(found.check?.description == found.build?.description)
  }

  @Test(
    "data drawn differently than intended is a note of both check and build, in the same words",
    arguments: [
      (
        "\(disc), paint: {circle-radius: [get, n]}",
        "x.yml:5:46: 'circle-radius' of layer 'a' has no value for any record (Expected value to be "
          + "of type number, but found string instead): its default, 5, is drawn."
      ),
      (
        "\(disc), paint: {circle-color: [get, n]}",
        "x.yml:5:46: 'circle-color' of layer 'a' has no value for any record"
      ),
      (
        "\(disc), paint: {circle-opacity: ['/', [to-number, [get, size]], 0]}",
        "(The value is infinite): its default, 1, is drawn."
      ),
      (
        "\(disc), layout: {circle-sort-key: [get, n]}",
        "x.yml:5:47: 'circle-sort-key' of layer 'a' has no value for any record (Expected value to "
          + "be of type number, but found string instead): it has no effect."
      ),
    ])
  func notes(layer: String, sentence: String) throws {
    let definition = try definition("type: csv, data: points.csv", layers: [layer])
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(summary.failure == nil)
    #expect(summary.layerNotes.count == 1)
    #expect(try drawingNotes(of: definition) == summary.layerNotes)
    let note = try #require(summary.layerNotes.first)
    #expect(note.replacing(folder.url.path + "/", with: "").contains(sentence), "\(note)")
    #expect(summary.text(file: "x.yml").contains("note: \(note)"))
    let form = summary.json(file: "x.yml").pretty
    #expect(form.contains("has no value for any record") || form.contains("draws nothing"))
  }

  @Test("names that no record has are notes of each build")
  func unknownNames() throws {
    let layers = [
      disc,
      "id: b, type: symbol, source: p, layout: {text-field: '{nam}', text-size: [get, nn]}",
    ]
    for source in ["type: csv, data: points.csv", "type: geojson, data: points.geojson"] {
      let definition = try definition(source, layers: layers)
      let summary = try PipelineRunner.check(definition, options: BuildOptions())
      let found = summary.findings.filter { $0.kind == .unknownProperty }.map(\.message)
      #expect(summary.failure == nil && found.count == 2 && summary.layerNotes == [])
      #expect(try build(definition).notes.filter { $0.contains("asks for") } == found)
      let again = try build(definition) { $0.force = true }
      #expect(again.notes.filter { $0.contains("asks for") } == found)
    }
  }

  @Test("names of 'select' and of the text of taps that no record has are notes")
  func unknownNamesBesideLayers() throws {
    for (source, select) in [
      ("type: geojson, data: points.geojson", ", select: [name, nope]"),
      ("type: csv, data: points.csv", ""),
    ] {
      let file = try folder.write(
        """
        version: 1
        sources: {p: {\(source)\(select)}}
        layers: [{\(disc)}]
        tiles: {maxzoom: 1, interactivity: {text: "{nmae}"}}
        output: {path: out.mbtiles}
        """, to: "x.yml")
      let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      let found = try build(definition).notes.filter { $0.contains("asks for") }
      #expect(
        found.contains { $0.contains("'text' of 'interactivity' asks for 'nmae'") }, "\(source)")
      #expect(found.contains { $0.contains("'select' asks for 'nope'") } == !select.isEmpty)
      let summary = try PipelineRunner.check(definition, options: BuildOptions())
      #expect(summary.findings.filter { $0.kind == .unknownProperty }.map(\.message) == found)
    }
  }

  private static let ground = "id: g, type: background, paint: {background-color: white}"

  @Test(
    "a map with nothing but its background is refused by check and build, and says why",
    arguments: [
      (["\(disc), filter: ['==', [get, name], c]"], "Check the filters"),
      (["id: a, type: symbol, source: p, layout: {text-field: [get, no]}"], "which no record has"),
      (["id: a, type: fill, source: p"], "it needs areas"),
    ])
  func emptyOverBackground(layers: [String], reason: String) throws {
    let found = try refusals("type: csv, data: points.csv", layers: [Self.ground] + layers)
    #expect(found.build?.exitCode == 65)
    #expect(found.check?.description == found.build?.description)
    #expect(found.build?.message.contains("nothing but the background") == true)
    #expect(found.build?.message.contains(reason) == true, "\(found.build?.message ?? "")")
  }

  @Test("a map of backgrounds alone is built, and one that may be empty over its background")
  func backgroundAlone() throws {
    let plain = try definition("type: csv, data: points.csv", layers: [Self.ground])
    #expect(try build(plain).tiles.planned == 5)
    let allowed = try definition(
      "type: csv, data: points.csv",
      layers: [Self.ground, "\(disc), filter: ['==', [get, name], c]"],
      more: "expect: {features: {min: 0}}")
    #expect(try build(allowed).tiles.planned == 5)
  }

  @Test(
    "bounds in which nothing lies are noted, with the exchanged ones where these hold data",
    arguments: [
      ("[48, 11, 49, 12]", "[11, 48, 12, 49], they hold data"), ("[11, 48, 12, 49]", nil),
      ("[100, 11, 110, 12]", "11.5"), ("[170, 40, -170, 50]", "11.5"),
    ] as [(String, String?)])
  func missedBounds(bounds: String, words: String?) throws {
    try folder.write("lng,lat\n11.5,48.5\n11.6,48.2\n", to: "munich.csv")
    let file = try folder.write(
      """
      version: 1
      sources: {p: {type: csv, data: munich.csv}}
      layers: [{\(disc)}]
      tiles: {maxzoom: 3, bounds: \(bounds)}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let notes: [String]
    do {
      notes = try build(definition).notes
    } catch let error as PipelineError {
      notes = [error.message]
    }
    let found = notes.filter { $0.contains("nothing of the data lies in") }
    #expect(found.count == (words == nil ? 0 : 1), "\(notes)")
    if let words { #expect(found.first?.contains(words) == true, "\(found)") }
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    let all = summary.layerNotes + [summary.failure?.message].compactMap(\.self)
    #expect(all.contains { $0.contains("nothing of the data lies in") } == (words != nil))
  }

  @Test("a view without data is noted, with the exchanged middle if that shows some")
  func missedView() throws {
    try folder.write("lng,lat\n11.5,48.5\n", to: "munich.csv")
    let definition = try definition("type: csv, data: munich.csv", layers: [disc])
    func notes(_ longitude: Double, _ latitude: Double) throws -> [String] {
      var notes: [String] = []
      _ = try PipelineRunner.render(
        definition,
        view: MapView(
          center: LngLat(longitude: longitude, latitude: latitude), zoom: 6, width: 200, height: 200
        ),
        options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
        note: { notes.append($0) })
      return notes
    }
    #expect(try notes(11.5, 48.2) == [])
    let exchanged = try notes(48.2, 11.5)
    #expect(exchanged.count == 1)
    #expect(exchanged.first?.contains("exchanged, around 11.5, 48.2, the view shows data") == true)
    #expect(try notes(-120, 30).first?.contains("exchanged") == false)
  }

  @Test(
    "a feature that is drawn as intended gives no notes",
    arguments: [
      ["\(disc), paint: {circle-radius: [get, size]}"],
      ["\(disc), paint: {circle-radius: [coalesce, [get, nosuch], 5]}"],
      [disc, "id: b, type: fill, source: p, filter: ['==', [geometry-type], Polygon]"],
      [disc, "id: b, type: fill, source: p, minzoom: 5"],
      [disc, "id: b, type: fill, source: p, layout: {visibility: none}"],
      [disc, "id: b, type: circle, source: p, filter: ['==', [get, name], c]"],
    ])
  func silence(layers: [String]) throws {
    let definition = try definition("type: csv, data: points.csv", layers: layers)
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(summary.failure == nil && summary.layerNotes == [])
    #expect(try build(definition).notes == [])
  }

  @Test("an expression with a value only for clusters, or only for lone points, is accepted")
  func clusters() throws {
    let layers = [
      "\(disc), paint: {circle-radius: [get, point_count], circle-opacity: [get, size]}"
    ]
    let definition = try definition(
      "type: csv, data: points.csv, cluster: true, clusterMaxZoom: 0", layers: layers)
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(summary.failure == nil && summary.layerNotes == [])
    #expect(try build(definition).notes == [])
  }

  /// The notes of a build on what is drawn, without those on texts that are used as numbers, which
  /// `check` tells as hints.
  private func drawingNotes(of definition: PipelineDefinition) throws -> [String] {
    try build(definition).notes.filter {
      !$0.contains("as a number, but") && !$0.contains("with numbers, but")
    }
  }

  @Test("a value that only a late record has is found behind the records that are tried first")
  func lateValue() throws {
    let rows = (0..<20_000).map { "\($0 % 90),\($0 % 80),\($0 == 19_999 ? "7" : "x")" }
    try folder.write("lng,lat,n\n" + rows.joined(separator: "\n") + "\n", to: "late.csv")
    for layer in [
      "\(disc), filter: ['==', [get, n], 7]", "\(disc), paint: {circle-radius: [get, n]}",
    ] {
      let definition = try definition("type: csv, data: late.csv", layers: [layer])
      let summary = try PipelineRunner.check(definition, options: BuildOptions())
      #expect(summary.failure == nil && summary.layerNotes == [])
      #expect(try drawingNotes(of: definition) == [])
    }
  }

  @Test("check words the record expectations of 'expect' like the build")
  func expectation() throws {
    let found = try refusals(
      "type: csv, data: points.csv", layers: [disc], more: "expect: {features: {min: 3}}")
    #expect(found.check?.exitCode == 65)
    #expect(found.check?.description == found.build?.description)
  }

  @Test("points of one line that share its id are not duplicates for check, build or query")
  func sharedID() throws {
    try folder.write("lng,lat,bus\n1,1,a\n2,2,a\n", to: "track.csv")
    let definition = try definition(
      "type: csv, data: track.csv, id: bus, line: {by: bus}",
      layers: ["id: a, type: line, source: p"])
    #expect(try PipelineRunner.check(definition, options: BuildOptions()).failure == nil)
    #expect(try build(definition).sources.first?.ledger.used == 2)
    let found = try PipelineRunner.query(
      definition, query: QueryOptions(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }, write: { _ in })
    #expect(found.features == 2)
  }

  @Test(
    "check counts records that depend on others like the build",
    arguments: [
      // One that comes after the records that are tried first has no time.
      ("line: {by: bus, order: t}", 20_001, "", "has no 't', which 'line' asks for"),
      // Three are lone points of a line each.
      ("line: {by: lone}", 3, "", "3 read, 0 filtered, 0 used"),
      ("line: {by: bus}", 7, "expect: {features: {min: 7}}", "6 features"),
      (
        "featureLimit: {perTile: 2, orderBy: [t, asc]}", 7, "expect: {features: {min: 7}}",
        "2 features"
      ),
    ])
  func countedTogether(keys: String, rows: Int, more: String, says: String) throws {
    let lines = (0..<rows).map { row in
      "1,\(row % 80 + 1),\(rows == 7 && row == 3 ? "other" : "bus"),\(row),"
        + (row == 20_000 ? "" : "\(row)")
    }
    try folder.write(
      "lng,lat,bus,lone,t\n" + lines.joined(separator: "\n") + "\n", to: "track.csv")
    let layer = keys.hasPrefix("line") ? "id: a, type: line, source: p" : disc
    let found = try refusals("type: csv, data: track.csv, \(keys)", layers: [layer], more: more)
    #expect(found.build?.exitCode == 65 && found.check?.exitCode == 65)
    #expect(found.check?.description == found.build?.description)
    #expect(found.build?.message.contains(says) == true, "\(found.build?.message ?? "")")
  }
}
