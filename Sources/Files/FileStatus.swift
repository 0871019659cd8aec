import Platform
package import SystemPackage

/// What the system says about a file at one moment.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, folder, other
  }

  package let kind: Kind

  /// The file system.
  package let device: UInt64
  package let inode: UInt64

  /// Bytes.
  package let size: Int

  /// When the content was last written, nanoseconds since 1970; a program may set it to any value.
  package let modified: Int64

  /// When anything about the file last changed, nanoseconds since 1970; no program can set it.
  package let changed: Int64

  /// Of a path; `nil` if there is nothing.
  ///
  /// - Parameter followsLinks: whether a symbolic link stands for what it leads to.
  package init?(_ path: FilePath, followsLinks: Bool = true) {
    var status = stat()
    let result = followsLinks ? stat(path.string, &status) : lstat(path.string, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  /// Of a path, symbolic links followed.
  ///
  /// - Throws: the system's error where there is no file, or where it cannot be asked for.
  package init(of path: FilePath) throws(Errno) {
    var status = stat()
    guard stat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Of an open file.
  package init(of file: FileDescriptor) throws(Errno) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
      modified = Self.nanoseconds(status.st_mtimespec)
      changed = Self.nanoseconds(status.st_ctimespec)
    #else
      modified = Self.nanoseconds(status.st_mtim)
      changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// Wraps around beyond the years 1678 to 2262: only equality and nearness to today matter.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether both are the same file, by whatever name.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether there is anything by that name, a dangling link included.
  package static func exists(_ path: FilePath) -> Bool {
    FileStatus(path, followsLinks: false) != nil
  }

  /// Bytes of a file, symbolic links followed.
  package static func size(of path: FilePath) throws(Errno) -> Int {
    try FileStatus(of: path).size
  }
}
