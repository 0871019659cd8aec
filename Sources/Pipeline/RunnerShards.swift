import Baking
package import Definition
import Inputs
package import Reports
package import Runs
package import Shards
import SystemPackage

// A build that is divided among processes or machines: `plan --shards`, `build --shard`, `merge`.
extension PipelineRunner {
  /// Reads and clusters the inputs once, and writes a folder from which shards are painted.
  ///
  /// - Parameters:
  ///   - shards: their number.
  ///   - folder: the path of the folder; a plan that is there is replaced.
  package static func plan(
    _ definition: PipelineDefinition, shards: Int, into folder: String, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> ShardPlanSummary {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    try definition.applying(options).requireInputsApart(options)
    let build = try prepared(definition, options, cancellation, progress)
    return try ShardPlanner(build: try build.decided(), count: shards).run(into: FilePath(folder))
  }

  /// Paints one shard of a plan, unless its part is there and complete.
  ///
  /// - Parameters:
  ///   - shard: its number from 0, or `@env` for the variables of an engine.
  ///   - environment: a lookup of environment variables.
  package static func paint(
    shard: String, of folder: String, environment: (String) -> String?, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> ShardPainter.Outcome {
    let folder = try PlanFolder(FilePath(folder))
    let number = try ShardNumber.parse(
      shard, count: folder.shardCount, environment: environment)
    return try ShardPainter(
      folder, shard: number, options: options, cancellation: cancellation, progress: progress
    ).run()
  }

  /// Publishes the archives of a plan whose shards are all painted.
  package static func merge(
    _ folder: String, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> [BuildReport] {
    try ShardMerge(
      try PlanFolder(FilePath(folder)), output: options.output, options: options,
      cancellation: cancellation, progress: progress
    ).run()
  }
}
