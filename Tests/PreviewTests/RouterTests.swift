import Foundation
import JSON
import Runs
import TestSupport
import Testing

@testable import Preview

/// Requests as values: what is answered, and what is refused.
@Suite("The preview's router")
struct RouterTests {
  @Test("the router serves the page and every file that the page names")
  func page() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    let router = try sample.router("a.mbtiles")
    let page = router.get("/")
    #expect(page.status == 200 && page.content.kind == .html)
    let text = String(decoding: page.content.bytes, as: UTF8.self)
    let names = text.matches(of: #/(?:src|href)="([a-z][^":#]*)"/#).map { String($0.1) }
    #expect(names.filter { $0.hasSuffix(".js") } == ["leaflet/leaflet.js", "page.js"])
    #expect(names.count >= 7)
    for name in names { #expect(router.get("/\(name)").status == 200, "\(name)") }
    #expect(router.get("/index.html").content == page.content)
    #expect(router.get("/leaflet/LICENSE.txt").status == 200)
  }

  @Test("the licence beside Leaflet is served, not the one of the program above it")
  func license() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    try sample.folder.write("MIT", to: "LICENSE")
    let answer = try sample.router("a.mbtiles").get("/leaflet/LICENSE.txt")
    #expect(answer.content.bytes == Array("BSD-2-Clause".utf8))
  }

  @Test("the preview page needs nothing from elsewhere")
  func selfContained() {
    for (name, content) in PageFiles.all {
      let text = String(decoding: content.bytes, as: UTF8.self)
      #expect(!text.contains("//unpkg") && !text.contains("https://"), "\(name)")
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(name)")
    }
  }

  private static let hosts: [(name: String?, status: Int)] = [
    ("127.0.0.1:8080", 200), ("localhost:8080", 200), ("LOCALHOST:8080", 200),
    ("127.0.0.1", 421), ("127.0.0.1:8081", 421), ("evil.example:8080", 421),
    ("127.0.0.1:8080.evil.example", 421), ("", 421), (nil, 421),
  ]

