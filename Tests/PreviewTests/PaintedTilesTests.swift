import Definition
import JSON
import TestSupport
import Testing
import Tiling

@testable import Preview

@Suite("Painted tiles in the preview")
struct PaintedTilesTests {
  /// Tiles that are painted by the test.
  private struct Painted: PaintedTiles {
    var description: PaintedDescription

    init() {
      description = PaintedDescription(
        name: "Shops", bounds: GeoBounds(west: 1, south: 2, east: 3, north: 4), zooms: 1...9,
        tileSize: 256, answersTaps: true)
      description.legend = (
        Array(#"{"text": "Shops by size", "entries": [{"title": "a"}]}"#.utf8), [137, 80]
      )
    }

    func picture(
      _ tile: TileCoord, scale: Int, for client: PreviewClient
    ) throws -> [UInt8]? {
      tile.x == 0 ? PreviewSample.tile(Double(scale) / 4) : nil
    }

    func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]? {
      Array(#"{"grid": []}"#.utf8)
    }

    func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles { self }

    func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8] {
      Array("\(view.width)x\(view.height)@\(view.ratio) \(view.zoom)".utf8)
    }

    func records(
      limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
    ) throws -> [(json: [UInt8], place: LngLat)] {
      ["Anchor", "Bakery"].map { (Array(#"{"name": "\#($0)", "id": "s..1"}"#.utf8)) }
        .filter(matching).map { ($0, LngLat(longitude: 2, latitude: 3)) }
    }
  }

  private func router() throws -> PreviewRouter {
    let sample = try PreviewSample()
    let tileset = PreviewTileset(painted: "my shops")
    var router = PreviewRouter(
      [tileset], leaflet: try sample.leaflet(), hosts: PreviewRouter.hosts(port: 8080))
    router.painted = [tileset.id: Painted()]
    return router
  }

  @Test("ground is painted in the look and the density that the page asks for")
  func ground() throws {
    var router = try router()
    var dark = Painted()
    dark.description.bounds.east = 4
    router.under = UnderMap(.init(light: Painted(), dark: dark), attribution: nil)
    let under = try #require(ReportJSON(router.get("/catalogue.json").content.bytes)?["under"])
    #expect(under["tiles"]?.text == "under/{theme}/{scale}x/{z}/{x}/{y}")
    #expect(under["bounds"]?.line == "[1, 2, 3, 4]" && under["maxzoom"]?.line == "9")
    #expect(router.get("/under/light/2x/4/0/3").content.bytes == PreviewSample.tile(0.5))
    #expect(router.get("/under/dark/3x/4/0/3").content.bytes == PreviewSample.tile(0.75))
    for path in ["light/2x/4/1/3", "light/4x/4/0/3", "grey/1x/4/0/3", "4/0/3", "light/2x/10/0/3"] {
      #expect(router.get("/under/\(path)").status == 404, "\(path)")
    }
    #expect(try #require(router.under).isArchive)
  }

  private func text(_ answer: PreviewAnswer) -> String {
    String(decoding: answer.content.bytes, as: UTF8.self)
  }

  @Test("the catalogue describes them as it does archives")
  func catalogue() throws {
    let router = try router()
    let catalogue = try #require(ReportJSON(router.get("/catalogue.json").content.bytes))
    guard case .array(let tilesets)? = catalogue["tilesets"], let entry = tilesets.first else {
      Issue.record("no tilesets")
      return
    }
    #expect(entry["id"] == .string("my-shops") && entry["title"] == .string("Shops"))
    #expect(entry["minzoom"] == .integer(1) && entry["maxzoom"] == .integer(9))
    #expect(entry["search"] == .string("tilesets/my-shops/search.json"))
    #expect(entry["legend"]?["text"] == .string("Shops by size"))
    guard case .array(let densities)? = entry["densities"] else {
      Issue.record("no densities")
      return
    }
    #expect(densities.count == 3)
  }

  @Test("a client that may not wait for tiles still gets the page, and a sentence for the tiles")
  func busy() throws {
    struct Busy: PaintedTiles {
      let description = Painted().description
      let queue = ClientQueue()
      func picture(
        _ tile: TileCoord, scale: Int, for client: PreviewClient
      ) throws -> [UInt8]? { try queue.done(for: client) { nil } }
      func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]? { nil }
      func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles { self }

      func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8] { [] }

      func records(
        limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
      ) throws -> [(json: [UInt8], place: LngLat)] { [] }
    }
    var router = try router()
    router.painted = [router.tilesets[0].id: Busy()]
    let client = PreviewClient(mayWait: false)
    func answer(_ path: String) -> PreviewAnswer {
      router.answer(PreviewRequest(target: path, host: "localhost:8080"), for: client)
    }
    let refused = answer("/tiles/my-shops/1x/2/0/1.png")
    #expect(refused.status == 503 && text(refused).hasPrefix("Too many tiles are asked for"))
    #expect(refused.headers.contains { $0.name == "Retry-After" })
    for path in ["/", "/catalogue.json"] { #expect(answer(path).status == 200) }
  }

  @Test("tiles, grids, legends and records are asked for, within the zooms that there are")
  func answers() throws {
    let router = try router()
    for (path, status) in [
      ("tiles/my-shops/1x/2/0/1.png", 200), ("tiles/my-shops/3x/2/0/1.png", 200),
      ("tiles/my-shops/1x/2/1/1.png", 404), ("tiles/my-shops/1x/0/0/0.png", 404),
      ("tiles/my-shops/1x/10/0/0.png", 404), ("tiles/my-shops/1x/2/0/1.grid.json", 200),
      ("tiles/my-shops/1x/2/0/01.png", 404), ("tilesets/my-shops/legend.json", 200),
      ("tilesets/my-shops/legend.png", 200), ("tilesets/my-shops/report.json", 404),
    ] {
      #expect(router.get("/\(path)").status == status, "\(path)")
    }
    #expect(
      router.get("/tiles/my-shops/2x/2/0/1.png").content.bytes == PreviewSample.tile(0.5))
    let found = text(router.get("/tilesets/my-shops/search.json?q=bak"))
    #expect(found.contains("Bakery") && !found.contains("Anchor") && found.contains(#""zoom": 9"#))
    #expect(text(router.get("/tilesets/my-shops/search.json?q=b")).contains(#""places": []"#))
  }
}
