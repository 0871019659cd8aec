package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's information about a file.
package struct FileStatus: Hashable {
  let device: UInt64
  let inode: UInt64
  package let size: Int

  /// Creates the status of a path, following symbolic links; `nil` if it does not exist.
  package init?(_ path: FilePath) {
    var status = stat()
    guard stat(path.string, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the status of an open file.
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

  /// Whether both are the same file, under whatever name.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether anything exists under that name, including a dangling link.
  package static func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return lstat(path.string, &status) == 0
  }
}
