import Features
import Foundation
import TestSupport
import Testing

@testable import Definition
@testable import Runs

/// Several files as one tileset.
@Suite("Included files") struct MergeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes files and reads the first of them.
  private func load(
    _ files: [(name: String, text: String)], including more: [String] = [],
    environment: [String: String] = [:]
  ) throws -> PipelineDefinition {
    for file in files { try folder.write(file.text, to: file.name) }
    return try PipelineDefinition(
      contentsOf: folder.path(files[0].name), including: more.map { folder.path($0) },
      environment: { environment[$0] })
  }

  /// The words of the error that reading the files throws, the folder left out, or `none`.
  private func fault(
    _ files: [(name: String, text: String)], including more: [String] = []
  ) throws -> String {
    do {
      _ = try load(files, including: more)
      return "none"
    } catch let error as PipelineError {
      return error.description.replacing(folder.url.path + "/", with: "")
    }
  }

  private let stores = ("s/b.scfg", #"{"stores": [{"type": "csv", "uri": "b.csv", "id": "b"}]}"#)

  @Test("included content comes before a file's own, in the order of its list")
  func order() throws {
    let pipeline = try load([
      (
        "main.yml",
        """
        version: 1
        include: [s/c.yml, s/b.scfg]
        sources: {own: {type: geojson, data: own.json}}
        tiles: {maxzoom: 4}
        """
      ),
      stores,
      (
        "s/c.yml",
        """
        version: 1
        sources: {c: {type: geojson, data: ../c.json}}
        layers: [{id: c, type: fill, source: c}]
        """
      ),
    ])
    #expect(pipeline.sources.map(\.name) == ["c", "b", "own"])
    #expect(
      pipeline.layers.map(\.id) == [
        "c", "b-fill", "b-line", "b-circle", "own-fill", "own-line", "own-circle",
      ])
    let paths = pipeline.sources.map { source in
      if case .file(let path) = source.data { path } else { "" }
    }
    #expect(paths == ["c.json", "s/b.csv", "own.json"].map { folder.path($0) })
    #expect(pipeline.name == "main" && pipeline.tiles.maxZoom == 4)
    #expect(pipeline.output.path == folder.path("main.mbtiles"))
  }

  @Test(
    "files of the command line are included in the order of their paths, whatever that of the arguments"
  )
  func commandLine() throws {
    let files = [
      ("main.scfg", #"{"stores": [{"type": "csv", "uri": "m.csv"}]}"#),
      ("1.scfg", #"{"stores": [{"type": "csv", "uri": "x.csv"}]}"#),
      ("2.scfg", #"{"stores": [{"type": "csv", "uri": "a.csv"}]}"#),
      ("3.scfg", #"{"remote": {"http_host": "localhost"}}"#),
    ]
    for more in [
      ["1.scfg", "2.scfg", "3.scfg"], ["3.scfg", "2.scfg", "1.scfg", "main.scfg", "2.scfg"],
    ] {
      let pipeline = try load(files, including: more)
      #expect(pipeline.sources.map(\.name) == ["x", "a", "m"])
    }
  }

  @Test("a file may consist of includes, and its layers draw what they include")
  func collection() throws {
    let pipeline = try load([
      (
        "all.yml",
        """
        version: 1
        include: s/b.scfg
        layers: [{id: dots, type: circle, source: b}]
        """
      ), stores,
    ])
    #expect(pipeline.sources.map(\.name) == ["b"])
    #expect(pipeline.layers.map(\.id) == ["dots"])
  }

  @Test("a file that two others include is read once")
  func diamond() throws {
    let pipeline = try load([
      ("main.yml", "version: 1\ninclude: [1.yml, 2.yml]"),
      ("1.yml", "version: 1\ninclude: s/b.scfg"), ("2.yml", "version: 1\ninclude: s/../s/b.scfg"),
      stores,
    ])
    #expect(pipeline.sources.map(\.name) == ["b"])
  }

  @Test("each included file has its own variables, and the values of all are redacted")
  func variables() throws {
    let pipeline = try load(
      [
        (
          "main.yml",
          "args: {K: main-secret}\nversion: 1\ninclude: a.yml\nsources: {m: {type: csv, data: \"${K}\"}}"
        ),
        ("a.yml", "args: {K: other-secret}\nversion: 1\nsources: {a: {type: csv, data: \"${K}\"}}"),
      ])
    #expect(
      pipeline.sources.map(\.declaredName)
        == ["other-secret", "main-secret"].map { folder.path($0) })
    #expect(pipeline.redactions.redact("main-secret other-secret") == "*** ***")
  }

  @Test("tiles and state are merged key by key, the including file wins, attributions are joined")
  func values() throws {
    let pipeline = try load([
      (
        "main.yml",
        "version: 1\ninclude: [a.yml, b.yml]\nattribution: B\ntiles: {maxzoom: 5}\nstate: {s: {default: 1}}"
      ),
      (
        "a.yml",
        "version: 1\nattribution: A\nsources: {a: {type: csv, data: a}}\ntiles: {maxzoom: 9, scale: 2, snap: 1}\nstate: {s: {default: 2}, t: {default: 3}}"
      ),
      (
        "b.yml",
        "version: 1\nattribution: B\nsources: {b: {type: csv, data: b}}\ntiles: {maxzoom: 8, snap: 1}\noutput: {path: b.mbtiles}"
      ),
    ])
    #expect(pipeline.tiles.maxZoom == 5 && pipeline.tiles.scales == [2] && pipeline.tiles.snap == 1)
    #expect(pipeline.globalState == ["s": .number(1), "t": .number(3)])
    #expect(pipeline.attribution == "A, B")
    #expect(
      pipeline.notes.map(\.message) == [
        "'output' of an included file has no effect; that of the file that is built counts."
      ])
  }

  @Test(
    "two sources with one name follow the policy of the file that merges them, with a note",
    arguments: [("first", "a.csv"), ("last", "b.csv")])
  func policies(policy: String, data: String) throws {
    let pipeline = try load([
      ("main.yml", "version: 1\ninclude: [a.yml, b.scfg]\nonDuplicateId: \(policy)"),
      (
        "a.yml",
        "version: 1\nsources: {s: {type: csv, data: a.csv}}\nlayers: [{id: l, type: fill, source: s}]"
      ),
      (
        "b.scfg",
        #"{"stores": [{"type": "csv", "uri": "b.csv", "id": "s", "style": {"fill": "red"}}]}"#
      ),
    ])
    #expect(pipeline.sources.map(\.declaredName) == [folder.path(data)])
    #expect(pipeline.layers.map(\.id) == ["l"])
    let place = folder.path("b.scfg:1:51")
    #expect(
      pipeline.notes.map(\.description) == [
        "\(place): two sources have the name 's': here and at \(folder.path("a.yml")):2:11. "
          + "The \(policy) one is used."
      ])
  }

  @Test(
    "the look of an unused source is not used either",
    arguments: [("first", "red"), ("last", "blue")])
  func policyOfLooks(policy: String, color: String) throws {
    let pipeline = try load([
      (
        "main.scfg",
        """
        {"onDuplicateId": "\(policy)", "stores": [
          {"type": "csv", "uri": "a", "id": "s", "style": {"fill": "red"}},
          {"type": "csv", "uri": "b", "id": "s", "style": {"fill": "blue"}}]}
        """
      )
    ])
    #expect(pipeline.layers.map(\.id) == ["s-fill", "s-line", "s-circle"])
    guard case .array(let items)? = pipeline.layers[0].paint.first?.node.propertyValue else {
      return
    }
    #expect(items.last == .string(color))
  }

  @Test("merge faults name both places")
  func faults() throws {
    let a = (
      "a.yml",
      "version: 1\nsources: {s: {type: csv, data: a}}\ntiles: {maxzoom: 3}\nlayers: [{id: l, type: fill, source: s}]"
    )
    let main = ("main.yml", "version: 1\ninclude: [a.yml, b.yml]")
    #expect(
      try fault([main, a, ("b.yml", "version: 1\nsources: {s: {type: csv, data: b}}")])
        == "b.yml:2:11: two sources have the name 's': here and at a.yml:2:11. Rename one of them, or "
        + "set 'onDuplicateId' to first or last.")
    #expect(
      try fault([
        main, a, ("b.yml", "version: 1\nsources: {t: {type: csv, data: b}}\ntiles: {maxzoom: 4}"),
      ])
        == "b.yml:3:9: 'maxzoom' in tiles differs here from a.yml:3:18. Remove one, or set it in the "
        + "file that includes both.")
    #expect(
      try fault([
        main, a,
        (
          "b.yml",
          "version: 1\nsources: {t: {type: csv, data: b}}\nlayers: [{id: l, type: fill, source: t}]"
        ),
      ])
        == "b.yml:3:15: the layer id 'l' occurs here and at a.yml:4:15. Give one of them another.")
    #expect(
      try fault([
        main, a,
        (
          "b.yml",
          "version: 1\nsources: {t: {type: csv, data: b}}\nlayers: [{id: k, type: fill, source: u}]"
        ),
      ])
      .hasPrefix("b.yml:3:38: layer 'k' draws the source 'u', which is not there"))
    #expect(
      try fault([main, a, ("b.yml", "version: 1\nsourcs: {}")]).hasPrefix("b.yml:2:1: unknown key"))
    #expect(
      try fault([main, a, ("b.yml", "{\"version\": 8, \"sources\": {}, \"layers\": []}")])
        .hasPrefix("main.yml:2:18: b.yml is a MapLibre style, which cannot be included"))
    #expect(
      try fault([("main.yml", "version: 1\ninclude: [c.yml]")])
        == "main.yml:2:11: the included file c.yml is not there. Paths are relative to the file that "
        + "includes it.")
    #expect(
      try fault([("main.yml", "version: 1\ninclude: [\"https://x.org/a.scfg\"]")])
        == "main.yml:2:11: only files can be included, not urls. Download it and name the file.")
    #expect(
      try fault([("main.yml", "version: 1\ninclude: {}")])
        .hasPrefix("main.yml:2:10: 'include' in the pipeline must be a text, or a list"))
  }

  @Test("a missing file of the command line is reported as such")
  func missing() throws {
    let main = ("main.scfg", #"{"stores": []}"#)
    #expect(
      try fault([main], including: ["d.scfg"])
        == "--include: the included file d.scfg is not there. Check the path.")
  }

  @Test("circular and endless includes end in an error")
  func limits() throws {
    #expect(
      try fault([
        ("a.yml", "version: 1\ninclude: b.yml"), ("b.yml", "version: 1\ninclude: ./b/../a.yml"),
      ]) == "b.yml:2:10: a file cannot include itself: a.yml → b.yml → a.yml.")
    #expect(
      try fault([("a.yml", "version: 1\ninclude: a.yml")])
        == "a.yml:2:10: a file cannot include itself: a.yml → a.yml.")
    let chain = (0..<12).map { ("\($0).yml", "version: 1\ninclude: \($0 + 1).yml") }
    #expect(
      try fault(chain)
        == "7.yml:2:10: a tileset takes at most 64 files, which include one another at "
        + "most 8 deep.")
    let names = (0..<64).map { "s\($0).scfg" }
    let many = names.map { ($0, #"{"stores": [{"type": "csv", "uri": "\#($0)"}]}"#) }
    let main = ("main.yml", "version: 1\ninclude: [\(names.joined(separator: ", "))]")
    #expect(try fault([main] + many).contains("at most 64 files"))
    #expect(try fault([("main.yml", main.1.replacing("s0.scfg, ", with: ""))] + many) == "none")
    // Aliases count as often as they are used: 90,000 values in 300 letters.
    let ones = Array(repeating: "0", count: 300).joined(separator: ",")
    let rows = Array(repeating: "*a", count: 299).joined(separator: ",")
    let large = (0..<4).map {
      ("l\($0).yml", "version: 1\nsources: {}\nstate: {s\($0): {default: [&a [\(ones)],\(rows)]}}")
    }
    let all = ("main.yml", "version: 1\ninclude: [l0.yml, l1.yml, l2.yml, l3.yml]")
    #expect(
      try fault([all] + large)
        == "main.yml:2:35: with this file the tileset's files hold more than 300000 values together."
    )
  }
}
