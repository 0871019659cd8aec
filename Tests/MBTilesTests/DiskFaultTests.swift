import Failures
import SystemPackage
import Testing

@testable import MBTiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A file that the system does not give back")
struct UnreadableFileTests {
  #if os(Linux)
    /// A file that can be opened; reading its first byte fails with EIO.
    private static let unreadable: FilePath = "/proc/self/mem"

    @Test("is a failure of the disk and not a bad archive")
    func archive() {
      let error = #expect(throws: ArchiveError.self) { _ = try ArchiveReader(Self.unreadable) }
      #expect(error?.code == .inputOutput && error?.failureCode.exitStatus == 74)
      #expect(error?.message.contains("/proc/self/mem cannot be read") == true)
    }

    @Test("is a failure of the disk and not a damaged delta")
    func delta() {
      let error = #expect(throws: ArchiveError.self) { _ = try DeltaReader(Self.unreadable) }
      #expect(error?.code == .inputOutput)
    }

    @Test(
      "is told apart from a damaged one by a verification",
      arguments: [.full, .publish] as [ArchiveVerifier.Level])
    func verification(level: ArchiveVerifier.Level) {
      let findings = ArchiveVerifier(level: level).verify(Self.unreadable).findings
      #expect(findings.map(\.topic) == [.reading])
    }

    @Test("does not take a name before what lies beside that is settled")
    func settled() throws {
      let folder = TemporaryFolder()
      let error = #expect(throws: ArchiveError.self) {
        try LeftLog.settle(folder.path.appending("a.mbtiles"), for: Self.unreadable)
      }
      #expect(error?.code == .inputOutput)
    }
  #endif

  @Test("is no SQLite file where it is a folder")
  func folder() {
    let error = #expect(throws: ArchiveError.self) { _ = try ArchiveReader("/") }
    #expect(error?.code == .badArchive)
  }
}

@Suite("Scratch files of dead runs")
struct ScratchFileTests {
  @Test("go when the next run makes its own in the same folder; those of others that run stay")
  func collected() throws {
    let folder = TemporaryFolder()
    let living = ".a.mbtiles.tmp-1-images"
    let others = [".b.mbtiles.tmp-999999999-images", "a.mbtiles.tmp-999999999-images"]
    let own = ".a.mbtiles.tmp-\(getpid())"
    for name in [".a.mbtiles.tmp-999999999-images", living, own] + others {
      _ = try folder.write([1], to: name)
    }
    _ = try ImageStore(path: folder.path.appending("\(own)-images"))
    #expect(Set(folder.names) == Set([living, own] + others))
  }
}

@Suite("Two names that are exchanged")
struct ExchangeTests {
  @Test("lead to each other's files and folders, or stay where the system cannot")
  func exchanged() throws {
    let folder = TemporaryFolder()
    let (one, other) = (folder.path.appending("one"), folder.path.appending("other"))
    #expect(mkdir(one.string, 0o755) == 0)
    _ = try folder.write([1], to: "one/a")
    _ = try folder.write([2], to: "other")
    let isExchanged = try DurableFile.exchange(one, with: other)
    #expect(FileStatus(other.appending("a")) != nil || !isExchanged)
    #expect(FileStatus(one.appending("a")) != nil || isExchanged)
    #if os(Linux)
      #expect(isExchanged)
    #endif
  }

  @Test("are both there, or it is an error")
  func missing() throws {
    let folder = TemporaryFolder()
    let one = try folder.write([1], to: "one")
    #expect(throws: Errno.noSuchFileOrDirectory) {
      _ = try DurableFile.exchange(one, with: folder.path.appending("other"))
    }
    #expect(try contents(of: one) == [1])
  }
}
