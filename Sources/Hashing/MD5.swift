#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A running MD5 (RFC 1321), which names images in archives and resists accidents, not forgery.
package struct MD5: @unchecked Sendable {
  /// The digest as two big-endian halves: its first and its last eight bytes.
  package typealias Halves = (high: UInt64, low: UInt64)

  #if canImport(CryptoKit)
    private var hasher = Insecure.MD5()

    package init() {}

    /// Appends bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      hasher.update(bufferPointer: bytes)
    }

    /// Returns the digest of all bytes so far; the state stays usable.
    package func finalize() -> Halves { hasher.finalize().withUnsafeBytes { Self.halves($0) } }
  #else
    private var context = MD5_CTX()

    package init() { MD5_Init(&context) }

    /// Appends bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      MD5_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Returns the digest of all bytes so far; the state stays usable.
    package func finalize() -> Halves {
      var final = context
      return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { digest in
        MD5_Final(digest.baseAddress, &final)
        return Self.halves(UnsafeRawBufferPointer(digest))
      }
    }
  #endif

  private static func halves(_ digest: UnsafeRawBufferPointer) -> Halves {
    (
      UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }
}
