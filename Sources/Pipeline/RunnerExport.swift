package import Archives
package import Runs

extension PipelineRunner {
  /// Exports tiles of an archive to another container.
  package static func export(
    _ options: ExportOptions, cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> ExportSummary {
    try TileExport(
      options: options, clock: StageClock(progress: progress, cancellation: cancellation)
    ).run()
  }
}
