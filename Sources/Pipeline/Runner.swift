package import Tiling

/// The work behind the commands; the executable adds arguments, exit codes and a terminal.
///
/// Every function throws ``PipelineError`` only, checks `cancellation` between batches, and prints
/// nothing. Options are applied to the definition here.
package enum PipelineRunner {
  /// Bakes and publishes the archives of a pipeline, one for each pixel density.
  ///
  /// - Returns: A report an archive, in the order of the densities; each was also written beside
  ///   its archive.
  package static func build(
    _ definition: PipelineDefinition, options: BuildOptions, cancellation: Cancellation,
    progress: ProgressHandler
  ) throws(PipelineError) -> [BuildReport] {
    _ = try definition.applying(options).requireBuildable()
    throw PipelineError(.bug, "building is not joined to its stages.")
  }

  /// Counts what a build would make without drawing: exact tiles, estimated bytes and time.
  package static func plan(
    _ definition: PipelineDefinition, options: BuildOptions, cancellation: Cancellation,
    progress: ProgressHandler
  ) throws(PipelineError) -> PlanSummary {
    _ = try definition.applying(options).requireBuildable()
    throw PipelineError(.bug, "planning is not joined to its stages.")
  }

  /// Checks a pipeline and that its files are there, without building it.
  package static func check(
    _ definition: PipelineDefinition, options: BuildOptions
  ) throws(PipelineError) -> CheckSummary {
    let definition = try definition.applying(options)
    try definition.requireBuildable()
    try definition.requireFiles()
    return CheckSummary(
      pipeline: definition.name, notes: definition.notes, conclusion: definition.conclusion)
  }

  /// Writes the records or clusters that a query asks for as GeoJSON.
  ///
  /// - Parameter write: Takes the text piece by piece.
  package static func query(
    _ definition: PipelineDefinition, query: QueryOptions, options: BuildOptions,
    cancellation: Cancellation, progress: ProgressHandler,
    write: ([UInt8]) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    _ = try definition.applying(options).requireBuildable()
    throw PipelineError(.bug, "queries are not joined to the sources.")
  }

  /// Draws one tile without an archive.
  ///
  /// - Parameter scale: The pixel density, 1 or 2.
  /// - Returns: The bytes of a PNG.
  package static func tile(
    _ definition: PipelineDefinition, tile: TileCoord, scale: Int, options: BuildOptions,
    cancellation: Cancellation, progress: ProgressHandler
  ) throws(PipelineError) -> [UInt8] {
    _ = try definition.applying(options).requireBuildable()
    throw PipelineError(.bug, "single tiles are not joined to the stages.")
  }

  /// Describes an archive: metadata, zooms, sizes.
  package static func inspect(archive: String) throws(PipelineError) -> String {
    throw PipelineError(.bug, "inspecting is not joined to the reader of archives.")
  }

  /// Recomputes everything that an archive promises.
  package static func verify(
    archive: String, cancellation: Cancellation, progress: ProgressHandler
  ) throws(PipelineError) -> VerificationSummary {
    throw PipelineError(.bug, "verifying is not joined to the reader of archives.")
  }
}
