import Foundation
import Overlays
import PNG
import PipelineSamples
import Raster
@testable import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

@Suite("A frame that cannot be used")
struct SeriesFaultTests {
  enum Damage: String, CaseIterable, Sendable {
    case truncated, text, empty, otherSize

    func apply(to sample: SeriesSample, hour: Int) throws {
      let name = SeriesSample.name(hour)
      switch self {
      case .truncated: try sample.write(Array(sample.folder.bytes(name).dropLast(40)), to: name)
      case .text: try sample.write(Array("<html>no rain today</html>".utf8), to: name)
      case .empty: try sample.write([], to: name)
      case .otherSize: try sample.write(hour, SeriesSample.picture(hour, width: 25))
      }
    }
  }

  @Test(
    "an unusable frame leaves a gap and a line, and the others as they are",
    arguments: Damage.allCases)
  func left(damage: Damage) throws {
    let sample = try SeriesSample(hours: [5, 6, 7, 8])
    try damage.apply(to: sample, hour: 7)
    let report = try sample.build()
    #expect(report.series?.frames == 3)
    #expect(report.series?.unusable.count == 1)
    #expect(report.series?.unusable.first?.contains("2014011907.png") == true)
    let manifest = try sample.manifest()
    #expect(manifest.unusable == ["2014-01-19T07:00:00Z"])
    #expect(manifest.gaps.map(\.missing) == [1])
    let whole = try SeriesSample(hours: [5, 6, 8])
    try whole.build()
    let (found, wanted) = (try sample.outputs(), try whole.outputs())
    for (name, bytes) in wanted where name.hasSuffix(".mbtiles") {
      #expect(found[name] == bytes, "\(name)")
    }
    #expect(found.count == wanted.count)
    #expect(try sample.build().result == .unchanged)
    // Once it is whole it takes its place.
    try sample.write(7)
    #expect(try sample.build().series?.built == 1)
    #expect(try sample.manifest().unusable.isEmpty)
  }

  @Test("an unusable last frame is held over like one among the others", arguments: Damage.allCases)
  func last(damage: Damage) throws {
    let sample = try SeriesSample(hours: [5, 6, 7], source: ", onMissing: hold")
    try damage.apply(to: sample, hour: 7)
    #expect(try sample.build().series?.gaps.map(\.missing) == [1])
    let manifest = try sample.manifest()
    #expect(manifest.frames.map(\.duration) == [1000, 2000])
    #expect(manifest.gaps.map(\.from) == ["2014-01-19T06:00:00Z"])
    #expect(manifest.gaps.map(\.to) == ["2014-01-19T08:00:00Z"])
    #expect(try sample.build().result == .unchanged)
  }

  @Test(
    "an unusable frame does not count for 'keep', and removes no archive",
    arguments: Damage.allCases)
  func kept(damage: Damage) throws {
    let sample = try SeriesSample(hours: [4, 5, 6, 7], source: ", keep: 3")
    try sample.build()
    try sample.write(8)
    try damage.apply(to: sample, hour: 8)
    let report = try sample.build()
    #expect(report.series?.expired == 0 && report.series?.unchanged == 3)
    let hours = try sample.manifest().frames.map { $0.time.dropLast(7).suffix(2) }
    #expect(hours == ["05", "06", "07"])
    // A build from nothing makes the same of the same images.
    let fresh = try SeriesSample(hours: [4, 5, 6, 7, 8], source: ", keep: 3")
    try damage.apply(to: fresh, hour: 8)
    #expect(try fresh.build().series?.built == 3)
    #expect(try fresh.outputs() == sample.outputs())
    let plan = try PipelineRunner.plan(
      fresh.definition(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(plan.zooms.first?.tiles == 3)
  }

  @Test(
    "an unusable frame is found by check like by the build", arguments: Damage.allCases,
    MissingFramePolicy.allCases)
  func checked(damage: Damage, policy: MissingFramePolicy) throws {
    let sample = try SeriesSample(hours: [5, 6, 7], source: ", onMissing: \(policy.rawValue)")
    try damage.apply(to: sample, hour: 6)
    func check() throws -> CheckSummary {
      try PipelineRunner.check(sample.definition(), options: BuildOptions())
    }
    guard policy == .fail else {
      let summary = try check()
      #expect(summary.sources.map(\.frames) == [2])
      #expect(summary.conclusion.contains("2 frames") && summary.conclusion.contains("1 missing"))
      #expect(summary.conclusion.contains("unusable 2014-01-19T06:00:00Z"))
      #expect(summary.text(file: "x").contains("2 frames that are whole"))
      return
    }
    let found = #expect(throws: PipelineError.self) { try check() }
    let built = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(found?.message == built?.message && found?.exitCode == built?.exitCode)
  }

  @Test(
    "an unusable newest frame is not drawn, and does not fail a quick check",
    arguments: Damage.allCases)
  func drawn(damage: Damage) throws {
    let sample = try SeriesSample(hours: [5, 6, 7])
    try damage.apply(to: sample, hour: 7)
    func tile(_ frame: String?) throws -> [UInt8] {
      var options = BuildOptions()
      options.frame = frame
      return try PipelineRunner.tile(
        sample.definition(), tile: TileCoord(z: 0, x: 0, y: 0), scale: 1, options: options,
        cancellation: Cancellation(), progress: { _ in })
    }
    #expect(try tile(nil) == tile("2014-01-19T06:00Z"))
    #expect(throws: PipelineError.self) { try tile("2014-01-19T07:00Z") }
    #expect(throws: Never.self) {
      try PipelineRunner.check(sample.definition(), options: BuildOptions(), isQuick: true)
    }
  }

  @Test("a frame whose palette is shorter than nodata is drawn like the others")
  func shortPalette() throws {
    let sample = try SeriesSample(hours: [5, 6, 7], source: ", nodata: 255")
    #expect(try sample.build().series?.built == 3)
    let other = try SeriesSample(hours: [5, 6, 7], source: ", nodata: 300")
    let error = #expect(throws: PipelineError.self) { try other.build() }
    #expect(error?.code == .definition && error?.place?.description.contains(".yml:4:") == true)
  }

  @Test("check stops between frames when the run is cancelled")
  func cancelled() throws {
    let sample = try SeriesSample(hours: [5, 6, 7])
    let cancellation = Cancellation()
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.check(
        sample.definition(), options: BuildOptions(), cancellation: cancellation
      ) { event in
        if case .advanced(stage: "frames", done: 1, _) = event { cancellation.cancel(signal: 2) }
      }
    }
    #expect(error?.code == .interrupted)
  }

