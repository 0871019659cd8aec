import Foundation
package import Runs

/// Reads small files whole.
package enum WholeFile {
  /// The bytes of a file.
  ///
  /// - Parameter limit: the largest size in bytes that is accepted.
  /// - Throws: ``PipelineError`` that names the file and, for one that cannot be opened, the system's
  ///   reason.
  package static func bytes(of path: String, limit: Int) throws(PipelineError) -> [UInt8] {
    do {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      return try DocumentFile.read(path, limit: min(size, limit))
    } catch let error as PipelineError {
      throw error
    } catch {
      // Opening it gives the system's own reason.
      return try DocumentFile.read(path, limit: 1)
    }
  }
}
