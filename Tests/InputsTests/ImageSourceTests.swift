import Baking
import Foundation
import JSON
import PNG
import PipelineSamples
import Raster
import SourceStages
import TestSupport
import Testing
import TileCodecs
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("An image source")
struct ImageSourceTests {
  @Test("an image source is built, reported and described, and not rebuilt until a file changes")
  func build() throws {
    let sample = try ImageSample()
    let report = try sample.build()
    #expect(report.result == .published)
    #expect(report.sources.map(\.image) == [ImageReport(format: "PNG", width: 70, height: 50)])
    #expect(report.json.line.contains(#""photo": {"format": "PNG", "width": 70, "height": 50}"#))
    #expect(report.summary.contains("photo  PNG"))
    let archive = sample.folder.path("photo.mbtiles")
    let verification = try PipelineRunner.verify(
      archive: archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
    let text = try PipelineRunner.inspect(archive: archive)
    #expect(text.contains("bounds             -40,-30,95,60"))
    #expect(try sample.build().result == .unchanged)
    try Data(PNGEncoder().encode(ImageSample.blots(width: 71))).write(
      to: URL(fileURLWithPath: sample.folder.path("photo.png")))
    #expect(try sample.build().result == .published)
  }

  @Test("a WebP image has the tiles of the PNG", .enabled(if: WebPLibrary.version != nil))
  func webP() throws {
    let sample = try ImageSample()
    let expected = try sample.build()
    let bytes = try TileEncoder(.webP(quality: nil)).encode(ImageSample.blots(), showing: .image)
    try Data(bytes).write(to: URL(fileURLWithPath: sample.folder.path("photo.webp")))
    let text = String(decoding: try sample.folder.bytes("photo.yml"), as: UTF8.self)
    try sample.folder.write(text.replacing("photo.png", with: "photo.webp"), to: "photo.yml")
    let report = try sample.build()
    #expect(report.result == .published && report.archive.digest == expected.archive.digest)
    #expect(report.sources.first?.image?.format == "WebP")
    #expect(try sample.build().result == .unchanged)
  }

  @Test("an image source is placed by a world file beside it, or by a named one")
  func worldFile() throws {
    // 70 × 50 px of 2 × 1.8 degrees, from 40° W and 60° N.
    let lines = "2\n0\n0\n-1.8\n-39\n59.1\n"
    let placed = try ImageSample(source: "bounds: [-40, -30, 100, 60], projection: equirectangular")
    let beside = try ImageSample(source: "projection: equirectangular")
    try beside.folder.write(lines, to: "photo.pgw")
    let named = try ImageSample(source: "worldFile: here.txt, projection: equirectangular")
    try named.folder.write(lines, to: "here.txt")
    let wanted = try placed.world(zoom: 1)
    #expect(try beside.world(zoom: 1).differences(from: wanted) == 0)
    #expect(try named.world(zoom: 1).differences(from: wanted) == 0)
    _ = try beside.build()
    #expect(try beside.build().result == .unchanged)
    try beside.folder.write(lines.replacing("59.1", with: "58"), to: "photo.pgw")
    #expect(try beside.build().result == .published)
  }

  /// Replaces the photo by one whose rows are stored a quarter turn to the left.
  private func turn(_ sample: ImageSample) throws {
    let upright = ImageSample.blots()
    let stored = Pixmap(width: upright.height, height: upright.width)
    for y in 0..<upright.height {
      for x in 0..<upright.width { stored[y, upright.width - 1 - x] = upright[x, y] }
    }
    let png = ExifSample.png(PNGEncoder().encode(stored), ExifSample.data(6))
    try Data(png).write(to: URL(fileURLWithPath: sample.folder.path("photo.png")))
  }

  @Test("bounds and corners place an image as Exif data turn it, in the tiles of the upright one")
  func turned() throws {
    let sources = [
      "bounds: [-40, -30, 95, 60]", "coordinates: [[-40, 60], [90, 50], [95, -30], [-30, -20]]",
    ]
    for source in sources {
      let sample = try ImageSample(source: source)
      let expected = try sample.build()
      try turn(sample)
      let report = try sample.build()
      #expect(report.archive.digest == expected.archive.digest, "\(source)")
      #expect(report.sources.map(\.image) == [ImageReport(format: "PNG", width: 70, height: 50)])
      #expect(report.notes == [])
    }
  }

  @Test("a world file places the stored rows, with a note where Exif data turn them")
  func turnedWorldFile() throws {
    let sample = try ImageSample(source: "projection: equirectangular")
    try turn(sample)
    try sample.folder.write("2\n0\n0\n-1.8\n-39\n59.1\n", to: "photo.pgw")
    let report = try sample.build()
    #expect(report.sources.map(\.image) == [ImageReport(format: "PNG", width: 50, height: 70)])
    #expect(report.notes.count == 1)
    #expect(report.notes.first?.contains("(orientation 6), but its world file") == true)
    let summary = try PipelineRunner.check(
      sample.definition(), options: BuildOptions())
    #expect(summary.layerNotes == report.notes)
  }

  @Test("an image source behind a symbolic link is the image that the link leads to")
  func link() throws {
    let plain = try ImageSample()
    _ = try plain.build()
    let linked = try ImageSample()
    let files = FileManager.default
    try files.moveItem(
      atPath: linked.folder.path("photo.png"), toPath: linked.folder.path("to.png"))
    try files.createSymbolicLink(
      atPath: linked.folder.path("photo.png"), withDestinationPath: "to.png")
    _ = try linked.build()
    #expect(try linked.folder.bytes("photo.mbtiles") == plain.folder.bytes("photo.mbtiles"))
  }

  @Test("an image source in upper case has its world file in upper case")
  func upperCase() throws {
    let sample = try ImageSample(source: "projection: equirectangular")
    let yaml = try String(contentsOfFile: sample.file, encoding: .utf8)
    try sample.folder.write(yaml.replacing("photo.png", with: "UP.PNG"), to: "photo.yml")
    try Data(sample.folder.bytes("photo.png")).write(
      to: URL(fileURLWithPath: sample.folder.path("UP.PNG")))
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("UP.PGW") == true)
    try sample.folder.write("2\n0\n0\n-1.8\n-39\n59.1\n", to: "UP.PGW")
    #expect(try sample.build().result == .published)
  }

