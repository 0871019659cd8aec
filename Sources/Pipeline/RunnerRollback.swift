import Archives
import Baking
package import Definition
package import Publication
import Reuse
package import Runs

extension PipelineRunner {
  /// Restores the last kept archive of each pixel density.
  package static func rollback(
    _ definition: PipelineDefinition, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> [RollbackSummary] {
    guard !definition.hasSeries else {
      throw PipelineError(
        .usage,
        "a series cannot be rolled back: its frames are replaced one by one and no earlier state is "
          + "kept. Build it again from its earlier images.")
    }
    let definition = try definition.applying(options)
    let options = try options.withUpdates(of: definition)
    var summaries = try rollback(
      archives: definition.tiles.scales.map { definition.output.path(scale: $0) },
      options: options, cancellation: cancellation, progress: progress)
    let notes = try definition.settlePacks(
      RunContext(
        options: options, cancellation: cancellation, progress: progress,
        artifacts: ArtifactCache(besideArchive: definition.output.path, options: options)),
      patience: patience(options, cancellation))
    for index in summaries.indices {
      guard let note = notes[summaries[index].archive] else { continue }
      summaries[index].notes += note
    }
    return summaries
  }

  private static func patience(
    _ options: BuildOptions, _ cancellation: Cancellation
  ) -> (() -> Bool)? {
    options.whenLocked == .wait ? { !cancellation.isCancelled } : nil
  }

  /// Restores the last kept versions of these archives.
  package static func rollback(
    archives: [String], options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> [RollbackSummary] {
    if let manifest = archives.first(where: SeriesInspection.isManifest) {
      throw PipelineError(
        .usage,
        "\(manifest) is of a series, which cannot be rolled back: no earlier state of it is kept. "
          + "Build it again from its earlier images.")
    }
    return try Rollback(
      archives: archives,
      patience: patience(options, cancellation), signedBy: options.signer,
      clock: StageClock(progress: progress, cancellation: cancellation)
    ).run()
  }
}
