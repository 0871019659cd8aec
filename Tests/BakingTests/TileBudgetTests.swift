import Definition
import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import TileCodecs

@testable import Archives
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Archives within a budget", .enabled(if: WebPLibrary.version != nil))
struct TileBudgetTests {
  /// Returns a pipeline with some keys of `tiles`.
  private func sample(_ keys: String, rows: Int = 60) throws -> BuildSample {
    try BuildSample(rows: rows, tiles: "{maxzoom: 4, \(keys)}")
  }

  private func metadata(_ sample: BuildSample) throws -> [String: String] {
    let stored = try StoredMetadata.read(FilePath(sample.folder.path("out.mbtiles")))
    return Dictionary(
      ["maxzoom", "format", TileBudget.key].map { ($0, stored[$0] ?? "") }, uniquingKeysWith: { $1 }
    )
  }

  @Test("an archive that fits is the one without a budget")
  func fits() throws {
    let free = try #require(sample("minzoom: 0").build().first)
    let within = try #require(sample("budget: 1GB").build().first)
    #expect(within.archive.digest == free.archive.digest)
    let note = try #require(within.notes.first { $0.contains("'budget'") })
    #expect(note.contains("'budget' of 1.0 GB: maxzoom 4, png; about "), "\(note)")
  }

  @Test(
    "a lower budget lowers the zoom, then takes a smaller format: the tiles are those of such a pipeline",
    arguments: [
      (0.65, ""), (0.65, "format: png, "), (0.65, "format: webp, quality: 50, "),
    ])
  func lower(share: Double, format: String) throws {
    let free = try #require(sample("\(format)minzoom: 0").build().first)
    let budget = Int(Double(free.archive.bytes) * share)
    let sample = try sample("\(format)budget: \(budget / 1000)kB")
    let report = try #require(sample.build().first)
    #expect(report.archive.bytes <= budget)
    let found = try metadata(sample)
    let choice = try #require(TileBudget.Choice(found[TileBudget.key] ?? ""))
    #expect(found["maxzoom"] == "\(choice.maxzoom)" && choice.wanted == 4)
    if !format.isEmpty { #expect(choice.format == 0 && choice.maxzoom < 4) }
    #expect(choice.bytes <= budget && choice.unlimited > budget)
    let codec =
      format.isEmpty
      ? [
        "", "format: webp, ", "format: webp, quality: 90, ", "format: webp, quality: 75, ",
        "format: webp, quality: 60, ",
      ][choice.format] : format
    let plain = try BuildSample(rows: 60, tiles: "{maxzoom: \(choice.maxzoom), \(codec)}")
    #expect(try plain.build().first?.archive.digest == report.archive.digest)
    let plan = try PipelineRunner.plan(
      sample.definition(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(plan.zooms.last?.zoom == choice.maxzoom && plan.budgetNote?.isEmpty == false)
  }

  @Test("the deepest zoom that fits goes before the best pictures")
  func order() throws {
    func estimate(_ format: String) throws -> Int {
      let unbounded = try sample("format: \(format), budget: 1GB")
      let plan = try PipelineRunner.plan(
        unbounded.definition(), options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })
      return plan.estimatedBytes
    }
    let (webP, png) = (try estimate("webp"), try estimate("png"))
    try #require(webP < png)
    let bounded = try sample("budget: '\((webP + png) * 50 / 95 + 1)'")
    _ = try bounded.build()
    let found = try metadata(bounded)
    #expect(found["maxzoom"] == "4" && found["format"] == "webp")
  }

  @Test("a second build does nothing, and one after a change is a full build byte for byte")
  func again() throws {
    let sample = try sample("budget: 50kB")
    let first = try #require(sample.build().first)
    let second = try #require(sample.build().first)
    #expect(second.result == .unchanged)
    #expect(
      second.notes.filter { $0.contains("'budget'") }
        == first.notes.filter { $0.contains("'budget'") })
    let text = String(decoding: try sample.folder.bytes("places.csv"), as: UTF8.self)
    try sample.folder.write(
      text.replacing("Place 7\n", with: "Place 7\n10,20,New\n"), to: "places.csv")
    var options = BuildOptions()
    options.threads = 1
    #expect(try sample.build(options).first?.result == .published)
    let changed = try sample.folder.bytes("out.mbtiles")
    try FileManager.default.removeItem(atPath: sample.folder.path("out.mbtiles"))
    options.threads = 2
    options.noCache = true
    _ = try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == changed)
    // A budget of another size is another archive.
    let file = String(decoding: try sample.folder.bytes("sample.yml"), as: UTF8.self)
    try sample.folder.write(file.replacing("50kB", with: "51kB"), to: "sample.yml")
    #expect(try sample.build().first?.result == .published)
  }

  @Test("where nothing fits, nothing is published")
  func nothing() throws {
    let sample = try sample("budget: 1kB")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("zoom 0 alone takes about") == true, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path("out.mbtiles")))
  }

  @Test(
    "sizes are decimal with B and binary without",
    arguments: [
      ("40MB", 40_000_000), ("1.5GB", 1_500_000_000), ("500kB", 500_000), ("2 MB", 2_000_000),
      ("40M", 40 << 20), ("1.5G", 3 << 29), ("4000000", 4_000_000), ("0MB", nil), ("MB", nil),
      ("-4MB", nil), ("1..5MB", nil), ("4 M", nil), ("40mb", nil), ("9e9MB", nil),
      ("99999999999TB", nil),
    ])
  func sizes(text: String, bytes: Int?) {
    #expect(TileBudget.bytes(of: text) == bytes)
  }

  @Test("what is no size is refused with its place")
  func refused() throws {
    let sample = try sample("budget: much")
    let error = #expect(throws: PipelineError.self) { try sample.definition() }
    #expect(error?.message.contains("'budget' is a size such as 40MB") == true)
    #expect(error?.place?.line == 7)
  }
}
