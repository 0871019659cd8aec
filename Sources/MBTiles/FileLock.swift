import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exclusive lock on a file that exists only while it is held; the system drops it with the
/// process, however that ends.
final class FileLock {
  private let path: FilePath
  private let file: FileDescriptor

  /// Takes the lock at once or throws ``ArchiveError/Code/locked``.
  ///
  /// - Parameter archive: Named in the error.
  init(path: FilePath, archive: FilePath) throws(ArchiveError) {
    self.path = path
    while true {
      let file: FileDescriptor
      do {
        file = try FileDescriptor.open(
          path, .readWrite, options: [.create, .closeOnExec, .noFollow],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
      } catch {
        throw ArchiveError(error as? Errno ?? .ioError, doing: "create", path: path)
      }
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        let cause = Errno(rawValue: errno)
        try? file.close()
        guard cause == .wouldBlock else { throw ArchiveError(cause, doing: "lock", path: path) }
        throw ArchiveError(
          .locked, "another run is building \(archive). Wait for it to end.", path: archive,
          cause: cause)
      }
      // The holder before may have removed the file between our open and our lock.
      if let mine = FileStatus(file), let named = FileStatus(path), mine.isSameFile(as: named) {
        self.file = file
        return
      }
      try? file.close()
    }
  }

  deinit {
    unlink(path.string)
    try? file.close()
  }
}
