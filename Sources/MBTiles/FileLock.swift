package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exclusive lock on a file that exists only while it is held; the system releases it with the
/// process, however that ends. A suspended process continues to hold it.
package final class FileLock {
  private let path: FilePath
  private let file: FileDescriptor

  /// The milliseconds between two attempts at a lock that is held: initially, and at most. An
  /// attempt costs a waiting run some µs, and what it waits for takes seconds.
  private static let firstPause = 5
  private static let longestPause = 200

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - archive: the archive named in the error.
  ///   - patience: called before each wait; whether to continue waiting; `nil` does not wait at
  ///     all.
  /// - Throws: ``ArchiveError/Code/locked`` if another process holds it and `patience` returns
  ///   false; `cannotCreate` or `permission` if no file can be created in the folder.
  package init(path: FilePath, archive: FilePath, patience: (() -> Bool)? = nil)
    throws(ArchiveError)
  {
    self.path = path
    var pause = Self.firstPause
    while true {
      let file = try Self.open(path, for: archive)
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 {
        // The previous holder may have removed the file between our open and our lock.
        if let mine = FileStatus(file), let named = FileStatus(path), mine.isSameFile(as: named) {
          self.file = file
          return
        }
        try? file.close()
        continue
      }
      let cause = Errno(rawValue: errno)
      try? file.close()
      if cause == .interrupted { continue }
      guard cause == .wouldBlock else { throw ArchiveError(cause, doing: "lock", path: path) }
      guard let patience, patience() else {
        throw ArchiveError(
          .locked, "another run is building \(archive). Wait for it to end.", path: archive,
          cause: cause)
      }
      usleep(UInt32(pause * 1000))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  deinit {
    unlink(path.string)
    try? file.close()
  }

  /// Opens the lock's file, creating it if necessary.
  private static func open(
    _ path: FilePath, for archive: FilePath
  ) throws(ArchiveError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      let cause = error as? Errno ?? .ioError
      let folder = DurableFile.folder(of: path)
      switch cause {
      case .noSuchFileOrDirectory:
        throw ArchiveError(
          .cannotCreate,
          "cannot create \(archive): there is no folder \(folder). Create the folder or choose "
            + "another one with --output.", path: archive, cause: cause)
      case .readOnlyFileSystem:
        throw ArchiveError(
          .cannotCreate,
          "cannot create \(archive): the folder \(folder) is on a read-only file system. Choose "
            + "another one with --output.", path: archive, cause: cause)
      case .permissionDenied, .notPermitted:
        throw ArchiveError(
          .permission,
          "cannot create \(archive): no permission to write to the folder \(folder). Make it "
            + "writable or choose another one with --output.", path: archive, cause: cause)
      default:
        throw ArchiveError(cause, doing: "create", path: path)
      }
    }
  }
}
