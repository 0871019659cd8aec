package import Archives
package import Definition
package import Inputs
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

  /// Copies a region of a PMTiles file, on this machine or on a server, to a file of its own.
  ///
  /// - Returns: a sentence on what was read and written.
  package static func basemap(
    _ extract: BasemapExtract, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> String {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    return try extract.run(options, cancellation, progress)
  }
}