  @Test("the router answers only to its own address")
  func host() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    let router = try sample.router("a.mbtiles")
    for (name, status) in Self.hosts {
      let answer = router.answer(PreviewRequest(target: "/", host: name))
      #expect(answer.status == status, "\(name ?? "none")")
    }
  }

  @Test("pages from elsewhere may load tiles, and nothing else")
  func shared() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles", taps: true)
    let router = try sample.router("a.mbtiles")
    func policy(_ target: String) -> [String?] {
      let headers = router.get(target).headers
      return ["Cross-Origin-Resource-Policy", "Access-Control-Allow-Origin"].map { name in
        headers.first { $0.name == name }?.value
      }
    }
    // A tile that is missing has to say so to those pages, too.
    for target in ["/tiles/a/1x/0/0/0.png", "/tiles/a/1x/1/1/1.png"] {
      #expect(policy(target) == ["cross-origin", "*"], "\(target)")
    }
    for target in [
      "/", "/catalogue.json", "/page.js", "/tiles/a/1x/0/0/0.grid.json", "/tiles/a/1x/0/0/0.taps",
      "/tilesets/a/search.json?q=inn", "/leaflet/leaflet.js", "/under/0/0/0", "/x.png",
    ] {
      #expect(policy(target) == ["same-origin", nil], "\(target)")
    }
    let foreign = router.answer(
      PreviewRequest(target: "/tiles/a/1x/0/0/0.png", host: "evil.example:8080"))
    #expect(foreign.status == 421 && !foreign.isShared)
  }

  @Test("the router answers only GET and HEAD")
  func method() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    let router = try sample.router("a.mbtiles")
    for name in ["POST", "PUT", "DELETE", "OPTIONS", "get", ""] {
      let answer = router.get("/", method: name)
      #expect(answer.status == 405, "\(name)")
      #expect(answer.headers.contains { $0 == ("Allow", "GET, HEAD") })
    }
    #expect(router.get("/", method: "HEAD").status == 200)
  }

  private static let strays = [
    "", "x", "//", "/../a.mbtiles", "/..", "/.", "/leaflet/../a.mbtiles", "/leaflet/%2e%2e/x",
    "/leaflet/..%2f..%2fetc/passwd", "/leaflet/images/../../a.mbtiles", "/a.mbtiles", "/etc/passwd",
    "/tiles/a/1x/0/0/0.png/x", "/tiles/a/1x/0/0/%30.png", "/tiles/a/1x/0/0/0",
    "/tiles/b/1x/0/0/0.png", "/tiles/a/3x/0/0/0.png", "/tiles/a/1x/0/0/0.jpg",
    "/tiles/a/1x/0/0/-0.png", "/tiles/a/1x/0/0/00.png", "/tiles/a/1x/0/1/0.png",
    "/tiles/a/1x/99/0/0.png", "/tiles/a/1x/0/99999999999999999999/0.png",
    "/tiles/a/1x/2014-01-19T0600Z/0/0/0.png", "/tiles/rain/1x/0/0/0.png",
    "/tiles/rain/1x/..%2fa/0/0/0.png", "/tiles/rain/1x/latest/0/0/0.png",
    "/tiles/rain/1x/2014-01-19T0700Z/0/0/0.png", "/tilesets/a/a.mbtiles",
    "/tiles/a/1x/0/0/0.taps", "/tiles/a/1x/entries/0.taps", "/tiles/a/1x/entries/starts.json",
    "/tiles/a/1x/0/0/1.taps", "/tiles/a/1x/entries/-1.taps", "/tiles/a/1x/starts.json",
    "/tilesets/a/report.json", "/tilesets/x/report.json", "/page.js\u{0}", "/page.js%00",
    "/state.js",
    "/\\..\\x", "/a b", "/page.css/", "/.ssh", "/catalogue.json/x", "http://127.0.0.1/",
    "/" + String(repeating: "a", count: 5000),
  ]

  @Test("no path leads out of the archives")
  func escapes() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    _ = try sample.series()
    let router = try sample.router("a.mbtiles", "rain.frames.json")
    for target in Self.strays { #expect(router.get(target).status == 404, "\(target)") }
  }

  @Test("the router serves tiles as stored; a missing one is not found")
  func tiles() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    try sample.archive("a@2x.mbtiles", scale: 2)
    _ = try sample.series()
    let router = try sample.router("a.mbtiles", "rain.frames.json")
    // Rows count from the south in the archive.
    #expect(router.get("/tiles/a/1x/1/0/0.png").content.bytes == PreviewSample.tile(0.5))
    #expect(router.get("/tiles/a/1x/1/0/1.png").content.bytes == PreviewSample.tile(0.25))
    #expect(router.get("/tiles/a/1x/1/1/1.png").status == 404)
    #expect(
      router.get("/tiles/a/2x/0/0/0.png?v=1").content.bytes == PreviewSample.tile(0, size: 512))
    #expect(
      router.get("/tiles/rain/1x/2014-01-19T0600Z/0/0/0.png").content.bytes == PreviewSample.tile(0)
    )
  }

  @Test("the router describes its tilesets")
  func catalogue() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles", taps: true)
    try sample.archive("a@2x.mbtiles", scale: 2, taps: true)
    try sample.archive("b/a.mbtiles", metadata: ["bounds": "170,-5,-170,5", "maxzoom": "x"])
    _ = try sample.series()
    try sample.folder.write(
      #"{"pipeline": "p", "archive": {"path": "/home/me/a.mbtiles", "bytes": 5}, "notes": ["/home"]}"#,
      to: "a.report.json")
    let router = try sample.router("a@2x.mbtiles", "b/a.mbtiles", "rain.frames.json", "a.mbtiles")
    let text = String(decoding: router.get("/catalogue.json").content.bytes, as: UTF8.self)
    let json = try #require(ReportJSON(Array(text.utf8)))
    guard case .array(let tilesets)? = json["tilesets"] else {
      return #expect(Bool(false), "\(text)")
    }
    #expect(tilesets.compactMap { $0["id"]?.text } == ["a", "a-2", "rain"])
    #expect(
      tilesets[0].line.contains(
        #""densities": [{"scale": 1, "tiles": "tiles/a/1x/{z}/{x}/{y}.png", "file": "a.mbtiles", "#)
    )
    #expect(tilesets[0].line.contains(#""grids": "tiles/a/2x/{z}/{x}/{y}.grid.json""#))
    #expect(tilesets[0]["taps"] == .bool(true) && tilesets[1]["taps"] == .bool(false))
    #expect(tilesets[0]["tileSize"] == .integer(256))
    #expect(tilesets[1]["bounds"]?.line == "[-180, -5, 180, 5]")
    #expect(tilesets[2].line.contains(#""frame": "2014-01-19T0600Z""#))
    #expect(tilesets[2].line.contains(#""file": "{frame}.mbtiles""#))
    #expect(tilesets[2].line.contains(#""missing": 1, "policy": "hold""#))
    // No folder of this machine is told.
    #expect(!text.contains(sample.folder.url.path))
    let report = router.get("/tilesets/a/report.json").content.bytes
    #expect(
      String(decoding: report, as: UTF8.self)
        == #"{"pipeline": "p", "archive": {"bytes": 5}}"# + "\n")
  }

  @Test("the router reopens an archive once it is replaced")
  func replaced() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    let router = try sample.router("a.mbtiles")
    #expect(router.get("/tiles/a/1x/1/1/0.png").status == 200)
    let other = try sample.archive("other/b.mbtiles")
    try FileManager.default.removeItem(atPath: sample.folder.path("a.mbtiles"))
    #expect(router.get("/tiles/a/1x/1/1/0.png").status == 404)
    try FileManager.default.moveItem(atPath: other, toPath: sample.folder.path("a.mbtiles"))
    #expect(router.get("/tiles/a/1x/1/1/0.png").status == 200)
  }

  @Test("the router reports a damaged archive in a sentence")
  func damaged() throws {
    let sample = try PreviewSample()
    try sample.folder.write("no archive", to: "a.mbtiles")
    let router = try sample.router("a.mbtiles")
    #expect(throws: PipelineError.self) { try router.check() }
    #expect(router.get("/catalogue.json").status == 500)
    #expect(router.get("/tiles/a/1x/0/0/0.png").status == 500)
    #expect(throws: PipelineError.self) { try sample.tilesets("missing.mbtiles") }
  }
}
