import DefinitionSamples
import Features
import Fetching
import Foundation
import JSON
import PipelineSamples
import SourceStages
import Synchronization
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Sources behind urls, from the pipeline file to the archive.
@Suite("Sources behind urls") struct RemoteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A pipeline with one source, whose keys are given.
  private func definition(
    _ source: String, environment: [String: String] = [:]
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {s: {\(source)}}
      layers: [{id: a, type: circle, source: s, paint: {circle-radius: 5}}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { environment[$0] })
  }

  private func build(
    _ definition: PipelineDefinition, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    change(&options)
    let reports = try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    return try #require(reports.first)
  }

  /// Points at whole degrees of a box, those on its edges included.
  private static func lattice(_ box: String) -> String {
    let edges = box.split(separator: ",").compactMap { Double($0) }
    var features: [String] = []
    for x in stride(from: edges[0].rounded(.up), through: edges[2], by: 1) {
      for y in stride(from: edges[1].rounded(.up), through: edges[3], by: 1) {
        features.append(
          #"{"type":"Feature","properties":{"x":\#(Int(x)),"y":\#(Int(y))},"#
            + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"#)
      }
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  @Test("sources behind urls are fetched, built, found unchanged, and locked")
  func fetched() throws {
    let server = try LocalServer { request, connection in
      if request.headers["if-none-match"] == "\"1\"" {
        connection.answer(304, ["ETag: \"1\""])
      } else {
        connection.answer(200, ["ETag: \"1\""], "lng,lat,name\n1,2,a\n3,4,b\n")
      }
    }
    let pipeline = try definition("type: csv, data: '\(server.url("/h.csv"))'")
    let first = try build(pipeline)
    #expect(first.result == .published)
    #expect(first.sources[0].ledger.used == 2)
    #expect(first.sources[0].fetched.map(\.origin) == [.network])
    #expect(try build(pipeline).result == .unchanged)
    #expect(server.requests.count == 2)
    let lock = try String(decoding: folder.bytes("out.lock.json"), as: UTF8.self)
    #expect(lock.contains(#""rows": 2"#) && lock.contains(#""etag": "\"1\"""#))
    // Neither asks the network: the one may not, the other has what the lock says.
    #expect(try build(pipeline) { $0.offline = true }.result == .unchanged)
    #expect(try build(pipeline) { ($0.locked, $0.force) = (true, true) }.result == .published)
    #expect(server.requests.count == 2)
  }

  @Test("sources behind urls are refused under a lock once their content changes")
  func changed() throws {
    let server = try LocalServer { request, connection in
      connection.answer(200, [], "lng,lat\n1,2\n\(request.ordinal > 0 ? "3,4\n" : "")")
    }
    let pipeline = try definition("type: csv, data: '\(server.url("/h.csv"))'")
    _ = try build(pipeline)
    try FileManager.default.removeItem(atPath: folder.path(".quadrille-cache"))
    let error = #expect(throws: PipelineError.self) {
      try build(pipeline) { $0.locked = true }
    }
    #expect(error?.exitCode == 65)
    #expect(error?.message.contains("lock file says") == true)
    #expect(try build(pipeline).sources[0].ledger.used == 2)
  }

  @Test("a template is requested box by box, and features in two responses come once")
  func template() throws {
    let server = try LocalServer { request, connection in
      let box = request.target.split(separator: "=").last.map(String.init) ?? ""
      connection.answer(200, ["Content-Type: application/geo+json"], Self.lattice(box))
    }
    let pipeline = try definition(
      "type: geojson, data: '\(server.url("/box?bbox={west},{south},{east},{north}"))', "
        + "requests: {bounds: [0, 0, 10, 10], step: 5}")
    let report = try build(pipeline)
    #expect(report.sources[0].ledger.used == 121)
    // A row and a column of eleven lie on two edges each, their crossing on four.
    #expect(report.sources[0].ledger.repeated == 11 + 11 + 1)
    #expect(report.sources[0].fetched.count == 4)
    #expect(server.requests.count == 4)
  }

  @Test("a failed download ends the run with 69, or falls back to the last good copy, with a note")
  func lastGood() throws {
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.answer(200, [], "lng,lat\n1,2\n")
      } else {
        connection.answer(404, [], "gone")
      }
    }
    let url = server.url("/h.csv")
    _ = try build(try definition("type: csv, data: '\(url)'"))
    let error = #expect(throws: PipelineError.self) {
      try build(try definition("type: csv, data: '\(url)'"))
    }
    #expect(error?.exitCode == 69)
    let report = try build(
      try definition("type: csv, data: '\(url)', onFetchError: last-good"))
    #expect(report.notes.count == 1 && report.notes[0].contains("last good copy"))
  }

  @Test(
    "a last good copy is used up to its age, beyond which the run ends with 69",
    arguments: [("3d", true), ("1h", true), ("90", true), ("0", false), ("0s", false)])
  func lastGoodAge(_ age: String, _ isUsed: Bool) throws {
    let server = try LocalServer { request, connection in
      connection.answer(request.ordinal == 0 ? 200 : 404, [], "lng,lat\n1,2\n")
    }
    let source = "type: csv, data: '\(server.url("/h.csv"))', onFetchError: {lastGood: \(age)}"
    _ = try build(try definition(source))
    guard !isUsed else {
      let notes = try build(try definition(source)).notes
      #expect(notes.count == 1 && notes[0].contains("last good copy"))
      return
    }
    let error = #expect(throws: PipelineError.self) { try build(try definition(source)) }
    #expect(error?.exitCode == 69 && error?.message.contains("lastGood") == true)
  }

  @Test(
    "an age of a last good copy that is no time is refused",
    arguments: ["{lastGood: soon}", "{lastGood: -1}", "{}", "{lastGood: 3d, more: 1}", "[3d]"])
  func badAge(_ value: String) {
    let error = #expect(throws: PipelineError.self) {
      try definition("type: csv, data: 'http://localhost/a.csv', onFetchError: \(value)")
    }
    #expect(error?.exitCode == 78)
  }

  @Test("a skipped download leaves the other sources, a note and a ledger row")
  func skipped() throws {
    let isUp = Mutex(false)
    let server = try LocalServer { _, connection in
      if isUp.withLock({ $0 }) {
        connection.answer(200, [], "lng,lat\n1,2\n3,4\n")
      } else {
        connection.answer(404, [], "gone")
      }
    }
    try folder.write("lng,lat\n50,20\n", to: "places.csv")
    func pipeline(_ output: String, keys: String = "") throws -> PipelineDefinition {
      let file = try folder.write(
        """
        version: 1
        sources:
          s: {type: csv, data: '\(server.url("/h.csv"))', onFetchError: skip\(keys)}
          image: {type: image, url: '\(server.url("/a.png"))', bounds: [0, 0, 9, 9], onFetchError: skip}
          places: {type: csv, data: places.csv}
        layers:
          - {id: r, type: raster, source: image}
          - {id: a, type: circle, source: s, paint: {circle-radius: 5}}
          - {id: b, type: circle, source: places, paint: {circle-radius: 5}}
        tiles: {maxzoom: 1}
        output: {path: \(output)}
        """, to: "x.yml")
      return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    }
    let report = try build(try pipeline("out.mbtiles"))
    #expect(report.sources.map(\.ledger.used) == [0, 0, 1])
    #expect(report.sources.map { $0.absence != nil } == [true, true, false])
    #expect(report.notes.count { $0.contains("is left out") } == 2)
    let source = try #require(report.json["sources"]?["s"])
    #expect(source["read"] == .integer(0) && source["skipped"] != nil)
    #expect(try build(try pipeline("out.mbtiles")).result == .unchanged)
    let summary = try PipelineRunner.check(try pipeline("out.mbtiles"), options: BuildOptions())
    #expect(summary.failure == nil && summary.sources[0].absence != nil)
    let locked = #expect(throws: PipelineError.self) {
      try build(try pipeline("out.mbtiles")) { $0.locked = true }
    }
    #expect(locked != nil)
    // The source comes back: the next build has it, byte for byte as one that never lacked it.
    isUp.withLock { $0 = true }
    func withoutImage(_ output: String) throws -> PipelineDefinition {
      var definition = try pipeline(output)
      definition.sources.removeAll { $0.name == "image" }
      definition.layers.removeAll { $0.id == "r" }
      return definition
    }
    let whole = try build(try withoutImage("out.mbtiles"))
    #expect(whole.result == .published && whole.sources.map(\.ledger.used) == [2, 1])
    _ = try build(try withoutImage("full/out.mbtiles"))
    #expect(try folder.bytes("out.mbtiles") == folder.bytes("full/out.mbtiles"))
  }

  @Test("a skipped download is not an empty feed: the last archive stays")
  func skippedIsNotEmpty() throws {
    let isUp = Mutex(true)
    let server = try LocalServer { _, connection in
      if isUp.withLock({ $0 }) {
        connection.answer(200, [], "lng,lat\n1,2\n3,4\n")
      } else {
        connection.answer(404, [], "gone")
      }
    }
    var pipeline = try definition(
      "type: csv, data: '\(server.url("/h.csv"))', onFetchError: skip")
    pipeline.expectation.features.minimum = 0
    _ = try build(pipeline)
    let archive = try folder.bytes("out.mbtiles")
    isUp.withLock { $0 = false }
    let refusal = #expect(throws: PipelineError.self) { try build(pipeline) }
    #expect(refusal?.exitCode == 65)
    #expect(refusal?.message.contains("cannot be fetched (onFetchError: skip)") == true)
    #expect(refusal?.message.contains("not a single record") == false)
    #expect(try folder.bytes("out.mbtiles") == archive)
    let found = try PipelineRunner.check(pipeline, options: BuildOptions()).failure
    #expect(found?.message == refusal?.message)
  }

  @Test(
    "skipped sources stay in the lock file",
    arguments: ["/h.json", "/h.json?bbox={west},{south},{east},{north}"])
  func skippedIsLocked(path: String) throws {
    let isUp = Mutex(true)
    let server = try LocalServer { request, connection in
      if isUp.withLock({ $0 }) || request.target.hasPrefix("/other") {
        connection.answer(
          200, ["Content-Type: application/geo+json"], Self.lattice("0,0,\(request.target.count),5")
        )
      } else {
        connection.answer(404, [], "gone")
      }
    }
    let isTemplate = path.contains("{")
    let file = try folder.write(
      """
      version: 1
      sources:
        s:
          type: geojson
          data: '\(server.url(path))'
          onFetchError: skip
          \(isTemplate ? "requests: {bounds: [0, 0, 10, 10], step: 5}" : "")
        t: {type: geojson, data: '\(server.url("/other.json"))'}
      layers:
        - {id: a, type: circle, source: s, paint: {circle-radius: 5}}
        - {id: b, type: circle, source: t, paint: {circle-radius: 5}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let pipeline = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let whole = try build(pipeline)
    #expect(whole.sources[0].fetched.count == (isTemplate ? 4 : 1))
    let lock = try folder.bytes("out.lock.json")
    isUp.withLock { $0 = false }
    #expect(try build(pipeline).sources[0].absence != nil)
    #expect(try folder.bytes("out.lock.json") == lock)
    // An unchanged run leaves it as well.
    #expect(try build(pipeline).result == .unchanged)
    #expect(try folder.bytes("out.lock.json") == lock)
    // So the files that were locked are used once they are asked for.
    let locked = try build(pipeline) { $0.locked = true }
    #expect(locked.sources.map(\.ledger.used) == whole.sources.map(\.ledger.used))
  }

  @Test("the sources of a series are not skipped as a whole")
  func skippedSeries() throws {
    let error = #expect(throws: PipelineError.self) {
      try definition(
        "type: image-series, frames: 'in/*.png', time: '%Y', bounds: [0, 0, 1, 1], "
          + "onFetchError: skip")
    }
    #expect(error?.message.contains("onMissing") == true)
  }

  @Test("values of variables never appear in files or messages")
  func secrets() throws {
    let secret = "s3cr3t/t0ken"
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.answer(200, [], "lng,lat\n1,2\n")
      } else {
        connection.answer(403, [], "no: \(request.target)")
      }
    }
    let pipeline = try definition(
      "type: csv, data: '\(server.url("/h.csv?key="))${KEY}'", environment: ["KEY": secret])
    _ = try build(pipeline)
    let error = #expect(throws: PipelineError.self) { try build(pipeline) }
    #expect(error?.description.contains("s3cr3t") == false)
    let files = FileManager.default.enumerator(atPath: folder.url.path)
    for case let name as String in files ?? .init() where name != "x.yml" {
      #expect(!name.contains("s3cr3t"))
      guard let bytes = try? Data(contentsOf: folder.url.appendingPathComponent(name)) else {
        continue
      }
      #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil, "\(name)")
    }
  }

  @Test("capabilities without the layer are named by their address, not by their copy")
  func capabilitiesWithoutLayer() throws {
    let capabilities = """
      {"Layers": {"Layer": [{"@displayName": "Rain", "Service": {"LayerName": "RAD",
        "ImageFormat": "png", "Times": {"Time": ["2014-01-19T08:00:00"]}}}]}}
      """
    let server = try LocalServer { _, connection in
      connection.answer(200, ["Content-Type: application/json"], capabilities)
    }
    let url = server.url("/caps.json")
    let file = try folder.write(
      """
      version: 1
      sources:
        s: {type: image-series, bounds: [-12, 48, 5, 61],
            frames: {capabilities: '\(url)', layer: Snow, template: 'in/{time:%Y}.png'}}
      layers: [{id: a, type: raster, source: s}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) { try build(definition) }
    #expect(error?.description.contains(url) == true, "\(String(describing: error))")
    #expect(error?.description.contains("quadrille-cache") == false)
  }

  @Test(
    "capabilities send their key only to the scheme, host and port that they came from",
    arguments: [
      ("http://HOST/{LayerName}?t={Time}&k={key}", true),
      ("https://HOST/{LayerName}?t={Time}&k={key}", false),
      ("http://127.0.0.1:1/{LayerName}?t={Time}&k={key}", false),
      ("http://127.0.0.1/{LayerName}?t={Time}&k={key}", false),
      ("http://HOST{LayerName}/?t={Time}&k={key}", false),
    ])
  func capabilitiesWithKey(template: String, isSent: Bool) throws {
    let png = try SeriesSample().folder.bytes(SeriesSample.name(6))
    let server = try LocalServer { request, connection in
      guard request.target == "/caps.json" else {
        connection.answer(200, ["Content-Type: image/png"], png)
        return
      }
      let base = template.replacing("HOST", with: request.headers["host"] ?? "")
      connection.answer(
        200, ["Content-Type: application/json"],
        """
        {"Layers": {"BaseUrl": "\(base)", "Layer": [{"@displayName": "Rain", "Service":
          {"LayerName": "RAD", "ImageFormat": "png", "Times": {"Time": ["2014-01-19T08:00:00"]}}}]}}
        """)
    }
    let file = try folder.write(
      """
      version: 1
      sources:
        s: {type: image-series, bounds: [-12, 48, 5, 61],
            frames: {capabilities: '\(server.url("/caps.json"))', layer: Rain, key: '${KEY}'}}
      layers: [{id: a, type: raster, source: s}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in "s3cret-key" })
    do {
      #expect(try build(definition).series?.frames == 1 && isSent)
    } catch let error as PipelineError {
      #expect(!isSent && error.exitCode == 78, "\(error)")
      #expect(error.message.contains("another scheme, host or port"), "\(error)")
    }
    #expect(server.requests.contains { $0.target.contains("k=s3cret-key") } == isSent)
  }

  @Test("frames are fetched one by one, and one that does not exist is a missing frame")
  func frames() throws {
    let sample = try SeriesSample()
    let png = try sample.folder.bytes(SeriesSample.name(6))
    let server = try LocalServer { request, connection in
      if request.target.contains("07.png") {
        connection.answer(404, [], "gone")
      } else {
        connection.answer(200, ["Content-Type: image/png"], png)
      }
    }
    let frames = (6...8).map { "'\(server.url("/201401190\($0).png"))'" }.joined(separator: ", ")
    let file = try folder.write(
      """
      version: 1
      sources:
        s: {type: image-series, frames: [\(frames)], time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]}
      layers: [{id: a, type: raster, source: s}]
      tiles: {maxzoom: 2}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let report = try build(try PipelineDefinition(contentsOf: file, environment: { _ in nil }))
    #expect(report.series?.frames == 2)
    #expect(report.series?.unusable.count == 1)
    #expect(server.requests.count == 3)
  }
}
