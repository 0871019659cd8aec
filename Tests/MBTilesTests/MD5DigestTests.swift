import TestSupport
import Testing

@testable import MBTiles

@Suite("An MD5 digest")
struct MD5DigestTests {
  @Test(
    "an MD5 digest is that of RFC 1321, in upper case",
    arguments: [
      ("", "D41D8CD98F00B204E9800998ECF8427E"),
      ("abc", "900150983CD24FB0D6963F7D28E17F72"),
      ("message digest", "F96B697D7CB7938D525A2F31AAF161D0"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57EDF4A22BE3C955AC49DA2E2107B67A"
      ),
    ])
  func vectors(text: String, expected: String) {
    let digest = Array(text.utf8).withUnsafeBytes { MD5Digest(of: $0) }
    #expect(digest.description == expected)
  }

  @Test("an MD5 digest is parsed from its digits")
  func inverse() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<1000 {
      let digest = MD5Digest(high: random.next(), low: random.next() >> random.next() % 64)
      let text = Array(digest.description.utf8)
      #expect(text.withUnsafeBytes { MD5Digest(hexadecimal: $0) } == digest)
    }
  }

  @Test("an MD5 digest's digits equal those of its text")
  func digits() {
    for byte in 0..<UInt64(256) {
      let digest = MD5Digest(high: byte &* 0x0101_0101_0101_0101, low: byte << 56 | byte)
      let pair = String(byte, radix: 16, uppercase: true)
      let digits = byte < 16 ? "0" + pair : pair
      let low = digits + String(repeating: "0", count: 12) + digits
      #expect(digest.description == String(repeating: digits, count: 8) + low)
    }
  }

  @Test(
    "an MD5 digest is not parsed from anything else",
    arguments: [
      "", "d41d8cd98f00b204e9800998ecf8427e", "D41D8CD98F00B204E9800998ECF8427",
      "D41D8CD98F00B204E9800998ECF8427E0", "G41D8CD98F00B204E9800998ECF8427E",
      "D41D8CD98F00B204 9800998ECF8427E",
    ])
  func refused(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { MD5Digest(hexadecimal: $0) } == nil)
  }
}