  @Test("an unusable frame is named with its place in the list, a stray name with its glob's place")
  func named() throws {
    let frames = """
      frames: [in/2014011905.png, in/2014011906.png], time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]
      """
    let line = try SeriesSample(hours: [5], frames: frames).build().series?.unusable.first
    #expect(line?.contains("rain.yml:4:") == true, "\(line ?? "")")
    #expect(line?.contains(": in/2014011906.png: no such file") == true, "\(line ?? "")")
    let sample = try SeriesSample()
    try sample.write(7, name: "in/legend.png")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.place?.description.hasSuffix("rain.yml:4:30") == true)
    #expect(error?.message.contains("'in/legend.png' holds no time") == true)
    #expect(error?.message.contains("Narrow 'frames'") == true && error?.exitCode == 65)
  }

  @Test("an unusable frame ends the build if none may be missing", arguments: Damage.allCases)
  func failed(damage: Damage) throws {
    let sample = try SeriesSample(hours: [5, 6, 7, 8], source: ", onMissing: fail")
    try sample.build()
    let before = try sample.outputs()
    try damage.apply(to: sample, hour: 7)
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.exitCode == 65, "\(String(describing: error))")
    #expect(error?.description.contains("2014011907.png") == true)
    #expect(try sample.outputs() == before)
  }

  @Test("a frame that does not exist is missing", arguments: ["skip", "fail"])
  func missing(policy: String) throws {
    let frames = """
      frames: [in/2014011905.png, {time: 2014-01-19T06:00, image: in/2014011906.png},
      in/2014011907.png, in/2014011908.png], time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]
      """
    let sample = try SeriesSample(
      hours: [5, 6, 8], source: ", onMissing: \(policy)", frames: frames)
    guard policy == "fail" else {
      #expect(try sample.build().series?.unusable.count == 1)
      return
    }
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.exitCode == 66)
  }

  @Test("a series without any usable frame ends the build, whatever the policy")
  func none() throws {
    let sample = try SeriesSample(hours: [6])
    try Damage.text.apply(to: sample, hour: 6)
    #expect(throws: PipelineError.self) { try sample.build() }
    try sample.remove(SeriesSample.name(6))
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.code == .missingInput)
  }

  @Test("two frames of one instant are refused, or the last one counts")
  func duplicates() throws {
    let frames = "frames: 'in/**/*.png', time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]"
    for policy in ["refuse", "last"] {
      let sample = try SeriesSample(source: ", onDuplicate: \(policy)", frames: frames)
      try sample.write(7, SeriesSample.picture(12), name: "in/b2014011907.png")
      guard policy == "last" else {
        let error = #expect(throws: PipelineError.self) { try sample.build() }
        #expect(error?.message.contains("onDuplicate: last") == true && error?.exitCode == 65)
        continue
      }
      #expect(try sample.build().series?.replaced == 1)
      let whole = try SeriesSample(hours: [6, 8])
      try whole.write(7, SeriesSample.picture(12))
      try whole.build()
      #expect(
        try sample.folder.bytes("rain/2014-01-19T0700Z.mbtiles").count
          == whole.folder.bytes("rain/2014-01-19T0700Z.mbtiles").count)
    }
  }
}
