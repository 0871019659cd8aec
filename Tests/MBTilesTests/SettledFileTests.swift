import Files
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("A file being flushed and hashed")
struct SettledFileTests {
  @Test("a settled file has the digest of its bytes, however often it is requested")
  func digest() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: 3_000_000), to: "a")
    let file = SettledFile(path)
    #expect(try file.wait() == FileDigest.sha256(of: path))
    #expect(try file.wait() == FileDigest.sha256(of: path))
  }

  @Test("settling a missing file is an error, however often it is requested")
  func missing() throws {
    let file = SettledFile(try TemporaryFolder().path.appending("none"))
    for _ in 0..<2 {
      let error = #expect(throws: ArchiveError.self) { _ = try file.wait() }
      #expect(error?.systemError == .noSuchFileOrDirectory)
    }
  }

  @Test("settling a file is abandoned when the run stops")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "a")
    let error = #expect(throws: ArchiveError.self) {
      _ = try SettledFile(path, isStopped: { true }).wait()
    }
    #expect(error?.code == .stopped)
  }
}
