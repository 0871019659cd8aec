/// A SHA-256 as a plain value, for columns of many.
package struct SHA256Digest: BitwiseCopyable, Hashable, Sendable {
  /// The 32 bytes as they are in memory.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Reads the first 32 bytes of a buffer, which must have them.
  package init(bytes: UnsafeRawBufferPointer) {
    words = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
  }

  /// Creates the digest of bytes.
  ///
  /// - Complexity: O(`bytes.count`).
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    self = hash.finalize().withUnsafeBytes { SHA256Digest(bytes: $0) }
  }

  /// Calls `body` with the 32 bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try withUnsafeBytes(of: words, body)
  }

  package static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
    left.words == right.words
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
