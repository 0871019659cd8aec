import Dispatch
import Files
import Synchronization
package import SystemPackage

/// A finished file that is flushed to the medium and hashed with SHA-256, each on its own thread,
/// while others read the file.
///
/// A gigabyte takes a second or more on its way to a disk, while a verification keeps every core
/// busy: started together, they end together.
package final class SettledFile: Sendable {
  private let path: FilePath
  private let failure = Mutex<Errno?>(nil)
  private let digest = Mutex<Result<String, ArchiveError>?>(nil)
  private let group = DispatchGroup()

  /// Starts both. The file must not change any more.
  ///
  /// - Parameter isStopped: whether the run should stop; the digest is then abandoned.
  package init(_ path: FilePath, isStopped: @escaping @Sendable () -> Bool = { false }) {
    self.path = path
    DispatchQueue(label: "quadrille.file.sync").async(group: group) {
      do throws(Errno) {
        try DurableFile.synchronize(path)
      } catch {
        self.failure.withLock { $0 = error }
      }
    }
    DispatchQueue(label: "quadrille.file.digest").async(group: group) {
      let found = Result { () throws(ArchiveError) in
        try FileDigest.sha256(of: path, isStopped: isStopped)
      }
      self.digest.withLock { $0 = found }
    }
  }

  /// Waits for both, and returns the digest in lower-case hexadecimal digits.
  ///
  /// The system reports a failed write only once, so an error thrown here must not be lost: a later
  /// `fsync` of the same file would succeed.
  package func wait() throws(ArchiveError) -> String {
    group.wait()
    if let cause = failure.withLock({ $0 }) {
      throw ArchiveError(cause, doing: "make durable", path: path)
    }
    guard let digest = digest.withLock({ $0 }) else {
      throw ArchiveError(.file(.unreadable(.ioError)), path: path)
    }
    return try digest.get()
  }
}
