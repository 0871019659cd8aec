import Foundation
import SystemPackage

/// What is in a folder.
enum FolderNames {
  /// The names in a folder.
  ///
  /// - Throws: where there is no folder that can be read.
  static func of(_ folder: FilePath) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.string)
  }

  /// Removes a folder that this process made, with all that is in it.
  static func remove(_ folder: FilePath) {
    try? FileManager.default.removeItem(atPath: folder.string)
  }
}
