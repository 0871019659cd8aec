import Foundation
import PNG
import QuadrilleKit
import Raster
import TestSupport
import Testing

/// The library as a program that embeds it sees it: only what is public.
@Suite("QuadrilleKit")
struct TilePipelineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "lng,lat,name,rooms\n8.5,47.4,Alpha,10\n8.6,47.3,Beta,20\n-70,-10,Gamma,30\n,,Nowhere,1\n",
      to: "hotels.csv")
  }

  private static let text = """
    version: 1
    name: hotels
    sources: {hotels: {type: csv, data: hotels.csv, id: name, onError: {max: 1}}}
    layers: [{id: disc, type: circle, source: hotels, paint: {circle-radius: 8}}]
    tiles: {maxzoom: 4, interactivity: {fields: [name, rooms]}}
    output: {path: hotels.mbtiles}
    """

  private func pipeline(_ text: String = text) throws(QuadrilleError) -> TilePipeline {
    try TilePipeline(text: text, file: folder.url.appending(path: "hotels.yml"))
  }

  @Test("a pipeline from text is checked, built and read")
  func whole() async throws {
    let pipeline = try pipeline()
    #expect(
      pipeline.name == "hotels" && pipeline.archives.map(\.path) == [folder.path("hotels.mbtiles")])
    let check = try await pipeline.check()
    #expect(check.failure == nil && check.sources.map(\.read) == [4])
    let built = try await pipeline.build()
    let result = try #require(built.first)
    #expect(built.count == 1 && result.outcome == .published)
    #expect(result.sources.map(\.used) == [3] && result.sources.map(\.noGeometry) == [1])
    #expect(result.zooms.map(\.zoom) == Array(0...4) && result.digest.count == 64)
    #expect(result.stages.contains { $0.name == "tiles" })
    let archive = try TileArchive(url: result.archive)
    #expect(archive.metadata["name"] == "hotels")
    #expect(archive.minZoom == 0 && archive.maxZoom == 4)
    let tile = try #require(try archive.tile(zoom: 0, column: 0, row: 0))
    #expect(try PNGDecoder().decode([UInt8](tile)).width == 256)
    #expect(try archive.tile(zoom: 4, column: 0, row: 0) == nil)
    #expect(try archive.tile(zoom: 99, column: -1, row: 0) == nil)
    let tap = try #require(try archive.tap(longitude: -70, latitude: -10))
    #expect(!tap.key.isEmpty && tap.json.contains("Gamma") && tap.json.contains("30"))
    #expect(try archive.tap(longitude: 0, latitude: 0) == nil)
    #expect(try archive.tap(longitude: .nan, latitude: 95) == nil)
  }

  @Test("a second build is unchanged, and settings make another archive")
  func settings() throws {
    let pipeline = try pipeline()
    let events = Events()
    #expect(try pipeline.build { events.append($0) }.map(\.outcome) == [.published])
    let stages = events.stages
    #expect(stages.contains("ingest") && stages.contains("publish"))
    #expect(try pipeline.build().map(\.outcome) == [.unchanged])
    var settings = BuildSettings()
    settings.maxZoom = 1
    settings.threads = 2
    settings.usesCache = false
    settings.output = folder.url.appending(path: "small.mbtiles")
    let small = try #require(try pipeline.build(settings).first)
    #expect(small.archive.path == settings.output?.path && small.zooms.map(\.zoom) == [0, 1])
  }

  @Test("errors have a code, a sentence and a place, and list the further ones")
  func errors() throws {
    let wrong = Self.text.replacing("maxzoom: 4", with: "maxzom: 4")
      .replacing("circle-radius: 8", with: "circle-radius: 8}, fillter: {a: b")
    let error = try #require(throws: QuadrilleError.self) { try pipeline(wrong) }
    #expect(error.code == .definition)
    #expect(error.sentence.contains("fillter") || error.sentence.contains("maxzom"))
    #expect(error.place?.file == folder.path("hotels.yml") && (error.place?.line ?? 0) > 3)
    #expect(error.others.count == 1)
    #expect(error.description.hasPrefix("\(folder.path("hotels.yml")):"))
    let missing = try #require(throws: QuadrilleError.self) {
      try pipeline(Self.text.replacing("data: hotels.csv", with: "data: none.csv")).check()
    }
    #expect(missing.code == .missingInput)
    #expect(
      try #require(throws: QuadrilleError.self) {
        try TileArchive(url: folder.url.appending(path: "none.mbtiles"))
      }.code == .missingInput)
    #expect(
      try #require(throws: QuadrilleError.self) {
        try TileArchive(url: folder.url.appending(path: "hotels.csv"))
      }.code == .badData)
  }

  @Test("addresses that are no file's are refused")
  func addresses() throws {
    let url = try #require(URL(string: "https://example.org/a.yml"))
    let calls: [() throws -> Void] = [
      { _ = try TilePipeline(contentsOf: url) },
      { _ = try TilePipeline(text: Self.text, file: url) },
      { _ = try pipeline().build(BuildSettings(output: url)) },
      { _ = try TileArchive(url: url) }, { _ = try TileArchive.verify(url) },
      { _ = try pipeline().replacingSource("hotels", with: [], temporaryFolder: url) },
      { _ = try TilePipeline.draft(from: [folder.url], for: url) },
    ]
    for call in calls {
      let error = try #require(throws: QuadrilleError.self) { try call() }
      #expect(error.code == .usage && error.sentence.contains("file URL"))
    }
  }

  @Test("a check says what a build would fail with, and which key settles it")
  func findings() throws {
    try folder.write("lng;lat;name\n8.5;47.4;Alpha\n8.6;47.3;Beta\n", to: "semicolons.csv")
    let check = try pipeline(
      Self.text.replacing("data: hotels.csv", with: "data: semicolons.csv")
    ).check()
    #expect(check.failure != nil)
    #expect(
      check.findings.contains {
        $0.isProblem && $0.settings.contains { $0.hasPrefix("delimiter: ") }
      })
  }

  @Test("values of variables are masked in errors, and only those that are given are known")
  func variables() throws {
    let text = Self.text.replacing("data: hotels.csv", with: #"data: "${WHERE}/none.csv""#)
    let file = folder.url.appending(path: "hotels.yml")
    let unknown = try #require(throws: QuadrilleError.self) {
      try TilePipeline(text: text, file: file)
    }
    #expect(unknown.sentence.contains("WHERE"))
    let secret = try #require(throws: QuadrilleError.self) {
      try TilePipeline(text: text, file: file, variables: ["WHERE": "topsecret"]).check()
    }
    #expect(!secret.description.contains("topsecret") && secret.description.contains("***"))
  }

  @Test("a cancelled run ends with its code and leaves no archive")
  func cancellation() async throws {
    let pipeline = try pipeline()
    let handle = RunCancellation()
    handle.cancel()
    #expect(handle.isCancelled)
    let error = try #require(throws: QuadrilleError.self) {
      try pipeline.build(cancellation: handle)
    }
    #expect(error.code == .cancelled)
    let task = Task { try await pipeline.build() }
    task.cancel()
    let result = await task.result
    guard case .failure(let failure as QuadrilleError) = result else {
      Issue.record("the build was not cancelled")
      return
    }
    #expect(failure.code == .cancelled)
    #expect(try !folder.names().contains("hotels.mbtiles"))
  }

  @Test("a build in progress is cancelled from its progress handler")
  func late() throws {
    let pipeline = try pipeline()
    let handle = RunCancellation()
    let error = try #require(throws: QuadrilleError.self) {
      try pipeline.build(cancellation: handle) { event in
        if case .began(stage: "tiles", _, _) = event { handle.cancel() }
      }
    }
    #expect(error.code == .cancelled && error.sentence.contains("cancelled"))
    #expect(try !folder.names().contains("hotels.mbtiles"))
  }
}
