import Files
package import Runs
import SystemPackage

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

extension PipelineError {
  /// Refuses to replace a file that a command reads.
  ///
  /// - Parameter option: the option that names the file to write; `nil` for an argument.
  package static func requireApart(
    _ output: String, from inputs: [String], option: String? = nil
  ) throws(PipelineError) {
    guard let input = inputs.first(where: { FilePlace.areSame($0, output) }) else { return }
    let file = output == input ? "'\(output)'" : "'\(output)', the same file as '\(input)',"
    throw PipelineError(
      .usage,
      "\(file) is read by this command and would be replaced. Name another file"
        + "\(option.map { " with \($0)" } ?? "").")
  }

  /// Refuses to make a folder whose name is that of a file, such as `tiles.zip`.
  package static func requireFolderName(_ output: String) throws(PipelineError) {
    guard let ending = FileEnding(output), ending.isOfFile,
      FileStatus(FilePath(output))?.kind != .folder
    else { return }
    throw PipelineError(
      .usage,
      "'\(output)' ends in .\(ending.text), and a folder would be made of that name. Name it without "
        + "the ending, or put a slash behind the name of a folder.")
  }
}
