import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("A file on its way to the medium")
struct SettledFileTests {
  @Test("has the digest of its bytes, told as often as it is asked")
  func digest() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: 3_000_000), to: "a")
    let file = SettledFile(path)
    #expect(try file.wait() == FileDigest.sha256(of: path))
    #expect(try file.wait() == FileDigest.sha256(of: path))
  }

  @Test("is an error where it is not there, however often one asks")
  func missing() throws {
    let file = SettledFile(try TemporaryFolder().path.appending("none"))
    for _ in 0..<2 {
      let error = #expect(throws: ArchiveError.self) { _ = try file.wait() }
      #expect(error?.cause as? Errno == .noSuchFileOrDirectory)
    }
  }

  @Test("is given up when the run is to end")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "a")
    let error = #expect(throws: ArchiveError.self) {
      _ = try SettledFile(path, isStopped: { true }).wait()
    }
    #expect(error?.code == .stopped)
  }
}
