import Files
package import SystemPackage
import Workers

/// A finished file that is flushed to the medium and, if wanted, hashed with SHA-256, each on its own
/// thread, while others read the file.
///
/// A gigabyte takes a second or more on its way to a disk, while a verification keeps every core
/// busy: started together, they end together.
package final class SettledFile: Sendable {
  private let path: FilePath
  private let flush: SideWork<Errno?>
  private let digest: SideWork<Result<String, ArchiveError>>?

  /// Starts both. The file must not change any more.
  ///
  /// - Parameters:
  ///   - isHashing: whether to hash the file; its digest is "" otherwise.
  ///   - isStopped: whether the run should stop; the digest is then abandoned.
  package init(
    _ path: FilePath, isHashing: Bool = true,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.path = path
    flush = SideWork {
      do throws(Errno) {
        try DurableFile.synchronize(path)
        return nil
      } catch {
        return error
      }
    }
    digest =
      isHashing
      ? SideWork {
        Result { () throws(ArchiveError) in
          try FileDigest.sha256(of: path, isStopped: isStopped)
        }
      } : nil
  }

  /// Waits for both, and returns the digest in lower-case hexadecimal digits.
  ///
  /// The system reports a failed write only once, so an error thrown here must not be lost: a later
  /// `fsync` of the same file would succeed.
  package func wait() throws(ArchiveError) -> String {
    let (failure, result) = (flush.wait() ?? .ioError, digest?.wait())
    if let failure { throw ArchiveError(failure, doing: "make durable", path: path) }
    guard digest != nil else { return "" }
    guard let result else { throw ArchiveError(.file(.unreadable(.ioError)), path: path) }
    return try result.get()
  }
}
