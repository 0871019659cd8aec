import Crypto
package import SystemPackage

/// The SHA-256 of a whole file, as in reports and manifests.
package enum FileDigest {
  /// Returns the digest of a file in lower-case hexadecimal digits.
  ///
  /// - Parameter isStopped: whether the run should stop; called for every mebibyte.
  /// - Throws: ``ArchiveError``, with the code `stopped` when the run is stopped.
  /// - Complexity: O(bytes of the file), read once in pieces of a mebibyte.
  package static func sha256(
    of path: FilePath, isStopped: () -> Bool = { false }
  ) throws(ArchiveError) -> String {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      defer { try? file.close() }
      return try sha256(of: file) {
        guard isStopped() else { return }
        throw ArchiveError(.stopped, "reading \(path) was stopped.", path: path)
      }
    } catch {
      if let error = error as? ArchiveError { throw error }
      throw ArchiveError(error as? Errno ?? .ioError, doing: "read", path: path)
    }
  }

  /// Returns the digest of the rest of an open file, from its position to its end.
  ///
  /// - Parameter checkpoint: called for every mebibyte; an error that it throws ends the reading.
  /// - Throws: `Errno`, and what `checkpoint` throws.
  package static func sha256(
    of file: FileDescriptor, checkpoint: () throws -> Void = {}
  ) throws -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var hasher = SHA256()
    while case let count = try file.read(into: buffer), count > 0 {
      try checkpoint()
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return lowercaseHexadecimal(hasher.finalize())
  }
}
