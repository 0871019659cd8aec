import Crypto
package import SystemPackage

/// The SHA-256 of a whole file, as reports and manifests give it.
package enum FileDigest {
  /// The digest of a file in lower-case hexadecimal digits.
  ///
  /// - Complexity: O(bytes of the file), read once in pieces of a mebibyte.
  package static func sha256(of path: FilePath) throws(ArchiveError) -> String {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      defer { try? file.close() }
      return try sha256(of: file)
    } catch {
      throw ArchiveError(error as? Errno ?? .ioError, doing: "read", path: path)
    }
  }

  /// The digest of what an open file still gives, from its position to its end.
  ///
  /// - Throws: `Errno`.
  package static func sha256(of file: FileDescriptor) throws -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var hasher = SHA256()
    while case let count = try file.read(into: buffer), count > 0 {
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return lowercaseHexadecimal(hasher.finalize())
  }
}
