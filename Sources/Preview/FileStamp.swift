import Files
import SystemPackage

/// The identity and state of a file, by which a replaced one is detected.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int
  private let modified: Int64

  /// Creates the stamp of a path; `nil` if there is no file.
  init?(_ path: String) {
    guard let status = FileStatus(FilePath(path)) else { return nil }
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
  }
}
