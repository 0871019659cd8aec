#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A running SHA-256 (FIPS 180-4).
struct SHA256Hash {
  #if canImport(CryptoKit)
    private var hasher = SHA256()

    init() {}

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hasher.update(bufferPointer: bytes) }

    /// Returns the 32 bytes of the digest.
    func finish() -> [UInt8] { Array(hasher.finalize()) }
  #else
    private var context = SHA256_CTX()

    init() { SHA256_Init(&context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Returns the 32 bytes of the digest.
    func finish() -> [UInt8] {
      var final = context
      return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
        SHA256_Final(digest.baseAddress, &final)
        count = 32
      }
    }
  #endif

  mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The digest in lower-case hexadecimal digits.
  var text: String { Hexadecimal.text(finish()) }

  static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(bytes)
    return hash.finish()
  }
}

/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text is a SHA-256.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
