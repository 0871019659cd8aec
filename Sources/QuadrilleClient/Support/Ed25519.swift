#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// The check of signatures by Ed25519 (RFC 8032).
enum Ed25519 {
  static let keyBytes = 32
  static let signatureBytes = 64

  /// Whether a signature belongs to a message.
  ///
  /// - Parameter key: the 32 raw bytes of the public key.
  static func isValid(
    _ signature: [UInt8], of message: [UInt8], key: [UInt8]
  ) throws(ClientError) -> Bool {
    guard signature.count == signatureBytes, key.count == keyBytes else { return false }
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    #else
      guard let context = EVP_MD_CTX_new() else {
        throw ClientError.cryptography(reason: "libcrypto has no memory")
      }
      defer { EVP_MD_CTX_free(context) }
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count) else {
        throw ClientError.cryptography(reason: "libcrypto has no Ed25519")
      }
      defer { EVP_PKEY_free(key) }
      guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else {
        throw ClientError.cryptography(reason: "libcrypto has no Ed25519")
      }
      return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    #endif
  }
}
