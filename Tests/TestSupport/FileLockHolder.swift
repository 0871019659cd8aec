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

/// Shares the open files of a path as a child does that is forked before they are closed.
package final class ForkedDescriptors {
  private var copies: [Int32] = []

  /// - Parameter path: of a file that this process has open.
  package init(of path: String) {
    var named = stat()
    guard stat(path, &named) == 0 else { return }
    let limit = Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 1 << 16))
    // All are found before the first is copied, since a copy is found too.
    let open = (0..<limit).filter { descriptor in
      var held = stat()
      return fstat(descriptor, &held) == 0 && held.st_dev == named.st_dev
        && held.st_ino == named.st_ino
    }
    copies = open.map { dup($0) }
  }

  /// The number of open files that are shared.
  package var count: Int { copies.count }

  deinit {
    for copy in copies { close(copy) }
  }
}
