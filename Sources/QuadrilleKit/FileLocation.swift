import Foundation
import Runs

extension URL {
  /// Returns the absolute path of the file.
  ///
  /// - Throws: ``PipelineError`` with code `usage` if the URL is not a file URL.
  func filePath() throws(PipelineError) -> String {
    guard isFileURL else {
      throw PipelineError(
        .usage, "'\(scheme ?? "")' is no scheme of a file of this machine. Pass a file URL.")
    }
    return absoluteURL.path
  }

  /// Creates the URL of a file, not of a folder.
  init(file path: String) { self.init(filePath: path, directoryHint: .notDirectory) }
}
