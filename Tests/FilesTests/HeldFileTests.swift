import Files
import SystemPackage
import TestSupport
import Testing

@Suite("A held file")
struct HeldFileTests {
  @Test("a held file stays the same when another file takes its name")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(try folder.write("old", to: "a"))
    let held = try HeldFile(path)
    #expect(held.isInPlace && held.path == path)
    try DurableFile.rename(FilePath(try folder.write("newer", to: "b")), to: path)
    #expect(!held.isInPlace)
    #expect(try held.status.size == 3)
    #if os(Linux)
      let digest = try FileDigest(of: FilePath(try folder.write("old", to: "c")))
      #expect(try FileDigest(of: held.address) == digest)
    #endif
  }

  @Test("a file that is not there cannot be held")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try HeldFile(FilePath(folder.path("none")))
    }
  }
}
