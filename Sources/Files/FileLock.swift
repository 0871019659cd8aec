import Platform
package import SystemPackage

/// An exclusive lock on a file; the system drops it with the process, however that ends. A process
/// that is stopped goes on holding it.
package final class FileLock {
  /// Why there is no lock.
  package enum Failure: Error, Hashable, Sendable {
    /// Somebody else holds it, and patience is at its end.
    case held
    /// The lock's file can be neither opened nor made.
    case cannotOpen(Errno)
    /// The file system has no locks, or refuses this one.
    case cannotLock(Errno)
  }

  private let path: FilePath
  private let file: FileDescriptor
  private let keepsFile: Bool

  /// Milliseconds between two looks at a lock that is held: at first, and at most. A waiting run
  /// costs some µs a look, and what it waits for takes seconds.
  private static let firstPause = 5
  private static let longestPause = 200

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: of the lock's file, which is made if it is not there.
  ///   - permissions: of the file if it is made.
  ///   - keepsFile: whether the file stays when the lock ends; else it is removed.
  ///   - patience: asked before each wait whether to go on waiting; `nil` does not wait at all.
  package init(
    _ path: FilePath,
    permissions: FilePermissions = DurableFile.publicPermissions,
    keepsFile: Bool = false, patience: (() -> Bool)? = nil
  ) throws(Failure) {
    self.path = path
    self.keepsFile = keepsFile
    var pause = Self.firstPause
    while true {
      let file = try Self.open(path, permissions)
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 {
        // The holder before may have removed the file between our open and our lock.
        if let mine = try? FileStatus(of: file), let named = FileStatus(path),
          mine.isSameFile(as: named)
        {
          self.file = file
          return
        }
        try? file.close()
        continue
      }
      let cause = Errno(rawValue: errno)
      try? file.close()
      if cause == .interrupted { continue }
      guard cause == .wouldBlock else { throw .cannotLock(cause) }
      guard let patience, patience() else { throw .held }
      usleep(UInt32(pause * 1000))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  deinit {
    if !keepsFile { unlink(path.string) }
    // Closing drops the lock.
    try? file.close()
  }

  private static func open(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(Failure) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: permissions)
    } catch {
      throw .cannotOpen(error as? Errno ?? .ioError)
    }
  }
}
