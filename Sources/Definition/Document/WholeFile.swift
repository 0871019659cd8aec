import Foundation
package import Runs

/// A reader of small files as a whole.
package enum WholeFile {
  /// Reads the bytes of a file.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``PipelineError`` that names the file and, for one that cannot be opened, the
  ///   system's reason.
  package static func bytes(of path: String, limit: Int) throws(PipelineError) -> [UInt8] {
    do {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      return try DocumentFile.read(path, limit: min(size, limit))
    } catch let error as PipelineError {
      throw error
    } catch {
      // Opening the file gives the system's own reason.
      return try DocumentFile.read(path, limit: 1)
    }
  }
}