  @Test("an image source with an impossible nodata is refused by check, build and tile alike")
  func hollowNodata() throws {
    let gray = Pixmap(width: 3, height: 1)
    for (x, level) in [0, 85.0 / 255, 1].enumerated() {
      gray[x, 0] = PremultipliedColor(Color(red: level, green: level, blue: level))
    }
    let ramp = "colorRamp: [[0, blue], [3, red]]"
    for (keys, words) in [
      ("nodata: 300", "can be no pixel"), ("nodata: [1, 4]", "are 0 to 3"),
      ("nodata: white, \(ramp)", "a value and no colour"),
    ] {
      let sample = try ImageSample(gray, source: "bounds: [0, 0, 9, 9], \(keys)")
      let tile = TileCoord(z: 0, x: 0, y: 0)
      let runs: [() throws -> Void] = [
        { _ = try sample.build() },
        { _ = try PipelineRunner.check(sample.definition(), options: BuildOptions()) },
        {
          _ = try PipelineRunner.tile(
            sample.definition(), tile: tile, scale: 1, options: BuildOptions(),
            cancellation: Cancellation(), progress: { _ in })
        },
      ]
      for run in runs {
        let error = #expect(throws: PipelineError.self) { try run() }
        #expect(error?.code == .definition && error?.message.contains(words) == true)
        #expect(error?.place?.description.hasSuffix("photo.yml:4:62") == true, "\(keys)")
      }
    }
  }

  @Test("an image source beyond the map's edge is clipped there and not squeezed")
  func beyondTheEdge() throws {
    let halves = Pixmap(width: 16, height: 256)
    for y in 0..<256 {
      for x in 0..<16 {
        halves[x, y] = PremultipliedColor(
          Color(red: y < 128 ? 1 : 0, green: 0, blue: y < 128 ? 0 : 1))
      }
    }
    /// The first blue row of 512.
    func border(_ keys: String) throws -> Int? {
      let world = try ImageSample(halves, source: "resampling: nearest, \(keys)").world(
        zoom: 0, tileSize: 512)
      return (0..<512).first { world[256, $0].bits == 0xFFFF_0000 }
    }
    // y = ½ − asinh(tan φ)/2π: −0.2546 for 89°, 0.6214 for −40°, and their mean is 0.1834.
    #expect(try border("coordinates: [[-60, 89], [60, 89], [60, -40], [-60, -40]]") == 94)
    #expect(try border("bounds: [-60, -40, 60, 89]") == 94)
    // Even in latitude: the middle of 89° and −40° is 24.5° N, that of the poles the equator.
    let even = "projection: equirectangular"
    #expect(try border("bounds: [-60, -40, 60, 89], \(even)") == 220)
    #expect(try border("bounds: [-180, -90, 180, 90], \(even)") == 256)
  }

