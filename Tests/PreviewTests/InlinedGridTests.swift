import JSON
import Runs
import TapBlocks
import Testing

@testable import Preview

/// UTFGrid as the page gets it.
@Suite("A tile's grid")
struct InlinedGridTests {
  @Test("a tile's grid has the data of its keys inlined; malformed JSON is omitted")
  func inlined() throws {
    let sample = try PreviewSample()
    try sample.archive("a.mbtiles", taps: true)
    let router = try sample.router("a.mbtiles")
    let answer = router.get("/tiles/a/1x/0/0/0.grid.json")
    #expect(answer.status == 200 && answer.content.kind == .json)
    let grid = try #require(ReportJSON(answer.content.bytes))
    #expect(grid["keys"]?.line == #"["", "k1"]"#)
    #expect(grid["data"]?.line == #"{"k1": {"name": "Inn <b>", "rooms": 12}}"#)
    #expect(router.get("/tiles/a/1x/1/0/0.grid.json").status == 404)
  }

  @Test("a tile's grid is made from compact taps: the features at the middles of its cells")
  func compact() throws {
    let sample = try PreviewSample()
    let path = try sample.archive("a.mbtiles")
    var block = TapBlock(tileSide: 256)
    block.tiles = 1
    block.stacks = [
      [
        TapPrint(
          layer: 1, isDisc: false, isOnPixel: false, left: 0, top: 0, right: 128 << 8,
          bottom: 64 << 8)
      ]
    ]
    block.symbols.append(stack: 0, x: 0, y: 0, feature: 3)
    block.shapes.append(TapShape(tile: 0, kind: .wholeTile, layer: 0, feature: 7))
    var page = TapEntryPage()
    page.append(3, Array(#"{"name":"Inn <b>","id":"k3"}"#.utf8))
    page.append(7, Array(#"{"id":"k7"}"#.utf8))
    try sample.addTaps(block, page, to: path)
    let router = try sample.router("a.mbtiles")
    let catalogue = String(decoding: router.get("/catalogue.json").content.bytes, as: UTF8.self)
    #expect(catalogue.contains(#""taps": true"#))
    let answer = router.get("/tiles/a/1x/0/0/0.grid.json")
    let grid = try #require(ReportJSON(answer.content.bytes))
    #expect(grid["keys"]?.line == #"["", "k3", "k7"]"#)
    #expect(grid["data"]?["k3"]?.line == #"{"name": "Inn <b>", "id": "k3"}"#)
    guard case .array(let rows)? = grid["grid"] else { throw CancellationError() }
    let (left, right) = (String(repeating: "!", count: 64), String(repeating: "#", count: 64))
    #expect(rows.count == 128 && rows[31].text == left + right && rows[32].text == right + right)
    #expect(router.get("/tiles/a/1x/1/0/0.grid.json").status == 404)
  }
}
