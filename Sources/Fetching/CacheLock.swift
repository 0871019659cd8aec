import Platform
import SystemPackage

/// The right to change one entry of the cache; it ends with the object, or with the process.
///
/// The file stays: removing it would let two holders lock two files of one name.
final class CacheLock {
  private let file: FileDescriptor

  /// Waits until no other process and no other thread holds the lock.
  ///
  /// - Throws: ``FetchError/Code/cancelled`` if the run ends meanwhile.
  init(_ path: FilePath, uri: String, _ surroundings: FetchSurroundings) throws(FetchError) {
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: DurableFile.permissions)
    } catch {
      throw DurableFile.failure("lock", path, error as? Errno)
    }
    while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
      let cause = Errno(rawValue: errno)
      guard cause == .wouldBlock || cause == .interrupted else {
        try? file.close()
        throw DurableFile.failure("lock", path, cause)
      }
      if surroundings.isCancelled() {
        try? file.close()
        throw FetchError(.cancelled, uri: uri, "the run was ended.")
      }
      WallClock.wait(.milliseconds(50), unless: surroundings.isCancelled)
    }
  }

  deinit {
    // Closing drops the lock.
    try? file.close()
  }
}
