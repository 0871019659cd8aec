import Files
import Platform
package import SystemPackage

/// The content of a packed file, in a temporary file that lives as long as this object.
package final class UnpackedFile: Sendable {
  /// The open file; readers pass positions, so its own file offset is not used.
  package let file: FileDescriptor

  /// The path for readers that open files themselves; `nil` for a file without a name.
  package let path: FilePath?

  private static let purpose = "unpacked"

  /// Creates an empty file.
  ///
  /// - Parameter hasName: whether the file keeps its name as long as this object lives.
  init(in folder: FilePath, hasName: Bool) throws(Errno) {
    StaleFiles.sweep(folder)
    guard hasName else {
      file = try UnnamedFile.open(in: folder, for: Self.purpose)
      path = nil
      return
    }
    let path = RunFile.path(in: folder, for: Self.purpose)
    file = try Errno.thrown {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    }
    self.path = path
  }

  deinit {
    try? file.close()
    if let path { unlink(path.string) }
  }
}
