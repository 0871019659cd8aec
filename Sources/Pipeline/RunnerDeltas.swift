package import Archives
import MBTiles
package import Runs
package import Tiling

extension PipelineRunner {
  /// Finds the tiles that differ between two archives.
  ///
  /// - Parameters:
  ///   - output: the path of the delta from the old to the new; `nil` writes none.
  ///   - each: receives every tile that differs, in archive order, and the kind of its change:
  ///     `added`, `changed` or `removed`.
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

  /// Merges two deltas, the second of which starts where the first ends.
  ///
  /// - Returns: the result as a line for people.
  package static func merge(
    delta: String, with next: String, output: String, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> String {
    try DeltaMerge(
      first: delta, second: next, output: output,
      clock: StageClock(progress: progress, cancellation: cancellation)
    ).run()
  }

  /// Applies a delta to an archive.
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
