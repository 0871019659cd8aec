import Features
import Files
import Foundation
package import SystemPackage

/// A temporary folder in which a program of GDAL finds its input and writes its output, removed with
/// this object.
///
/// Inputs are links, so that the program sees the files that were hashed and no others, and files
/// that it writes beside them (GML schemas, statistics) are removed, too.
package final class WorkFolder: Sendable {
  package let path: FilePath

  /// Makes a folder inside the folder for temporary files, and removes those that killed runs left
  /// there.
  ///
  /// - Parameter file: the file to be read, for messages.
  init(in folder: FilePath, for file: String) throws(SourceError) {
    StaleFiles.sweep(folder)
    let current = FilePath(FileManager.default.currentDirectoryPath)
    path = RunFile.path(in: current.pushing(folder), for: "gdal")
    guard mkdir(path.string, 0o700) == 0 else {
      throw SourceError(
        code: .io, file: file,
        message:
          "cannot be converted in \(folder): \(Errno(rawValue: errno)); choose another folder "
          + "with --tmpdir")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// Writes a file.
  func write(_ text: String, as name: String) throws(SourceError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path.appending(name).string))
    } catch {
      throw SourceError(
        code: .io, file: path.string, message: "cannot be written to: \(error)")
    }
  }

  /// Makes a file of another folder available under a name.
  func link(_ file: String, as name: String) throws(SourceError) {
    let current = FilePath(FileManager.default.currentDirectoryPath)
    let target = current.pushing(FilePath(file)).string
    guard symlink(target, path.appending(name).string) == 0 else {
      throw SourceError(
        code: .io, file: file, message: "cannot be linked into \(path): \(Errno(rawValue: errno))")
    }
  }
}
