import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("Cluster properties")
struct ClusterPropertyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("lng,lat,n,t\n0,0,2,a\n0,0,3,b\n", to: "t.csv")
  }

  private func definition(_ property: String) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {p: {type: csv, data: t.csv, cluster: true, clusterProperties: {x: \(property)}}}
      layers: [{id: c, type: circle, source: p}]
      tiles: {maxzoom: 1}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ property: String) throws {
    _ = try PipelineRunner.build(
      definition(property), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
  }

  @Test(
    "cluster properties that would join texts are refused at their place, by build and check alike",
    arguments: [
      ("[concat, [get, t]]", 78), ("['+', [concat, [get, t], x]]", 83),
      ("[coalesce, [get, t]]", 88),
      ("[[coalesce, [accumulated], [get, x]], [get, t]]", 115),
    ])
  func texts(property: String, column: Int) throws {
    let words = "\(folder.path("x.yml")):2:\(column): the cluster property 'x' would join texts"
    #expect {
      try build(property)
    } throws: {
      "\($0)".hasPrefix(words)
    }
    // The style alone says so of the first two, the records of the others.
    #expect {
      let summary = try PipelineRunner.check(definition(property), options: BuildOptions())
      if let failure = summary.failure { throw failure }
    } throws: {
      "\($0)".hasPrefix(words)
    }
  }

  @Test(
    "cluster properties may read texts, which operators skip and expressions convert to numbers",
    arguments: [
      "[max, [get, t]]", "['+', [length, [get, t]]]", "[coalesce, [get, n]]",
      "[['+', [accumulated], ['*', 2, [get, x]]], [to-number, [get, n]]]",
    ])
  func numbers(property: String) throws {
    try build(property)
  }
}
