import Definition
import Foundation
import JSON
import Runs
import TestSupport
import Testing
import Tiling

@testable import Preview

/// The layers of a pipeline that the page lets people change.
@Suite("The preview's look")
struct LookTests {
  private static let pipeline = """
    version: 1
    name: a
    sources:
      s: {type: csv, data: s.csv, x: lon, y: lat}
    layers:
      - id: dots
        type: circle
        source: s
        paint:
          circle-color: [step, [get, n], "#112233", 10, red]
          circle-radius: 4
      - {id: names, type: symbol, source: s, layout: {text-field: "${HOME}", text-size: 12}}
    output: {path: out/a.mbtiles}
    """

  private func sample(report: String) throws -> PreviewSample {
    let sample = try PreviewSample()
    try sample.archive("out/a.mbtiles")
    try sample.folder.write(report, to: "out/a.report.json")
    try sample.folder.write(Self.pipeline, to: "a.yml")
    return sample
  }

  private func text(_ answer: PreviewAnswer) -> String {
    String(decoding: answer.content.bytes, as: UTF8.self)
  }

  @Test("the look has the layers of the pipeline that the report names, without variables")
  func layers() throws {
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    var router = try sample.router("out/a.mbtiles")
    #expect(text(router.get("/catalogue.json")).contains(#""look": "tilesets/a/look.json""#))
    let answer = router.get("/tilesets/a/look.json")
    let look = text(answer)
    #expect(look.contains(#""file": "a.yml", "isWatched": false"#), "\(look)")
    #expect(
      look.contains(
        #"""
        {"group": "paint", "name": "circle-color", "value": ["step", ["get", "n"], "#112233", 10, \#
        "red"], "place": "a.yml:10"}
        """#), "\(look)")
    #expect(look.contains(#""name": "text-size", "value": 12"#) && !look.contains("text-field"))
    #expect(!look.contains(#""isDefault": true"#))
    router.isLive = false
    #expect(router.get("/tilesets/a/look.json").status == 404)
    #expect(!text(router.get("/catalogue.json")).contains("look.json"))
  }

  @Test("layers that no file writes down are told with all that makes them")
  func defaults() throws {
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    let source = "s: {type: csv, data: s.csv, x: lon, y: lat}"
    try sample.folder.write("version: 1\nname: a\nsources: {\(source)}\n", to: "a.yml")
    let answer = try sample.router("out/a.mbtiles").get("/tilesets/a/look.json")
    guard case .array(let layers)? = ReportJSON(answer.content.bytes)?["layers"] else {
      throw CancellationError()
    }
    #expect(!layers.isEmpty)
    for layer in layers {
      #expect(layer["isDefault"] == .bool(true) && layer["source"]?.text == "s")
      #expect(layer["type"]?.text != nil && layer["filter"] != nil, "\(layer.line)")
    }
  }

  @Test(
    "without the file of the pipeline there is no look",
    arguments: [
      "{}", "no JSON", #"{"pipelineFile": "../missing.yml"}"#, #"{"pipelineFile": 1}"#,
      #"{"pipelineFile": "https://example.org/a.yml"}"#,
    ])
  func missing(report: String) throws {
    let router = try sample(report: report).router("out/a.mbtiles")
    #expect(router.get("/tilesets/a/look.json").status == 404)
    #expect(!text(router.get("/catalogue.json")).contains("look.json"))
  }

  @Test("a pipeline that is wrong by now is told in a sentence")
  func wrong() throws {
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    try sample.folder.write("version: 1\nlayerz: []\n", to: "a.yml")
    let answer = try sample.router("out/a.mbtiles").get("/tilesets/a/look.json")
    #expect(answer.status == 500 && text(answer).contains("layerz"))
  }

  // MARK: Changes

  /// Tiles whose pictures are the overlays that they are painted by.
  private struct Painted: PaintedTiles {
    var overlay = LookOverlay()
    var description: PaintedDescription {
      PaintedDescription(
        name: "a", bounds: .world, zooms: 0...3, tileSize: 256, answersTaps: false)
    }

    func picture(_ tile: TileCoord, scale: Int, for client: PreviewClient) throws -> [UInt8]? {
      Array("\(overlay.changes.map(\.value)) \(overlay.filters.keys.sorted())".utf8)
    }

    func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]? { nil }

    func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles {
      if "\(overlay.changes)".contains("no colour") {
        throw PipelineError(.definition, "that is no colour.")
      }
      return Painted(overlay: overlay)
    }

    func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8] {
      Array("\(view.width)x\(view.height)@\(view.ratio) \(view.zoom)".utf8)
    }

    func records(
      limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
    ) throws -> [(json: [UInt8], place: LngLat)] { [] }
  }

  private func changing(
    drafts: [String: LookDesk.Draft] = [:]
  ) throws -> (sample: PreviewSample, router: PreviewRouter) {
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    var router = try sample.router("out/a.mbtiles")
    router.looks = LookDesk(drafts: drafts) { file in (Painted(), [file]) }
    return (sample, router)
  }

  private func post(
    _ router: PreviewRouter, _ path: String, _ body: String, token: String? = nil,
    origin: String? = "http://127.0.0.1:8080"
  ) -> PreviewAnswer {
    var request = PreviewRequest(method: "POST", target: path, host: "127.0.0.1:8080")
    request.token = token ?? router.looks?.token
    request.origin = origin
    request.body = Array(body.utf8)
    return router.answer(request)
  }

  private static func body(
    radius: Double = 7, color: String? = nil, version: String = ""
  ) -> String {
    let color = color.map {
      #", {"layer": "dots", "block": "paint", "property": "circle-color", "path": [4], "value": "\#($0)"}"#
    }
    return """
      {"version": "\(version)", "changes": [{"layer": "dots", "block": "paint", \
      "property": "circle-radius", "path": [], "value": \(radius)}\(color ?? "")], "filters": {}}
      """
  }

  private func version(_ router: PreviewRouter) throws -> String {
    let look = ReportJSON(router.get("/tilesets/a/look.json").content.bytes)
    return try #require(look?["version"]?.text)
  }

  @Test("a changed look is painted at an address of its own, with the difference of its file")
  func painting() throws {
    let (sample, router) = try changing()
    let answer = post(router, "/tilesets/a/look.json", Self.body())
    #expect(answer.status == 200, "\(text(answer))")
    let told = try #require(ReportJSON(answer.content.bytes))
    let difference = try #require(told["difference"]?.text)
    #expect(difference.contains("-       circle-radius: 4\n+       circle-radius: 7\n"))
    #expect(told["refusal"] == .null)
    let id = try #require(told["entry"]?["id"]?.text)
    #expect(id.hasPrefix("a@"))
    #expect(
      text(router.get("/tiles/\(id)/1x/0/0/0.png")) == "[Features.PropertyValue.number(7.0)] []")
    #expect(router.get("/tiles/a@0/1x/0/0/0.png").status == 404)
    #expect(
      text(router.get("/tilesets/\(id)/view.png?center=1,2&zoom=2.5&size=30x40&ratio=2"))
        == "30x40@2 2.5")
    #expect(
      text(router.get("/tilesets/a/view.png?center=1,2&zoom=2&size=30x40&ratio=1")) == "30x40@1 2.0"
    )
    for query in [
      "", "center=1,2&zoom=2&size=30x40", "center=1&zoom=2&size=3x4&ratio=1",
      "center=1,2&zoom=2&size=9999x4&ratio=1", "center=1,2&zoom=nan&size=3x4&ratio=1",
      "center=1,99&zoom=2&size=3x4&ratio=1",
    ] {
      #expect(router.get("/tilesets/a/view.png?\(query)").status == 404, "\(query)")
    }
    // The same wish has the same address; of many the oldest are forgotten.
    #expect(text(post(router, "/tilesets/a/look.json", Self.body())) == text(answer))
    for radius in 10..<16 {
      #expect(
        post(router, "/tilesets/a/look.json", Self.body(radius: Double(radius))).status == 200)
    }
    #expect(router.get("/tiles/\(id)/1x/0/0/0.png").status == 404)
    let refused = post(router, "/tilesets/a/look.json", Self.body(color: "no colour"))
    let why = try #require(ReportJSON(refused.content.bytes))
    #expect(why["entry"] == .null && why["failure"]?.text == "that is no colour.")
    #expect(why["difference"] == .null && why["refusal"]?.text?.contains("a.yml:10") == true)
    let keep = Self.body(color: "no colour", version: try version(router))
    #expect(post(router, "/tilesets/a/keep.json", keep).status == 422)
    #expect(try sample.folder.bytes("a.yml") == Array(Self.pipeline.utf8))
  }

  @Test("only the page of this server may change a look, and only by what is one")
  func foreigners() throws {
    let (sample, router) = try changing()
    #expect(text(router.get("/catalogue.json")).contains(router.looks?.token ?? "-"))
    for path in ["/tilesets/a/look.json", "/tilesets/a/keep.json"] {
      #expect(post(router, path, Self.body(), token: "x").status == 403)
      #expect(post(router, path, Self.body(), origin: "http://evil.example").status == 403)
      #expect(post(router, path, Self.body(), origin: "null").status == 403)
      #expect(post(router, path, "{").status == 400)
      #expect(post(router, path, String(repeating: "[", count: 60_000)).status == 400)
      #expect(post(router, path, #"{"changes": [{}]}"#).status == 400)
    }
    for path in [
      "/", "/tilesets/b/keep.json", "/tilesets/a/report.json", "/tilesets/a/../keep.json",
    ] {
      #expect(post(router, path, Self.body()).status == 404, "\(path)")
    }
    var foreign = PreviewRequest(
      method: "POST", target: "/tilesets/a/keep.json", host: "evil.example:8080")
    foreign.token = router.looks?.token
    #expect(router.answer(foreign).status == 421)
    #expect(router.get("/tilesets/a/keep.json").status == 404)
    var exported = router
    exported.isLive = false
    #expect(post(exported, "/tilesets/a/keep.json", Self.body()).status == 405)
    #expect(try sample.folder.bytes("a.yml") == Array(Self.pipeline.utf8))
  }

  @Test("a look is kept in its file unless that changed since, and what stands around it stays")
  func keeping() throws {
    let (sample, router) = try changing()
    let stale = post(router, "/tilesets/a/keep.json", Self.body(version: "1"))
    #expect(stale.status == 409 && text(stale).contains("changed since"), "\(text(stale))")
    let first = try version(router)
    let kept = post(router, "/tilesets/a/keep.json", Self.body(color: "blue", version: first))
    #expect(kept.status == 200, "\(text(kept))")
    let wanted = Self.pipeline.replacing("circle-radius: 4", with: "circle-radius: 7")
      .replacing("10, red", with: "10, blue")
    #expect(try sample.folder.bytes("a.yml") == Array(wanted.utf8))
    #expect(post(router, "/tilesets/a/keep.json", Self.body(version: first)).status == 409)
    #expect(
      post(router, "/tilesets/a/keep.json", Self.body(radius: 8, version: try version(router)))
        .status == 200)
    #expect(try sample.folder.names().filter { $0.contains("tmp") } == [])
  }

  @Test("behind a link the file itself is written, with the permissions that it has")
  func links() throws {
    let (sample, router) = try changing()
    let manager = FileManager.default
    try manager.moveItem(
      atPath: sample.folder.path("a.yml"), toPath: sample.folder.path("real.yml"))
    try manager.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: sample.folder.path("real.yml"))
    try manager.createSymbolicLink(
      atPath: sample.folder.path("a.yml"), withDestinationPath: "real.yml")
    let kept = post(router, "/tilesets/a/keep.json", Self.body(version: try version(router)))
    #expect(kept.status == 200, "\(text(kept))")
    #expect(
      try manager.destinationOfSymbolicLink(atPath: sample.folder.path("a.yml")) == "real.yml")
    let attributes = try manager.attributesOfItem(atPath: sample.folder.path("real.yml"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    #expect(
      String(decoding: try sample.folder.bytes("real.yml"), as: UTF8.self).contains(
        "circle-radius: 7"))
  }

  @Test("a draft is kept as a pipeline that does not exist yet, with the paths of its folder")
  func drafts() throws {
    let folder = try TemporaryFolder()
    let target = folder.path("kept.yml")
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    var router = try sample.router("out/a.mbtiles")
    let draft = LookDesk.Draft(target: target) { "here/\($0)" }
    router.looks = LookDesk(drafts: [sample.folder.path("a.yml"): draft]) { file in
      (Painted(), [file])
    }
    #expect(text(router.get("/tilesets/a/look.json")).contains(#""file": "kept.yml""#))
    for radius in [7.0, 8] {
      let kept = post(
        router, "/tilesets/a/keep.json", Self.body(radius: radius, version: try version(router)))
      #expect(kept.status == 200, "\(text(kept))")
      let wanted = Self.pipeline.replacing(
        "circle-radius: 4", with: "circle-radius: \(Int(radius))"
      )
      .replacing("data: s.csv", with: "data: \"here/s.csv\"")
      #expect(String(decoding: try folder.bytes("kept.yml"), as: UTF8.self) == wanted)
    }
    try folder.write("mine", to: "kept.yml")
    let refused = post(
      router, "/tilesets/a/keep.json", Self.body(radius: 9, version: try version(router)))
    #expect(refused.status == 409, "\(text(refused))")
    #expect(try folder.bytes("kept.yml") == Array("mine".utf8))
  }

  @Test("a draft is drafted anew in another of its looks, and kept as that")
  func redrafting() throws {
    let folder = try TemporaryFolder()
    let sample = try sample(report: #"{"pipelineFile": "../a.yml"}"#)
    var router = try sample.router("out/a.mbtiles")
    let draft = LookDesk.Draft(
      target: folder.path("kept.yml"), looks: ["donuts"], spell: { $0 },
      redraft: { look in
        Self.pipeline.replacing("radius: 4", with: "radius: \(look == nil ? 5 : 9)")
      })
    router.looks = LookDesk(drafts: [sample.folder.path("a.yml"): draft]) { file in
      (Painted(), [file])
    }
    func chosen(_ look: String) throws -> (status: Int, text: String, radius: Bool) {
      let answer = post(router, "/tilesets/a/draft.json", #"{"look": \#(look)}"#)
      let file = String(decoding: try sample.folder.bytes("a.yml"), as: UTF8.self)
      return (answer.status, text(answer), file.contains("radius: \(look == "null" ? 5 : 9)\n"))
    }
    let look = text(router.get("/tilesets/a/look.json"))
    #expect(look.contains(#""draft": {"looks": ["donuts"], "chosen": null}"#), "\(look)")
    let donuts = try chosen(#""donuts""#)
    #expect(donuts.status == 200 && donuts.radius, "\(donuts)")
    #expect(donuts.text.contains(#""chosen": "donuts""#), "\(donuts)")
    let keep = #"{"version": "\#(try version(router))", "changes": []}"#
    #expect(post(router, "/tilesets/a/keep.json", keep).status == 200)
    #expect(String(decoding: try folder.bytes("kept.yml"), as: UTF8.self).contains("radius: 9"))
    #expect(try chosen(#""hexagons""#).status == 409)
    let first = try chosen("null")
    #expect(first.status == 200 && first.radius, "\(first)")
    let other = try changing()
    #expect(post(other.router, "/tilesets/a/draft.json", #"{"look": "donuts"}"#).status == 409)
    #expect(try other.sample.folder.bytes("a.yml") == Array(Self.pipeline.utf8))
  }
}
