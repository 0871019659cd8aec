package import SystemPackage

/// A file that is held open, so that everything read through it comes from one file, even if
/// another file takes its name meanwhile.
package final class HeldFile: Sendable {
  /// The path by which messages name the file, and beside which its companions lie.
  package let path: FilePath

  /// A path that stays the file's own while this object exists, for those who open files by path.
  ///
  /// Where the system has no such names, it is ``path``.
  package let address: FilePath

  /// The open file; its position is undefined.
  package let descriptor: FileDescriptor

  /// Opens a file or a folder for reading, without waiting for the writer of a pipe.
  package init(_ path: FilePath) throws(Errno) {
    descriptor = try Errno.thrown {
      try FileDescriptor.open(
        path, .readOnly, options: [.closeOnExec, .nonBlocking])
    }
    self.path = path
    let link = FilePath("/proc/self/fd/\(descriptor.rawValue)")
    let status = try? FileStatus(of: descriptor)
    let isLinked = status.map { FileStatus(link)?.isSameFile(as: $0) == true } ?? false
    address = isLinked ? link : path
  }

  deinit { try? descriptor.close() }

  /// The status of the file, wherever it is now.
  package var status: FileStatus {
    get throws(Errno) { try FileStatus(of: descriptor) }
  }

  /// Whether the path still names the file.
  package var isInPlace: Bool {
    guard let own = try? status, let other = FileStatus(path) else { return false }
    return own.isSameFile(as: other)
  }
}
