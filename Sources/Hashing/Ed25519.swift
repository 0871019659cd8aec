#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Signatures by Ed25519 (RFC 8032), which the system's library computes.
package enum Ed25519 {
  /// The number of bytes of a public key, and of the seed of a private one.
  package static let keyByteCount = 32

  /// The number of bytes of a signature.
  package static let signatureByteCount = 64

  /// The system's library lacks the algorithm, as an old LibreSSL or a FIPS configuration of
  /// OpenSSL does.
  package struct Unavailable: Error {
    package init() {}

    package var description: String {
      "the system's libcrypto has no Ed25519, which signatures need. Install OpenSSL 1.1.1 or newer."
    }
  }

  /// A key that verifies signatures.
  package struct PublicKey: Hashable, Sendable {
    /// The 32 bytes of the key.
    package let bytes: [UInt8]

    /// - Returns: `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
      guard bytes.count == keyByteCount else { return nil }
      self.bytes = bytes
    }

    /// The name of the key in signed files: the first eight bytes of its SHA-256, as lower-case
    /// hexadecimal digits.
    package var id: String {
      SHA256.hash(data: bytes).prefix(8).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }

    /// Whether a signature of a message was made with the private half of the key.
    ///
    /// - Complexity: O(`message.count`).
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
      guard signature.count == signatureByteCount else { return false }
      return verify(signature, message)
    }
  }

  /// A key that makes signatures. Its description shows only the public half.
  package struct SigningKey: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
  {
    /// The 32 bytes from which the key is derived: the secret.
    package let seed: [UInt8]

    /// The key that verifies its signatures.
    package let publicKey: PublicKey

    package var description: String { "key \(publicKey.id)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey.id]) }
  }
}

extension Ed25519.SigningKey {
  /// Creates a key from the system's source of random bytes.
  package static func random() throws(Ed25519.Unavailable) -> Self {
    var generator = SystemRandomNumberGenerator()
    let seed = (0..<Ed25519.keyByteCount).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    guard let key = try Ed25519.SigningKey(seed: seed) else { throw Ed25519.Unavailable() }
    return key
  }
}

#if canImport(CryptoKit)
  extension Ed25519.SigningKey {
    /// - Returns: `nil` unless there are 32 bytes.
    package init?(seed: [UInt8]) throws(Ed25519.Unavailable) {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
        let publicKey = Ed25519.PublicKey(bytes: Array(key.publicKey.rawRepresentation))
      else { return nil }
      (self.seed, self.publicKey) = (seed, publicKey)
    }

    /// Returns the signature of a message. CryptoKit's signatures of one message differ; all are
    /// valid.
    ///
    /// - Complexity: O(`message.count`).
    package func signature(of message: [UInt8]) throws(Ed25519.Unavailable) -> [UInt8] {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
        let signature = try? key.signature(for: message)
      else { throw Ed25519.Unavailable() }
      return Array(signature)
    }
  }

  extension Ed25519.PublicKey {
    private func verify(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
      (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes))?
        .isValidSignature(signature, for: message) ?? false
    }
  }
#else
  extension Ed25519.SigningKey {
    /// - Returns: `nil` unless there are 32 bytes.
    package init?(seed: [UInt8]) throws(Ed25519.Unavailable) {
      guard seed.count == Ed25519.keyByteCount else { return nil }
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
        throw Ed25519.Unavailable()
      }
      defer { EVP_PKEY_free(key) }
      var count = Ed25519.keyByteCount
      var bytes = [UInt8](repeating: 0, count: count)
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1,
        let publicKey = Ed25519.PublicKey(bytes: bytes)
      else { throw Ed25519.Unavailable() }
      (self.seed, self.publicKey) = (seed, publicKey)
    }

    /// Returns the signature of a message; equal messages have equal ones.
    ///
    /// - Complexity: O(`message.count`).
    package func signature(of message: [UInt8]) throws(Ed25519.Unavailable) -> [UInt8] {
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
        throw Ed25519.Unavailable()
      }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { throw Ed25519.Unavailable() }
      defer { EVP_MD_CTX_free(context) }
      var count = Ed25519.signatureByteCount
      var signature = [UInt8](repeating: 0, count: count)
      guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
        count == Ed25519.signatureByteCount
      else { throw Ed25519.Unavailable() }
      return signature
    }
  }

  extension Ed25519.PublicKey {
    private func verify(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else {
        return false
      }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { return false }
      defer { EVP_MD_CTX_free(context) }
      return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
  }
#endif
