import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("The digest of a file")
struct FileDigestTests {
  @Test(
    "is FIPS 180-4's, over as many pieces as there are",
    arguments: [
      (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
      (3_000_000, "2a152c894398719c0570f83fac34ac03a0f6e8e474b995c2403aa5434f7b9dd4"),
    ])
  func vectors(count: Int, expected: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: UInt8(ascii: "a"), count: count), to: "a")
    #expect(try FileDigest.sha256(of: path) == expected)
  }

  @Test("needs a file")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ArchiveError.self) {
      _ = try FileDigest.sha256(of: folder.path.appending("none"))
    }
  }
}
