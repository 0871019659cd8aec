import Hashing
import Testing

/// The published test vectors of the algorithms.
struct HashingTests {
  @Test(
    "SHA-256 gives the digests of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(_ text: String, _ digest: String) {
    #expect(Self.hexadecimal(SHA256.hash(data: Array(text.utf8))) == digest)
  }

  @Test(
    "MD5 gives the digests of RFC 1321",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ])
  func md5(_ text: String, _ digest: String) {
    var hasher = MD5()
    Array(text.utf8).withUnsafeBytes { hasher.update(bufferPointer: $0) }
    let (high, low) = hasher.finalize()
    let bytes = [high, low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
    }
    #expect(Self.hexadecimal(bytes) == digest)
  }

  @Test("an authentication code is that of RFC 4231, case 2")
  func authenticationCode() {
    let code = SHA256.authenticationCode(
      for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      Self.hexadecimal(code)
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("pieces give the digest of the whole, and a copy continues on its own")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var first = SHA256()
    first.update(data: Array(bytes[..<333]))
    var copy = first
    first.update(data: Array(bytes[333...]))
    #expect(first.finalize() == SHA256.hash(data: bytes))
    copy.update(data: [1])
    #expect(copy.finalize() == SHA256.hash(data: Array(bytes[..<333]) + [1]))
    #expect(first.finalize() == SHA256.hash(data: bytes))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
