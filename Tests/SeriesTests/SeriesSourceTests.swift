import DefinitionSamples
import Foundation
import JSON
import MBTiles
import Overlays
import PNG
import PipelineSamples
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The frames of a series")
struct SeriesSourceTests {
  static let box = "bounds: [-12, 48, 5, 61]"

  static let spellings = [
    "frames: 'in/*.png', time: '%Y%m%d%H', \(box)",
    "frames: 'in/*.json', \(box)",
    "frames: [in/2014011908.png, in/2014011906.png, in/2014011907.png], time: '%Y%m%d%H', \(box)",
    """
    frames: [{time: 2014-01-19T07:00, image: in/2014011907.png}, {time: '2014-01-19T09:00+0100',
    image: in/2014011908.png}, {time: 2014-01-19T06:00:00Z, image: in/2014011906.png}], \(box)
    """,
    "frames: in/frames.json", "frames: in/frames.json, \(box)",
    "frames: {capabilities: caps.json, layer: Rain, template: 'in/{time:%Y%m%d%H}.png'}, \(box)",
  ]

  @Test(
    "the frames of a series make the same archives, however they are listed", arguments: spellings)
  func listed(frames: String) throws {
    let plain = try SeriesSample()
    try plain.build()
    let sample = try SeriesSample(frames: frames)
    try describe(sample)
    try sample.build()
    let (found, wanted) = (try sample.outputs(), try plain.outputs())
    #expect(found.keys.sorted() == wanted.keys.sorted())
    for name in wanted.keys where name.hasSuffix(".mbtiles") {
      #expect(try digest(name, of: sample) == digest(name, of: plain), "\(name)")
    }
    #expect(found["rain.apng"] == wanted["rain.apng"])
  }

  /// The hash of an archive's tiles.
  private func digest(_ name: String, of sample: SeriesSample) throws -> String {
    try ArchiveReader(FilePath(sample.folder.path(name))).blockHashes().digest
  }

  /// Writes all kinds of lists beside the images.
  private func describe(_ sample: SeriesSample) throws {
    for hour in 6...8 {
      try sample.folder.write(
        "{\"date\": \"2014-01-19T0\(hour):00Z\"}", to: "in/201401190\(hour).json")
    }
    try sample.folder.write(
      """
      {"bbox": [-12, 48, 5, 61], "size": [24, 30], "frames": [
        {"file": "2014011907.png", "time": "2014-01-19T07:00:00"},
        {"file": "2014011906.png", "time": "2014-01-19T06:00:00Z"},
        {"file": "2014011908.png", "time": 1390118400}]}
      """, to: "in/frames.json")
    try sample.folder.write(
      """
      {"Layers": {"Layer": [{"@displayName": "Rain", "Service": {"LayerName": "RAD",
        "ImageFormat": "png", "Times": {"Time": ["2014-01-19T08:00:00", "2014-01-19T06:00:00",
        "2014-01-19T07:00:00"]}}}]}}
      """, to: "caps.json")
    let text = try String(contentsOfFile: sample.file, encoding: .utf8)
    if text.contains("'in/*.json'") { try sample.remove("in/frames.json") }
  }

  static let faults = [
    ("frames: 'in/*.png', \(box)", "needs 'time'"),
    ("frames: 'in/*.png', time: '%H', \(box)", "no year"),
    ("frames: 'in/[a.png', time: '%F', \(box)", "not closed"),
    ("frames: 'in/*.png', time: '%F'", "either 'coordinates' or 'bounds'"),
    ("frames: [], \(box)", "a list that is not empty"),
    ("frames: [a.png], every: 0, \(box)", "'every'"),
    ("frames: [a.png], keep: 0, \(box)", "'keep'"),
    ("frames: [a.png], default: soon, \(box)", "soon"),
    ("frames: [{time: 2014-01-19}], \(box)", "no 'image'"),
    ("frames: 'http://example.org/*.png', time: '%F', \(box)", "a url names one file"),
    ("frames: {capabilities: c.json, layer: A, template: 'http://a/b'}, \(box)", "{time}"),
    ("frames: {capabilities: c.json, layer: A, template: '{key'}, \(box)", "not closed"),
    (
      "frames: {capabilities: c.json, layer: A, template: '{time}'}, time: '%F', \(box)",
      "'time' has no use here"
    ),
  ]

