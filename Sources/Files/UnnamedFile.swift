import Platform
package import SystemPackage

/// A temporary file without a name, so that the system removes it however the run ends.
package enum UnnamedFile {
  /// Creates an empty file in a folder, open for reading and writing.
  ///
  /// - Parameter purpose: a word of its name until it is open.
  package static func open(in folder: FilePath, for purpose: String) throws(Errno) -> FileDescriptor
  {
    let path = RunFile.path(in: folder, for: purpose)
    return try Errno.thrown {
      let file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
      unlink(path.string)
      return file
    }
  }
}
