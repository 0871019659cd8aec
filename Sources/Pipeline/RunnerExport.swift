package import Archives
package import Runs

extension PipelineRunner {
  /// Takes tiles out of an archive and puts them into another container.
  package static func export(
    _ options: ExportOptions, cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> ExportSummary {
    try TileExport(
      options: options, clock: StageClock(progress: progress, cancellation: cancellation)
    ).run()
  }
}
