#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A running SHA-256 (FIPS 180-4).
///
/// A value: a copy continues on its own.
package struct SHA256: @unchecked Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  #if canImport(CryptoKit)
    private var hasher = CryptoKit.SHA256()

    package init() {}

    /// Appends bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      hasher.update(bufferPointer: bytes)
    }

    /// Returns the digest of all bytes so far; the state stays usable.
    package func finalize() -> [UInt8] { Array(hasher.finalize()) }
  #else
    private var context = SHA256_CTX()

    package init() { SHA256_Init(&context) }

    /// Appends bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Returns the digest of all bytes so far; the state stays usable.
    package func finalize() -> [UInt8] {
      var final = context
      return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
        SHA256_Final(digest.baseAddress, &final)
        count = Self.byteCount
      }
    }
  #endif

  /// Appends bytes.
  package mutating func update(data bytes: some Collection<UInt8>) {
    let isAppended: Void? = bytes.withContiguousStorageIfAvailable {
      update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if isAppended == nil { Array(bytes).withUnsafeBytes { update(bufferPointer: $0) } }
  }

  /// Returns the digest of bytes.
  ///
  /// - Complexity: O(`bytes.count`).
  package static func hash(data bytes: some Collection<UInt8>) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(data: bytes)
    return hasher.finalize()
  }

  /// Returns the code of bytes that shows the knowledge of a key (HMAC, RFC 2104).
  package static func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(
        HMAC<CryptoKit.SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    #else
      return [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
        _ = HMAC(
          EVP_sha256(), key, Int32(key.count), bytes, bytes.count, code.baseAddress, nil)
        count = byteCount
      }
    #endif
  }
}
