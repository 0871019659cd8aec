package import Reports
package import Runs

/// What a run came to for one of its pipelines.
package struct PipelineOutcome: Hashable, Sendable {
  /// The pipeline file as the command line names it.
  package var file: String

  /// The tileset's name; `nil` if the file could not be read.
  package var name: String?

  /// One for each archive, of a run that succeeded.
  package var reports: [BuildReport] = []

  /// `nil` if the run ended before it came to this pipeline.
  package var exitCode: Int32?

  /// Wall-clock seconds.
  package var seconds = 0.0

  /// The stages that came to their end, also of a run that failed.
  package var stages: [StageTime] = []

  package init(file: String) {
    self.file = file
  }
}
