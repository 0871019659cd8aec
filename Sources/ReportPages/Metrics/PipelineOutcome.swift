package import Reports
package import Runs

/// The outcome of a run for one of its pipelines.
package struct PipelineOutcome: Hashable, Sendable {
  /// The pipeline file as the command line names it.
  package var file: String

  /// The tileset's name; `nil` if the file could not be read.
  package var name: String?

  /// The reports, one for each archive, of a run that succeeded.
  package var reports: [BuildReport] = []

  /// The exit code; `nil` if the run ended before it reached this pipeline.
  package var exitCode: Int32?

  /// The duration in wall-clock seconds.
  package var seconds = 0.0

  /// The completed stages, also of a run that failed.
  package var stages: [StageTime] = []

  package init(file: String) {
    self.file = file
  }
}
