import JSON
import Runs
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
}
