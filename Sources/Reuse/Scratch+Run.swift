import CLimit
package import Columns
package import Definition
package import Runs

extension Scratch {
  /// Creates the scratch of a run under a ceiling of memory; what the process frees then goes back to
  /// the system.
  ///
  /// - Parameters:
  ///   - ceiling: the ceiling; `nil` for none.
  ///   - archive: the path of the archive, whose folder has the files where neither `--tmpdir` nor
  ///     the environment names another.
  ///   - cancellation: ends the run when a file cannot be made.
  /// - Returns: the scratch; `nil` without a ceiling.
  /// - Throws: ``PipelineError`` with code `usage` for a ceiling that is too low.
  package static func ofRun(
    _ ceiling: MemoryCeiling?, options: BuildOptions, archive: String,
    cancellation: Cancellation
  ) throws(PipelineError) -> Scratch? {
    guard let limits = try ceiling?.limits(threads: options.threadCount) else { return nil }
    climit_return_memory()
    let folder = options.scratchFolder(beside: archive)
    return Scratch(folder: folder, limits: limits) { error in
      cancellation.fail(
        PipelineError(
          FailureCode(error, creating: .file),
          "no temporary file for what --memory leaves no room for can be made in \(folder). Free "
            + "some space, choose another folder with --tmpdir, or raise --memory; the last archive "
            + "stays.", cause: "\(error)"))
    }
  }
}
