import Files
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("The digest of a file")
struct FileDigestTests {
  @Test("the digest of a missing file is an error")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ArchiveError.self) {
      _ = try FileDigest.sha256(of: folder.path.appending("none"))
    }
  }
}
