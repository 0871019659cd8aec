import Platform
package import SystemPackage

/// What the system says about a file.
package struct FileStatus: Hashable {
  let device: UInt64
  let inode: UInt64
  package let size: Int

  /// Of a path, symbolic links followed; `nil` if there is nothing.
  package init?(_ path: FilePath) {
    var status = stat()
    guard stat(path.string, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of an open file.
  init?(_ file: FileDescriptor) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int(status.st_size)
  }

  /// Whether both are the same file, by whatever name.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether there is anything by that name, a dangling link included.
  package static func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return lstat(path.string, &status) == 0
  }
}
