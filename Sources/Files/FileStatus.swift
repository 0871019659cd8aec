import Platform
package import SystemPackage

/// The system's record of a file at one moment.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, folder, other
  }

  package let kind: Kind

  /// The id of the file system.
  package let device: UInt64
  package let inode: UInt64

  /// The size in bytes.
  package let size: Int

  /// The time of the last change to the content, in nanoseconds since 1970; a program may set it to
  /// any value.
  package let modified: Int64

  /// The time of the last change to the file or its attributes, in nanoseconds since 1970; no
  /// program can set it.
  package let changed: Int64

  /// Creates the status of the file at a path; `nil` if nothing exists there.
  ///
  /// - Parameter followsLinks: whether a symbolic link stands for its target.
  package init?(_ path: FilePath, followsLinks: Bool = true) {
    var status = stat()
    let result = followsLinks ? stat(path.string, &status) : lstat(path.string, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  /// Creates the status of the file at a path, following symbolic links.
  ///
  /// - Throws: the system's error if no file exists there, or its status cannot be read.
  package init(of path: FilePath) throws(Errno) {
    var status = stat()
    guard stat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Creates the status of an open file.
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

  /// The present time, as the times of files are counted.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Returns a time in nanoseconds, which wraps around beyond the years 1678 to 2262: only equality
  /// and closeness to today matter.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether both are the same file, under any name.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether anything of that name exists, a dangling link included.
  package static func exists(_ path: FilePath) -> Bool {
    FileStatus(path, followsLinks: false) != nil
  }

  /// Returns the size of a file in bytes, following symbolic links.
  package static func size(of path: FilePath) throws(Errno) -> Int {
    try FileStatus(of: path).size
  }
}
