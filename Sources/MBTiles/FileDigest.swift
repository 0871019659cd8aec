import Crypto
package import SystemPackage

/// The SHA-256 of a whole file, as reports and manifests give it.
package enum FileDigest {
  /// The digest of a file in lower-case hexadecimal digits.
  ///
  /// - Parameter isStopped: whether the run is to end; asked for every mebibyte.
  /// - Throws: ``ArchiveError``, of code `stopped` where the run is to end.
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

  /// The digest of what an open file still gives, from its position to its end.
  ///
  /// - Parameter checkpoint: called for every mebibyte; what it throws ends the reading.
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
