import Hashing
package import SystemPackage

/// The SHA-256 of a whole file, as reports and manifests give it.
package struct FileDigest: Hashable, Sendable {
  /// The digest in lower-case hexadecimal digits.
  package let sha256: String

  /// The number of bytes read.
  package let bytes: Int64

  /// Creates the digest of the rest of an open file, from its position to its end.
  ///
  /// - Parameter checkpoint: called for every mebibyte; an error that it throws ends the reading.
  /// - Throws: `Errno`, and what `checkpoint` throws.
  /// - Complexity: O(bytes of the file), read once in pieces of a mebibyte.
  package init(of file: FileDescriptor, checkpoint: () throws -> Void = {}) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var hasher = SHA256()
    var bytes: Int64 = 0
    while case let count = try file.read(into: buffer), count > 0 {
      try checkpoint()
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      bytes += Int64(count)
    }
    sha256 = Hexadecimal.text(hasher.finalize())
    self.bytes = bytes
  }

  /// Creates the digest of a file.
  ///
  /// - Throws: `Errno`, and what `checkpoint` throws.
  package init(of path: FilePath, checkpoint: () throws -> Void = {}) throws {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    try self.init(of: file, checkpoint: checkpoint)
  }
}
