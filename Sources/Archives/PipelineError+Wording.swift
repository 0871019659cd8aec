package import Runs

// What every writer of archives says of a result that it does not publish.
extension PipelineError {
  /// The error of a result that the system does not give back.
  ///
  /// - Parameters:
  ///   - result: `archive a.mbtiles`.
  ///   - rest: what else follows from it, such as `; the last one stays`.
  package static func unreadable(
    _ result: String, _ rest: String = "", cause: String?
  ) -> PipelineError {
    PipelineError(
      .inputOutput,
      "the new \(result) cannot be read back and was not published\(rest). Check the disk.",
      cause: cause)
  }

  /// The error of a result that is not what was to be written.
  ///
  /// - Parameter result: `archive`.
  package static func unverified(
    _ result: String, _ rest: String = "", cause: String
  ) -> PipelineError {
    PipelineError(
      .bug, "the new \(result) failed its verification and was not published\(rest).", cause: cause)
  }
}