  @Test("invalid frames of a series are refused with their place", arguments: faults)
  func refused(frames: String, says: String) {
    let words = fault(
      """
      version: 1
      sources:
        rain: {type: image-series, \(frames)}
      layers: [{id: a, type: raster, source: rain}]
      """)
    #expect(words.contains(says), "\(words)")
    #expect(words.hasPrefix("x.yml:3:"), "\(words)")
  }

  static let missing: [(String, Int32)] = [
    ("frames: 'no/*.png', time: '%Y%m%d%H', \(box)", 66),
    ("frames: no.json", 66),
    ("frames: in/nobox.json", 78),
    ("frames: 'in/*.png', time: '%Y-%m', \(box)", 65),
    ("frames: 'in/*.png', time: '%Y%m%d%H', \(box), default: '2014-01-20'", 66),
  ]

  @Test("missing frames of a series end the build in one sentence", arguments: missing)
  func absent(frames: String, status: Int32) throws {
    let sample = try SeriesSample(frames: frames)
    try sample.folder.write(
      "[{\"image\": \"2014011906.png\", \"time\": \"2014-01-19\"}]", to: "in/nobox.json")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.exitCode == status, "\(String(describing: error))")
    #expect(try sample.outputs().isEmpty)
  }

  static let templates = [
    "in/{layer}-{key}-{time:%Y%m%d%H}.png", "https://example.org/{layer}?key={key}&t={time}",
  ]

  @Test("frames of a service reveal its key in no file, report or error", arguments: templates)
  func secret(template: String) throws {
    let frames =
      "frames: {capabilities: caps.json, layer: Rain, template: '\(template)', key: '${KEY}'}, "
      + Self.box
    let sample = try SeriesSample(frames: frames)
    try describe(sample)
    // One of the images is broken, so that its name would show in the report.
    for hour in 6...8 {
      try sample.write(hour, name: "in/RAD-s3cret-key-201401190\(hour).png")
    }
    try sample.write([7], to: "in/RAD-s3cret-key-2014011907.png")
    var texts: [String] = []
    do {
      let report = try sample.build()
      texts = [report.summary, report.json.pretty]
      #expect(report.series?.frames == 2)
    } catch {
      texts = ["\(error)"]
    }
    for (name, bytes) in try sample.outputs() {
      texts.append(name)
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    for text in texts { #expect(!text.contains("s3cret"), "\(text.prefix(300))") }
    let redactions = try sample.definition().redactions
    #expect(redactions.redact("s3cret-key") == "***")
  }

  @Test("frames of a series are examined by check, and one of them is drawn by tile and render")
  func single() throws {
    let sample = try SeriesSample(hours: [6, 7, 9])
    let definition = try sample.definition()
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(check.conclusion.contains("rain has 3 frames of 2014-01-19T06:00:00Z"))
    var options = BuildOptions()
    func tile() throws -> [UInt8] {
      try PipelineRunner.tile(
        definition, tile: TileCoord(z: 1, x: 0, y: 0), scale: 1, options: options,
        cancellation: Cancellation(), progress: { _ in })
    }
    let latest = try tile()
    options.frame = "2014-01-19T09:00"
    #expect(try tile() == latest)
    options.frame = "2014-01-19T06:00Z"
    #expect(try tile() != latest)
    options.frame = "2014-01-19T08:00Z"
    let error = #expect(throws: PipelineError.self) { try tile() }
    #expect(error?.exitCode == 64)
    let plan = try PipelineRunner.plan(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let report = try sample.build()
    #expect(plan.tileCount == report.tiles.planned)
  }
}
