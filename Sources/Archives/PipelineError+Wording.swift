package import Runs

// The sentences of every writer of archives about a result that it does not publish.
extension PipelineError {
  /// Returns the error of a result that cannot be read back.
  ///
  /// - Parameters:
  ///   - result: `archive a.mbtiles`.
  ///   - rest: a further consequence, such as `; the last one stays`.
  package static func unreadable(
    _ result: String, _ rest: String = "", cause: String?
  ) -> PipelineError {
    PipelineError(
      .inputOutput,
      "the new \(result) cannot be read back and was not published\(rest). Check the disk.",
      cause: cause)
  }

  /// Returns the error of a result that differs from what was written.
  ///
  /// - Parameter result: `archive`.
  package static func unverified(
    _ result: String, _ rest: String = "", cause: String
  ) -> PipelineError {
    PipelineError(
      .bug, "the new \(result) failed its verification and was not published\(rest).", cause: cause)
  }
}
