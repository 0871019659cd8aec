import Foundation
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Publication
@testable import Runs

/// A build replaces no file that it reads, under whatever name.
@Suite("Files that a pipeline reads and would write")
struct OwnInputTests {
  private static let rows = "lng,lat\n8,50\n9,51\n"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ source: String, output: String = "{path: out.mbtiles}", tiles: String = "{maxzoom: 1}",
    more: String = "", to file: String = "x.yml"
  ) throws -> String {
    try folder.write(
      """
      version: 1
      sources: {s: {type: csv, \(source)}}
      layers: [{id: a, type: circle, source: s}]
      tiles: \(tiles)
      output: \(output)
      \(more)
      """, to: file)
  }

  /// Expects that a pipeline is refused by all commands that publish or say what would be published.
  private func expectRefusal(
    _ definition: PipelineDefinition, _ options: BuildOptions = BuildOptions(),
    code: PipelineError.Code = .definition, saying words: String
  ) throws {
    let names = try folder.names()
    let runs: [() throws -> Void] = [
      {
        _ = try PipelineRunner.build(
          definition, options: options, cancellation: Cancellation(), progress: { _ in })
      },
      { _ = try PipelineRunner.check(definition, options: options) },
      {
        _ = try PipelineRunner.plan(
          definition, options: options, cancellation: Cancellation(), progress: { _ in })
      },
      {
        _ = try PipelineRunner.plan(
          definition, shards: 2, into: folder.path("plan"), options: options,
          cancellation: Cancellation(), progress: { _ in })
      },
    ]
    for run in runs {
      let error = #expect(throws: PipelineError.self) { try run() }
      #expect(error?.code == code && error?.message.contains(words) == true, "\(error as Any)")
    }
    #expect(try folder.names() == names)
  }

  private func definition(_ file: String) throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @Test(
    "data in the place of an archive, or of any file beside it, is refused",
    arguments: [
      "out.mbtiles", "out@2x.mbtiles", "out.report.json", "out@2x.report.json", "out.style.json",
      "out.tilejson", "out.legend.png", "out.legend.json", "out.updates.json",
      "out.updates.json.last", "out.lock.json", "out.mbtiles.1", "out.mbtiles.bad",
      "out.style.json.3", "out.1a2b3c4d-5e6f7a8b.delta", ".out.mbtiles.tmp-1",
      "./in/../out.mbtiles",
    ])
  func data(name: String) throws {
    let place = FilePath(name).lexicallyNormalized().string
    try folder.write(Self.rows, to: place)
    let file = try write("data: \(name)", tiles: "{maxzoom: 1, scale: [1, 2]}")
    try expectRefusal(try definition(file), saying: "source 's'")
    #expect(try folder.bytes(place) == Array(Self.rows.utf8))
  }

  @Test("names like those of an archive's files are no hindrance")
  func others() throws {
    let names = [
      "outer.mbtiles", "out.csv", "out-west.mbtiles", "in/out.mbtiles", "out.mbtiles.csv",
      "out.west.delta",
    ]
    for name in names { try folder.write(Self.rows, to: name) }
    for name in names {
      let definition = try definition(try write("data: \(name)"))
      try definition.requireInputsApart(BuildOptions())
    }
  }

  @Test("a link to a file of the archive, or a second name of it, is the file", arguments: [0, 1])
  func links(kind: Int) throws {
    let path = try folder.write(Self.rows, to: "out.mbtiles")
    let link = folder.path("link.csv")
    if kind == 0 {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out.mbtiles")
    } else {
      try FileManager.default.linkItem(atPath: path, toPath: link)
    }
    try expectRefusal(try definition(write("data: link.csv")), saying: "link.csv")
  }

  @Test("a folder with two names hides nothing, also where no archive is yet")
  func folders() throws {
    try folder.write(Self.rows, to: "one/out.mbtiles.1")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("two"), withDestinationPath: "one")
    let file = try write("data: one/out.mbtiles.1", output: "{path: two/out.mbtiles}")
    try expectRefusal(try definition(file), saying: "kept")
  }

  private static let furtherCases: [(source: String, more: String, name: String, words: String)] = [
    (
      "data: a.csv, id: id, edits: {data: out.updates.json, type: csv}", "", "out.updates.json",
      "source 's'"
    ),
    ("data: a.csv, join: {data: out.lock.json, on: id}", "", "out.lock.json", "source 's'"),
    ("data: a.csv", "include: [out.legend.json]", "out.legend.json", "includes"),
    ("data: 'out.*.1'", "", "out.mbtiles.1", "source 's'"),
  ]

  @Test("logs, joined tables, included files and patterns count, too", arguments: furtherCases)
  func furtherFiles(source: String, more: String, name: String, words: String) throws {
    try folder.write("id,lng,lat\n1,8,50\n", to: "a.csv")
    let pipeline = #"{"version": 1, "sources": {"t": {"type": "csv", "data": "a.csv"}}}"#
    try folder.write(more.isEmpty ? "id,lng,lat\n1,8,50\n" : pipeline, to: name)
    try expectRefusal(try definition(write(source, more: more)), saying: words)
  }

  @Test("a pattern that would match what the build writes is refused before the first build")
  func patterns() throws {
    try folder.write("{\"type\": \"FeatureCollection\", \"features\": []}", to: "a.json")
    let file = try folder.write(
      """
      version: 1
      sources: {s: {type: geojson, data: '*.json'}}
      layers: [{id: a, type: circle, source: s}]
      output: {path: out.mbtiles}
      """, to: "y.yml")
    try expectRefusal(try definition(file), saying: "also matches")
  }

  @Test("regions and keys of a pipeline count, and packs by their names")
  func packs() throws {
    try folder.write(Self.rows, to: "a.csv")
    let region = PackSample.feature("West", [-170, -60, -70, 60])
    let regions = "{\"type\": \"FeatureCollection\", \"features\": [\(region)]}"
    try folder.write(regions, to: "out.packs.json")
    try expectRefusal(
      try definition(
        write("data: a.csv", output: "{path: out.mbtiles, packs: {by: out.packs.json}}")),
      saying: "regions")
    try folder.write(regions, to: "r.json")
    try folder.write(Self.rows, to: "out-west.mbtiles")
    try expectRefusal(
      try definition(
        write("data: out-west.mbtiles", output: "{path: out.mbtiles, packs: {by: r.json}}")),
      saying: "a pack")
    let key = try KeyFileSample.write(to: "out.style.json", in: folder)
    var options = BuildOptions()
    options.keyFiles = [key]
    try expectRefusal(try definition(write("data: a.csv")), options, saying: "key")
    let signing = try definition(
      write("data: a.csv", output: "{path: out.mbtiles, updates: {sign: out.style.json}}"))
    let error = #expect(throws: PipelineError.self) {
      try signing.requireInputsApart(BuildOptions())
    }
    #expect(error?.message.contains("key") == true)
  }

  @Test("an archive that the command line names is refused as its fault")
  func option() throws {
    try folder.write(Self.rows, to: "city.mbtiles")
    var options = BuildOptions()
    options.output = folder.path("city.mbtiles")
    try expectRefusal(
      try definition(write("data: city.mbtiles")), options, code: .usage, saying: "with -o")
    try folder.write(Self.rows, to: "a.csv")
    let file = try write("data: a.csv")
    let replaced = try PipelineDefinition(
      contentsOf: file,
      replacing: [try #require(SourceReplacement("s=\(folder.path("city.mbtiles"))"))],
      environment: { _ in nil })
    try expectRefusal(replaced, options, code: .usage, saying: "source 's'")
  }

  @Test("a style is not replaced by the style of its own archive, and its data not by its archive")
  func style() throws {
    let source = #""s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}"#
    let text = """
      {"version": 8, "sources": {\(source)},
       "layers": [{"id": "a", "type": "circle", "source": "s"}]}
      """
    let file = try folder.write(text, to: "map.style.json")
    var options = BuildOptions()
    options.output = folder.path("map.mbtiles")
    try expectRefusal(try definition(file), options, code: .usage, saying: "the pipeline file")
    // Without sidecars nothing is written there.
    let bare = try folder.write(
      text.replacing("\"version\": 8,", with: "\"version\": 8, \"output\": {\"sidecars\": false},"),
      to: "map.style.json")
    try definition(bare).applying(options).requireInputsApart(options)
  }

  @Test(
    "frames, manifests and pictures of a series are files that a build writes",
    arguments: [
      "rain.frames.json", "rain.contact.png", "rain.apng", "rain/latest.mbtiles",
      "rain/2014-01-19T0600Z.mbtiles",
    ])
  func series(name: String) throws {
    let sample = try SeriesSample(
      layers: "[{id: r, type: raster, source: rain}, {id: c, type: circle, source: s}]",
      more: "s: {type: csv, data: '\(name)'}")
    try sample.folder.write(Self.rows, to: name)
    let definition = try PipelineDefinition(contentsOf: sample.file, environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      try definition.requireInputsApart(BuildOptions())
    }
    #expect(error?.code == .definition && error?.message.contains("series") == true)
  }

  @Test("an earlier archive that only the build itself goes on from is no input")
  func again() throws {
    try folder.write(Self.rows, to: "a.csv")
    let definition = try definition(
      write("data: a.csv", output: "{path: out.mbtiles, keepArchives: 2}"))
    for rows in ["8,50", "9,50", "10,50"] {
      try folder.write("lng,lat\n\(rows)\n", to: "a.csv")
      _ = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      _ = try PipelineRunner.check(definition, options: BuildOptions())
    }
  }

  @Test("the archive of one pipeline is a source of the next, and no other file of it is")
  func chains() throws {
    try folder.write(Self.rows, to: "a.csv")
    let first = try definition(write("data: a.csv", output: "{path: a.mbtiles}", to: "a.yml"))
    let next = try definition(write("data: a.mbtiles", output: "{path: b.mbtiles}", to: "b.yml"))
    func add(_ definitions: PipelineDefinition...) throws {
      var outputs = SharedOutputs()
      for definition in definitions { try outputs.add(definition) }
    }
    try add(first, next)
    _ = try PipelineRunner.build(
      first, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    try add(first, next)
    try add(next, first)
    // An archive that no build made would be lost.
    try folder.write(Self.rows, to: "a.mbtiles")
    #expect(throws: PipelineError.self) { try add(first, next) }
    #expect(throws: PipelineError.self) { try add(next, first) }
    // So would a pipeline.
    try FileManager.default.removeItem(atPath: folder.path("a.mbtiles"))
    let style = try definition(
      try folder.write(
        #"{"version": 1, "sources": {"s": {"type": "csv", "data": "a.csv"}}, "#
          + #""layers": [{"id": "a", "type": "circle", "source": "s"}], "#
          + #""tiles": {"maxzoom": 1}, "output": {"path": "b.mbtiles"}}"#, to: "a.style.json"))
    #expect(throws: PipelineError.self) { try add(style, first) }
  }

  @Test(
    "no option names a file that is read, or that the build writes",
    arguments: [
      "a.csv", "x.yml", "out.mbtiles", "out.mbtiles.1", "out.updates.json", "out.lock.json",
      "out.style.json", "key.pem", "font.ttf", "a.pmtiles",
    ])
  func targets(name: String) throws {
    try folder.write(Self.rows, to: "a.csv")
    try folder.write("\0\u{1}\0\0abcdefghijklmnop", to: "font.ttf")
    try folder.write("PMTiles\u{3}abcdefghijklmnop", to: "a.pmtiles")
    let key = try KeyFileSample.write(to: "key.pem", in: folder)
    var options = BuildOptions()
    options.keyFiles = [key]
    let guarded = TargetGuard(try definition(write("data: a.csv")), options)
    for option in ["-o", "--report", "--metrics"] {
      let error = #expect(throws: PipelineError.self) {
        try guarded.check(folder.path(name), option: option)
      }
      #expect(error?.code == .usage && error?.message.contains(option) == true)
    }
    try guarded.check(folder.path("out.report.json"), option: "--report")
    try guarded.check(folder.path("picture.png"))
  }
}

/// A private key in a file.
enum KeyFileSample {
  /// Writes a key and returns its path.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    try folder.write(
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
      -----END PRIVATE KEY-----

      """, to: name)
  }
}