  @Test("an image source loses its nodata colours, and gets the colours of a ramp")
  func colors() throws {
    let gray = Pixmap(width: 3, height: 1)
    for (x, level) in [0, 85.0 / 255, 1].enumerated() {
      gray[x, 0] = PremultipliedColor(Color(red: level, green: level, blue: level))
    }
    func row(_ keys: String) throws -> [UInt32] {
      let source = "bounds: [-90, -45, 90, 45], resampling: nearest, \(keys)"
      let world = try ImageSample(gray, source: source).world(zoom: 0)
      return [80, 128, 176].map { world[$0, 128].bits }
    }
    #expect(try row("nodata: '#555'") == [0xFF00_0000, 0, 0xFFFF_FFFF])
    // Of four grays, which 2 bits hold, the file's samples are 0, 1 and 3.
    #expect(try row("nodata: [0, 1]") == [0, 0, 0xFFFF_FFFF])
    #expect(
      try row("colorRamp: [[0, blue], [1, '#0f0'], [3, red]]")
        == [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF])
    #expect(
      try row("nodata: 3, colorRamp: {blending: step, stops: [[1, red]]}")
        == [0, 0xFF00_00FF, 0])
  }

  @Test(
    "an invalid image source is refused with its place",
    arguments: [
      ("bounds: [5, 1, 9, 0]", "photo.yml:4:40", "no span of latitudes"),
      ("coordinates: [[0, 1], [1, 0], [1, 1], [0, 0]]", "photo.yml:4:40", "no convex"),
      ("bearing: 3", "photo.yml:4:40", "'bearing' turns 'bounds'"),
      ("nodata: white", "photo.yml:4:3", "does not say where its image lies"),
      ("bounds: [0, 0, 1, 1], worldFile: a.wld", "photo.yml:4:40", "not two of them"),
      ("worldFile: a.wld", "photo.yml:4:51", "cannot be read"),
      ("worldFile: photo.png", "photo.png", "six lines"),
      ("bounds: [0, 0, 1, 1], nodata: reddish", "photo.yml:4:70", "CSS colour"),
      ("bounds: [0, 0, 1, 1], resampling: cubik", "photo.yml:4:74", "did you mean 'cubic'"),
      ("bounds: [0, 0, 1, 1], colorRamp: [[2, red], [1, red]]", "photo.yml:4:62", "ascending"),
      ("bounds: [0, 0, 1, 1], colorRamp: [[2, 7]]", "photo.yml:4:78", "CSS colour"),
      ("bounds: [0, 0, 1, 1], nodata: 3000", "photo.yml:4:62", "`nodata` 3000"),
      ("bounds: [-180, -90, 180, 80]", "photo.yml:4:40", "a corner at a pole"),
      ("coordinates: [[0, 9], [5, 9], [5, 9], [0, 9]]", "photo.yml:4:40", "has no height"),
    ])
  func faults(source: String, place: String, words: String) throws {
    let sample = try ImageSample(source: source)
    do {
      _ = try sample.build()
      Issue.record("no error")
    } catch let error as PipelineError {
      #expect(error.description.contains(words))
      #expect(error.place?.description.hasSuffix(place) == true, "\(error)")
    }
  }

  @Test("an image source with a broken file is refused by check, too")
  func broken() throws {
    let sample = try ImageSample()
    let whole = try sample.folder.bytes("photo.png")
    let url = URL(fileURLWithPath: sample.folder.path("photo.png"))
    for bytes in [[UInt8]("GIF89a".utf8), Array(whole.prefix(200)), []] {
      try Data(bytes).write(to: url)
      do {
        _ = try PipelineRunner.check(sample.definition(), options: BuildOptions())
        Issue.record("no error")
      } catch let error as PipelineError {
        #expect(error.code == .badData)
        #expect(error.place?.file.hasSuffix("photo.png") == true)
      }
    }
  }

  @Test("an image of a MapLibre style is an image source")
  func style() throws {
    let sample = try ImageSample()
    let file = try sample.folder.write(
      """
      {"version": 8, "sources": {"a": {"type": "image", "url": "photo.png",
       "coordinates": [[-80, 25], [20, 30], [20, -20], [-80, -10]]}},
       "layers": [{"id": "r", "type": "raster", "source": "a", "paint": {"raster-saturation": 1}}]}
      """, to: "style.json")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    var options = BuildOptions()
    options.maxZoom = 2
    let plan = try PipelineRunner.plan(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(plan.zooms.first?.tiles == 1)
    #expect(plan.summary.contains("PNG"))
  }
}
