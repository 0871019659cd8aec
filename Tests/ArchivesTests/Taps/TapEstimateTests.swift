import Foundation
import JSON
import PipelineSamples
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The plan of taps")
struct TapEstimateTests {
  @Test(
    "the plan estimates the size of taps within a third",
    arguments: ["utfgrid", "compact"], [0, 4])
  func bytes(format: String, clusterMaxZoom: Int) throws {
    let sample = try BuildSample(
      rows: 800, tiles: "{maxzoom: 4, interactivity: {format: \(format)}}")
    let text = try String(contentsOfFile: sample.file, encoding: .utf8)
      .replacing("clusterMaxZoom: 3", with: "clusterMaxZoom: \(clusterMaxZoom)")
    try sample.folder.write(text, to: "sample.yml")
    func plan() throws -> PlanSummary {
      try PipelineRunner.plan(
        sample.definition(), options: BuildOptions(), cancellation: Cancellation(),
        progress: { _ in })
    }
    let planned = try plan()
    let report = try #require(try sample.build().first)
    let taps = try #require(planned.estimatedTapBytes)
    let share = Double(planned.estimatedBytes) / Double(report.archive.bytes)
    #expect((0.67...1.5).contains(share), "\(planned.estimatedBytes) of \(report.archive.bytes)")
    #expect(planned.json.line.contains(#""estimatedTapBytes": \#(taps)"#))
    #expect(planned.summary.contains(" of it for taps)"))
    let plain = text.replacing(", interactivity: {format: \(format)}", with: "")
    try sample.folder.write(plain, to: "sample.yml")
    let without = try plan()
    #expect(without.estimatedTapBytes == nil && without.estimatedBytes < planned.estimatedBytes)
    #expect(!without.summary.contains("taps"))
  }
}
