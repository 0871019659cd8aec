import Platform
package import SystemPackage

/// An exclusive lock on a file; the system releases it when the process ends, however that happens.
/// A suspended process keeps holding it.
package final class FileLock {
  /// The reason why the lock was not acquired.
  package enum Refusal: Error, Hashable, Sendable {
    /// Another process or object holds it, and the patience has run out.
    case held
    /// The lock's file can be neither opened nor created.
    case cannotOpen(Errno)
    /// The file system does not support locks, or refuses this one.
    case cannotLock(Errno)
  }

  private let path: FilePath
  private let file: FileDescriptor
  private let keepsFile: Bool

  /// The first and the longest pause between two attempts at a lock that is held, in milliseconds.
  /// An attempt costs a waiting run some µs, and the holder takes seconds.
  private static let firstPause = 5
  private static let longestPause = 200

  /// Creates the object and acquires the lock.
  ///
  /// - Parameters:
  ///   - path: the path of the lock's file, which is created if it does not exist.
  ///   - permissions: the permissions of the file if it is created.
  ///   - keepsFile: whether the file remains when the lock ends; otherwise it is removed.
  ///   - patience: called before each pause; returns whether to keep waiting. `nil` does not wait.
  package init(
    _ path: FilePath,
    permissions: FilePermissions = DurableFile.publicPermissions,
    keepsFile: Bool = false, patience: (() -> Bool)? = nil
  ) throws(Refusal) {
    self.path = path
    self.keepsFile = keepsFile
    var pause = Self.firstPause
    while true {
      let file = try Self.open(path, permissions)
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 {
        // The previous holder may have removed the file between our open and our lock.
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
    // A child that another thread has started shares the open file until it runs its own program;
    // closing alone would leave the lock to it for as long.
    flock(file.rawValue, LOCK_UN)
    try? file.close()
  }

  private static func open(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(Refusal) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: permissions)
    } catch {
      throw .cannotOpen(error as? Errno ?? .ioError)
    }
  }
}
