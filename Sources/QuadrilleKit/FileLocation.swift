import Foundation
import Runs

extension URL {
  /// Returns the absolute path of the file.
  ///
  /// - Throws: ``PipelineError`` with code `usage` for an address that is no file's.
  func filePath() throws(PipelineError) -> String {
    guard isFileURL else {
      throw PipelineError(
        .usage, "'\(scheme ?? "")' is no scheme of a file of this machine. Pass a file URL.")
    }
    return absoluteURL.path
  }

  /// Creates the URL of a path that is no folder's.
  init(file path: String) { self.init(filePath: path, directoryHint: .notDirectory) }
}
