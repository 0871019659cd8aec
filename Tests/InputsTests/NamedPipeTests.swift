import Foundation
import PipelineSamples
import Platform
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

@Suite("Inputs that are pipes")
struct NamedPipeTests {
  @Test(
    "a pipe without a writer is refused at once and not waited for",
    arguments: ["build", "check", "check --quick", "plan", "query", "tile"])
  func refused(command: String) throws {
    let sample = try BuildSample()
    let data = sample.folder.path("places.csv")
    try FileManager.default.removeItem(atPath: data)
    try #require(mkfifo(data, 0o644) == 0)
    let definition = try sample.definition()
    let (options, cancellation) = (BuildOptions(), Cancellation(maxSeconds: 20))
    var failure: PipelineError?
    do throws(PipelineError) {
      switch command {
      case "build":
        _ = try PipelineRunner.build(
          definition, options: options, cancellation: cancellation, progress: { _ in })
      case "plan":
        _ = try PipelineRunner.plan(
          definition, options: options, cancellation: cancellation, progress: { _ in })
      case "query":
        _ = try PipelineRunner.query(
          definition, query: QueryOptions(), options: options, cancellation: cancellation,
          progress: { _ in }, write: { _ in })
      case "tile":
        _ = try PipelineRunner.tile(
          definition, tile: TileCoord(z: 0, x: 0, y: 0), scale: 1, options: options,
          cancellation: cancellation, progress: { _ in })
      default:
        _ = try PipelineRunner.check(
          definition, options: options, isQuick: command != "check", cancellation: cancellation)
      }
    } catch {
      failure = error
    }
    #expect(failure?.code == .definition)
    #expect(failure?.message.contains("pipe") == true)
  }
}
