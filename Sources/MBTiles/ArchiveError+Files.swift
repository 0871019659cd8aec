package import Failures
package import Files
package import SystemPackage

// Converts the failures of files to errors of an archive.

extension ArchiveError {
  package init(_ error: FileError) {
    self.init(error.cause, doing: error.action, path: error.path)
  }
}

extension FileError: Failure {
  package var failureCode: FailureCode { ArchiveError(self).failureCode }

  package var sentence: String { ArchiveError(self).message }
}

extension FileLock {
  /// Creates the lock of an archive, or of the output made in its place, and acquires it.
  ///
  /// - Parameters:
  ///   - archive: the archive that the error names.
  ///   - patience: called before each pause; returns whether to keep waiting. `nil` does not wait.
  /// - Throws: ``ArchiveError/Code/locked`` if another process holds it and the patience has run
  ///   out; `cannotCreate` or `permission` if the folder accepts no file.
  package convenience init(
    path: FilePath, archive: FilePath, patience: (() -> Bool)? = nil
  ) throws(ArchiveError) {
    do throws(Refusal) {
      try self.init(path, patience: patience)
    } catch {
      throw ArchiveError(error, path: path, archive: archive)
    }
  }
}

extension ArchiveError {
  fileprivate init(_ refusal: FileLock.Refusal, path: FilePath, archive: FilePath) {
    switch refusal {
    case .held:
      self.init(
        .locked, "another run is building \(archive). Wait for it to end.", path: archive,
        cause: Errno.wouldBlock)
    case .cannotLock(let cause): self.init(cause, doing: "lock", path: path)
    case .cannotOpen(let cause):
      let folder = DurableFile.folder(of: path)
      switch cause {
      case .noSuchFileOrDirectory:
        self.init(
          .cannotCreate,
          "cannot create \(archive): there is no folder \(folder). Create the folder or choose "
            + "another one with --output.", path: archive, cause: cause)
      case .readOnlyFileSystem:
        self.init(
          .cannotCreate,
          "cannot create \(archive): the folder \(folder) is on a read-only file system. Choose "
            + "another one with --output.", path: archive, cause: cause)
      case .permissionDenied, .notPermitted:
        self.init(
          .permission,
          "cannot create \(archive): no permission to write to the folder \(folder). Make it "
            + "writable or choose another one with --output.", path: archive, cause: cause)
      default: self.init(cause, doing: "create", path: path)
      }
    }
  }
}

extension FileDigest {
  /// Returns the SHA-256 of a file in lower-case hexadecimal digits.
  ///
  /// - Parameter isStopped: whether the run is to end; called for every mebibyte.
  /// - Throws: ``ArchiveError``, with code `stopped` if the run is to end.
  /// - Complexity: O(bytes of the file).
  package static func sha256(
    of path: FilePath, isStopped: () -> Bool = { false }
  ) throws(ArchiveError) -> String {
    do {
      let digest = try FileDigest(of: path) {
        guard isStopped() else { return }
        throw ArchiveError(.stopped, "reading \(path) was stopped.", path: path)
      }
      return digest.sha256
    } catch {
      if let error = error as? ArchiveError { throw error }
      throw ArchiveError(error as? Errno ?? .ioError, doing: "read", path: path)
    }
  }
}
