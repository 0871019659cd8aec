import Files
import SystemPackage

/// Tells whether a path still leads to the file that it led to.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int
  private let modified: Int64

  /// `nil` where there is no file.
  init?(_ path: String) {
    guard let status = FileStatus(FilePath(path)) else { return nil }
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
  }
}
