package import Archives
import MBTiles
package import Runs
package import Tiling

extension PipelineRunner {
  /// Finds the tiles that are not the same in two archives.
  ///
  /// - Parameters:
  ///   - output: where to write the delta from the old to the new; `nil` writes none.
  ///   - each: takes every tile that differs, in archive order, and what became of it: `added`,
  ///     `changed` or `removed`.
  package static func diff(
    old: String, new: String, output: String?, cancellation: Cancellation,
    progress: @escaping ProgressHandler,
    each: (_ kind: String, _ tile: TileCoord) throws(PipelineError) -> Void
  ) throws(PipelineError) -> DifferenceSummary {
    try ArchiveDifference(
      old: old, new: new, output: output,
      clock: StageClock(progress: progress, cancellation: cancellation)
    ).run { try each($0.kind.rawValue, $0.tile) }
  }

  /// Makes an archive into the one to which a delta leads.
  ///
  /// - Parameter scratch: the folder of temporary files other than the archive's own; `nil` for the
  ///   archive's.
  package static func apply(
    delta: String, archive: String, scratch: String?, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> PatchSummary {
    try ArchivePatch(
      delta: delta, archive: archive, scratch: scratch,
      clock: StageClock(progress: progress, cancellation: cancellation)
    ).run()
  }
}
