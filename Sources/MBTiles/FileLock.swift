import Platform
package import SystemPackage

/// An exclusive lock on a file that exists only while it is held; the system drops it with the
/// process, however that ends. A process that is stopped goes on holding it.
package final class FileLock {
  private let path: FilePath
  private let file: FileDescriptor

  /// Milliseconds between two looks at a lock that is held: at first, and at most. A waiting run
  /// costs some µs a look, and what it waits for takes seconds.
  private static let firstPause = 5
  private static let longestPause = 200

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - archive: named in the error.
  ///   - patience: asked before each wait whether to go on waiting; `nil` does not wait at all.
  /// - Throws: ``ArchiveError/Code/locked`` where another process holds it and patience is at its
  ///   end; `cannotCreate` or `permission` where the folder takes no file.
  package init(path: FilePath, archive: FilePath, patience: (() -> Bool)? = nil)
    throws(ArchiveError)
  {
    self.path = path
    var pause = Self.firstPause
    while true {
      let file = try Self.open(path, for: archive)
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 {
        // The holder before may have removed the file between our open and our lock.
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

  /// Opens the lock's file, which is made if it is not there.
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
