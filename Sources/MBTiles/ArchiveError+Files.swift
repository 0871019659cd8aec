package import Files
package import SystemPackage

// The failures of files as errors of an archive.

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
    case .held: self.init(.file(.locked), path: archive)
    case .cannotLock(let cause): self.init(cause, doing: "lock", path: path)
    case .cannotOpen(let cause):
      switch cause {
      case .noSuchFileOrDirectory, .readOnlyFileSystem, .permissionDenied, .notPermitted:
        self.init(.file(.closedFolder(DurableFile.folder(of: path), cause)), path: archive)
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
        throw ArchiveError(.stopped(while: "reading"), path: path)
      }
      return digest.sha256
    } catch {
      if let error = error as? ArchiveError { throw error }
      throw ArchiveError(error as? Errno ?? .ioError, doing: "read", path: path)
    }
  }
}
