package import Columns
package import Definition
package import Runs

/// The parts that all stages of one run share.
package struct RunContext {
  package let options: BuildOptions
  package let cancellation: Cancellation
  package let progress: ProgressHandler

  /// The times of the stages before the build, for its report.
  package let earlierStages: [StageTime]

  /// The digests of all files of the run.
  package let inputs: InputDigests

  /// The artifacts of earlier runs.
  package let artifacts: ArtifactCache

  /// The place of large columns; `nil` for memory.
  package let scratch: Scratch?

  package init(
    options: BuildOptions = BuildOptions(), cancellation: Cancellation = Cancellation(),
    progress: @escaping ProgressHandler = { _ in },
    earlierStages: [StageTime] = [], inputs: InputDigests = InputDigests(),
    artifacts: ArtifactCache = .none, scratch: Scratch? = nil
  ) {
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    self.earlierStages = earlierStages
    self.inputs = inputs
    var artifacts = artifacts
    artifacts.scratch = scratch
    self.artifacts = artifacts
    self.scratch = scratch
  }

  /// The number of worker threads: the requested one, otherwise one per processor of this process.
  package var threads: Int {
    options.threadCount
  }

  /// A new clock for the stages of one archive.
  package var clock: StageClock { StageClock(progress: progress, cancellation: cancellation) }

  /// Returns the same run with other artifacts.
  package func with(artifacts: ArtifactCache) -> RunContext {
    RunContext(
      options: options, cancellation: cancellation, progress: progress,
      earlierStages: earlierStages, inputs: inputs, artifacts: artifacts, scratch: scratch)
  }

  /// The same run without digests and artifacts of its own.
  package var uncached: RunContext {
    RunContext(
      options: options, cancellation: cancellation, progress: progress, scratch: scratch)
  }
}
