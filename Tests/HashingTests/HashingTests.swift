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

  @Test(
    "Ed25519 gives the keys and signatures of RFC 8032",
    arguments: [
      (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", [UInt8](),
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9"
          + "b46bd25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", [0x72],
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f1"
          + "1d8c387b2eaeb4302aeeb00d291612bb0c00"
      ),
    ])
  func ed25519(seed: String, publicKey: String, message: [UInt8], signature: String) throws {
    let key = try #require(try Ed25519.SigningKey(seed: Self.bytes(seed)))
    #expect(Self.hexadecimal(key.publicKey.bytes) == publicKey)
    let expected = Self.bytes(signature)
    #if !canImport(CryptoKit)
      #expect(try key.signature(of: message) == expected)
    #endif
    #expect(try key.publicKey.isValid(key.signature(of: message), of: message))
    #expect(key.publicKey.isValid(expected, of: message))
    #expect(!key.publicKey.isValid(expected, of: message + [0]))
    for place in [0, 31, 32, 63] {
      var damaged = expected
      damaged[place] ^= 1
      #expect(!key.publicKey.isValid(damaged, of: message))
    }
    #expect(!key.publicKey.isValid(Array(expected.dropLast()), of: message))
  }

  @Test("a signing key shows its public half only, and random ones differ")
  func signingKey() throws {
    let key = try Ed25519.SigningKey.random()
    #expect(try key != Ed25519.SigningKey.random())
    #expect("\(key)" == "key \(key.publicKey.id)" && key.publicKey.id.count == 16)
    #expect(String(reflecting: key) == "\(key)")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("\(key.seed[0])\n") && dumped.contains(key.publicKey.id), "\(dumped)")
    #expect(try Ed25519.SigningKey(seed: [1, 2, 3]) == nil)
    #expect(Ed25519.PublicKey(bytes: []) == nil)
    #expect(
      Ed25519.PublicKey(
        bytes: Self.bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))?.id
        == "21fe31dfa154a261")
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
