import JSON
import Runs
import SQLite
import TapBlocks
import TestSupport
import Testing

@testable import Preview

/// The search over taps, the watch, and the user's own map.
@Suite("The preview's answers beside tiles")
struct SearchTests {
  private func text(_ answer: PreviewAnswer) -> String {
    String(decoding: answer.content.bytes, as: UTF8.self)
  }

  @Test("the search finds records of the last zoom by any value, and where a tap hits them")
  func grids() throws {
    let sample = try PreviewSample()
    let path = try sample.archive("a.mbtiles", taps: true, metadata: ["maxzoom": "0"])
    do {
      let database = try Database(path: path, mode: .readWrite)
      try database.execute(
        #"INSERT INTO grid_data VALUES (0, 0, 0, 'k3', '{"cluster": true, "names": ["Inn"]}')"#)
    }
    let router = try sample.router("a.mbtiles")
    for query in ["inn", "INN%20%3Cb%3E", "12", "n+%3C", "%C3%ACnn"] {
      let answer = router.get("/tilesets/a/search.json?q=\(query)")
      let json = try #require(ReportJSON(answer.content.bytes))
      guard case .array(let places)? = json["places"] else { throw CancellationError() }
      #expect(places.count == 1, "\(query): \(text(answer))")
      #expect(places.first?["data"]?["name"]?.text == "Inn <b>", "\(query)")
      // The left half of the tile: the western hemisphere.
      #expect(text(answer).contains(#""lng": -9"#) && text(answer).contains(#""zoom": 0"#))
    }
    for query in ["x", "", "nowhere", "%25%25", String(repeating: "i", count: 65)] {
      let answer = text(router.get("/tilesets/a/search.json?q=\(query)"))
      #expect(answer == #"{"records": 2, "places": []}"# + "\n", "\(query)")
    }
    // The page has the index made before anyone types.
    #expect(text(router.get("/tilesets/a/search.json")).contains(#""records": 2"#))
    for target in ["/tilesets/b/search.json", "/tilesets/b/search.json?q=inn", "/search.json"] {
      #expect(router.get(target).status == 404, "\(target)")
    }
  }

  @Test("the search finds records of compact taps at their symbols, letters of any alphabet alike")
  func compact() throws {
    let sample = try PreviewSample()
    let path = try sample.archive("a.mbtiles", metadata: ["maxzoom": "0"])
    var block = TapBlock(tileSide: 256)
    block.tiles = 1
    block.stacks = [
      [
        TapPrint(
          layer: 1, isDisc: false, isOnPixel: false, left: -1024, top: -1024, right: 1024,
          bottom: 1024)
      ]
    ]
    block.symbols.append(stack: 0, x: 192 * 16, y: 128 * 16, feature: 3)
    block.shapes.append(TapShape(tile: 0, kind: .wholeTile, layer: 0, feature: 7))
    var page = TapEntryPage()
    page.append(3, TapEntry(key: Array("k3".utf8), fields: Array(#""name":"Zürich Ärzte""#.utf8)))
    page.append(7, TapEntry(key: Array("k7".utf8), fields: Array(#""name":"Whole""#.utf8)))
    try sample.addTaps(block, page, to: path)
    let router = try sample.router("a.mbtiles")
    let symbol = text(router.get("/tilesets/a/search.json?q=Z%C3%9CRICH"))
    #expect(text(router.get("/tilesets/a/search.json?q=zurich")) == symbol)
    #expect(symbol.contains(#""lng": 90"#) && symbol.contains("Zürich Ärzte"), "\(symbol)")
    #expect(text(router.get("/tilesets/a/search.json?q=whole")).contains(#""id": "k7""#))
  }

  @Test("an open page is told of builds and of their errors")
  func watch() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    var router = try sample.router("a.mbtiles")
    #expect(router.get("/watch.json").status == 404)
    #expect(!text(router.get("/catalogue.json")).contains("watch"))
    let watch = PreviewWatch()
    router.watch = watch
    #expect(text(router.get("/catalogue.json")).contains(#""watch": true"#))
    watch.update {
      $0.generation += 1; $0.isBuilding = true; $0.error = "a.yml:1:2: wrong."
    }
    #expect(
      text(router.get("/watch.json"))
        == #"{"generation": 1, "building": true, "error": "a.yml:1:2: wrong."}"# + "\n")
    let before = WatchedFiles([sample.folder.path("a.mbtiles"), sample.folder.path("b")])
    #expect(before == WatchedFiles([sample.folder.path("a.mbtiles"), sample.folder.path("b")]))
    try sample.folder.write("new", to: "b")
    #expect(before != WatchedFiles([sample.folder.path("a.mbtiles"), sample.folder.path("b")]))
  }

  @Test("the heading is the map's name, and that of the file where it has none")
  func titles() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles", metadata: ["name": "Hôtels of the world"])
    try sample.archive("b.mbtiles", metadata: ["name": " "])
    let catalogue = text(try sample.router("a.mbtiles", "b.mbtiles").get("/catalogue.json"))
    #expect(catalogue.contains(#""id": "a", "title": "Hôtels of the world""#))
    #expect(catalogue.contains(#""id": "b", "title": "b""#))
  }

  @Test("tiles of a server may lie under the map, and only from there")
  func address() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    var router = try sample.router("a.mbtiles")
    let plain = text(router.get("/"))
    router.under = try UnderMap(
      "https://{s}.tile.example.org:8443/{z}/{x}/{y}.png", attribution: "Us")
    let page = text(router.get("/index.html"))
    #expect(
      page.contains(
        "img-src 'self' https://a.tile.example.org:8443 https://b.tile.example.org:8443 "))
    #expect(!plain.contains("example") && text(router.get("/")) == page)
    #expect(
      text(router.get("/catalogue.json")).contains(#""under": {"attribution": "Us", "tiles": "#))
    for wrong in [
      "https://example.org", "https://example.org/tiles", "https:///{z}/{x}/{y}",
      "https://a.org/{z}/{x}/{y}; script-src *", "https://a.org;x/{z}/{x}/{y}",
      "https://me:secret@a.org/{z}/{x}/{y}", "https://*/{z}/{x}/{y}", "https://a.org/{z}/{x}/'{y}",
    ] {
      #expect(throws: PipelineError.self, "\(wrong)") { try UnderMap(wrong, attribution: nil) }
    }
  }

  @Test("an archive or GeoJSON may lie under the map; an export takes no archive along")
  func files() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles")
    try sample.archive("under.mbtiles")
    let shapes = #"{"type": "FeatureCollection", "features": []}"#
    try sample.folder.write(shapes, to: "under.geojson")
    try sample.folder.write("no JSON", to: "wrong.geojson")
    try sample.folder.write("text", to: "under.txt")
    var router = try sample.router("a.mbtiles")
    #expect(router.get("/under/0/0/0").status == 404 && router.get("/under.geojson").status == 404)
    let archive = try UnderMap(sample.folder.path("under.mbtiles"), attribution: nil)
    router.under = archive
    #expect(router.get("/under/1/0/0").content.bytes == PreviewSample.tile(0.5))
    #expect(router.get("/under/1/1/1").status == 404 && router.get("/under/01/0/0").status == 404)
    #expect(text(router.get("/catalogue.json")).contains(#"© <a href="#))
    router.under = try UnderMap(sample.folder.path("under.geojson"), attribution: "Me")
    #expect(text(router.get("/under.geojson")) == shapes)
    for name in ["wrong.geojson", "under.txt", "missing.mbtiles"] {
      #expect(throws: PipelineError.self, "\(name)") {
        try UnderMap(sample.folder.path(name), attribution: nil)
      }
    }
    var export = StaticExport(try sample.tilesets("a.mbtiles"), leaflet: try sample.leaflet())
    export.under = router.under
    _ = try export.write(to: sample.folder.path("out"))
    #expect(String(decoding: try sample.folder.bytes("out/under.geojson"), as: UTF8.self) == shapes)
    export.under = archive
    #expect(throws: PipelineError.self) { try export.write(to: sample.folder.path("other")) }
  }
}
