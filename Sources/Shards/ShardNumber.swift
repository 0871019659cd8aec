package import Runs

/// The number of a shard as the command line gives it: digits, or `@env` for the variables of an
/// engine that starts jobs.
package enum ShardNumber {
  /// The variables of one engine.
  private struct Engine {
    let index: String

    /// The number of the engine's first job; the name of a variable, or digits.
    var base = "0"

    /// The distance from one job's number to the next, in the form of ``base``.
    var step = "1"

    /// The variable with the number of jobs; `nil` where there is none.
    var count: String?
  }

  /// The engines, in the order in which they are looked for.
  private static let engines = [
    Engine(
      index: "SLURM_ARRAY_TASK_ID", base: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP",
      count: "SLURM_ARRAY_TASK_COUNT"),
    Engine(index: "AWS_BATCH_JOB_ARRAY_INDEX"),
    Engine(index: "JOB_COMPLETION_INDEX"),
    Engine(index: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT"),
    Engine(index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"),
    Engine(index: "PBS_ARRAY_INDEX"),
    Engine(index: "SGE_TASK_ID", base: "1", count: "SGE_TASK_LAST"),
    Engine(index: "LSB_JOBINDEX", base: "1"),
    Engine(index: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE"),
    Engine(index: "PMI_RANK", count: "PMI_SIZE"),
    Engine(index: "PARALLEL_SEQ", base: "1"),
  ]

  /// Parses a number.
  ///
  /// - Parameters:
  ///   - count: the number of shards of the plan, against which a count of the engine is checked.
  ///   - environment: a lookup of environment variables.
  /// - Throws: ``PipelineError`` with code `usage`.
  package static func parse(
    _ text: String, count: Int, environment: (String) -> String?
  ) throws(PipelineError) -> Int {
    if text == "@env" { return try shard(count: count, environment) }
    guard let number = Int(text), number >= 0 else {
      throw PipelineError(
        .usage, "--shard '\(text)' is neither the number of a shard, from 0, nor @env.")
    }
    return number
  }

  private static func shard(
    count: Int, _ environment: (String) -> String?
  ) throws(PipelineError) -> Int {
    // SGE and LSF set the variable outside arrays, too.
    func value(_ name: String) -> String? {
      environment(name).flatMap { ["", "undefined"].contains($0) ? nil : $0 }
    }
    guard
      let engine = engines.first(where: { engine in
        value(engine.index).map { engine.index != "LSB_JOBINDEX" || $0 != "0" } ?? false
      })
    else {
      throw PipelineError(
        .usage,
        "--shard @env: none of the variables \(engines.map(\.index).joined(separator: ", ")) is set. "
          + "Give the number of the shard, from 0.")
    }
    func number(_ name: String, default fallback: Int) throws(PipelineError) -> Int {
      guard let text = name.first?.isNumber == true ? name : value(name) else { return fallback }
      guard let number = Int(text) else {
        throw PipelineError(.usage, "--shard @env: \(name) is '\(text)', not a number.")
      }
      return number
    }
    let index = try number(engine.index, default: 0)
    let base = try number(engine.base, default: 0)
    let step = max(1, try number(engine.step, default: 1))
    if let name = engine.count, value(name) != nil {
      let jobs = try number(name, default: count)
      guard jobs == count else {
        throw PipelineError(
          .usage,
          "--shard @env: \(name) says \(jobs) jobs, but the plan has \(count) shards. Start \(count) "
            + "jobs, or plan with --shards \(jobs).")
      }
    }
    guard index >= base, (index - base).isMultiple(of: step) else {
      throw PipelineError(
        .usage, "--shard @env: \(engine.index) \(index) is not the number of a job of this array.")
    }
    return (index - base) / step
  }
}
