import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exclusive lock on one entry of the cache; it ends with the object, or with the process.
///
/// The file is kept: removing it would let two holders lock two files with one name.
final class CacheLock {
  private let file: FileDescriptor

  /// Waits until the lock is free in all processes and threads.
  ///
  /// - Throws: ``FetchError/Code/cancelled`` if the run is cancelled meanwhile.
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
    // Closing releases the lock.
    try? file.close()
  }
}
