import JSON
import Runs
import TestSupport
import Testing

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
}
