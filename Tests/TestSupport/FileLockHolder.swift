import Platform

/// Holds the lock of an archive as another run would.
package final class FileLockHolder {
  private var file: Int32

  /// - Throws: where the lock cannot be had.
  package init(_ path: String) throws {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
      throw SampleFailure(message: "\(path) cannot be locked")
    }
  }

  package func release() {
    guard file >= 0 else { return }
    // A child that another thread has started may share the open file for a moment.
    flock(file, LOCK_UN)
    close(file)
    file = -1
  }

  deinit {
    release()
  }
}
