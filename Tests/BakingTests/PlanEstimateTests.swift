import Foundation
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The plan of a build")
struct PlanEstimateTests {
  @Test("the plan tells the bytes of very uneven tiles within a twentieth")
  func uneven() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 4)
    // A few crowded places, and many lone ones.
    var rows = "lng,lat,name\n"
    for row in 0..<1500 {
      let isCrowded = row % 2 == 0
      let (x, y) = isCrowded ? (random.below(3) * 30, 40) : (random.below(340) - 170, 0)
      rows +=
        "\(Double(x) + random.number(in: 0..<4)),\(Double(y) + random.number(in: 0..<4)),"
        + "Place \(row)\n"
    }
    try folder.write(rows, to: "places.csv")
    let file = try folder.write(
      """
      version: 1
      name: sample
      sources: {places: {type: csv, data: places.csv}}
      layers:
        - id: disc
          type: circle
          source: places
          paint: {circle-radius: [interpolate, [linear], ['%', [length, [get, name]], 3], 0, 2, 2, 9]}
        - id: name
          type: symbol
          source: places
          layout: {text-field: [get, name], text-size: 11}
      tiles: {minzoom: 4, maxzoom: 7}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let planned = try PipelineRunner.plan(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let report = try #require(
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
    let share = Double(planned.estimatedBytes) / Double(report.archive.bytes)
    #expect((0.95...1.05).contains(share), "\(planned.estimatedBytes) of \(report.archive.bytes)")
  }
}
