import Failures
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import ArchiveDeltas
@testable import MBTiles

@Suite("A file that the system does not give back")
struct UnreadableFileTests {
  #if os(Linux)
    /// A file that can be opened; reading its first byte fails with EIO.
    private static let unreadable: FilePath = "/proc/self/mem"

    @Test("an unreadable archive is a failure of the disk, not a bad archive")
    func archive() {
      let error = #expect(throws: ArchiveError.self) { _ = try ArchiveReader(Self.unreadable) }
      #expect(error?.code == .inputOutput && error?.failureCode.exitStatus == 74)
      #expect(error?.message.contains("/proc/self/mem cannot be read") == true)
    }

    @Test("an unreadable delta is a failure of the disk, not a damaged delta")
    func delta() {
      let error = #expect(throws: ArchiveError.self) { _ = try DeltaReader(Self.unreadable) }
      #expect(error?.code == .inputOutput)
    }

    @Test(
      "a verification distinguishes an unreadable archive from a damaged one",
      arguments: [.full, .publish] as [ArchiveVerifier.Level])
    func verification(level: ArchiveVerifier.Level) {
      let findings = ArchiveVerifier(level: level).verify(Self.unreadable).findings
      #expect(findings.map(\.topic) == [.reading])
    }

    @Test("an archive gets its name only after the files beside that are settled")
    func settled() throws {
      let folder = try TemporaryFolder()
      let error = #expect(throws: ArchiveError.self) {
        try LeftoverJournal.settle(folder.path.appending("a.mbtiles"), for: Self.unreadable)
      }
      #expect(error?.code == .inputOutput)
    }
  #endif

  @Test("a folder is not a SQLite file")
  func folder() {
    let error = #expect(throws: ArchiveError.self) { _ = try ArchiveReader("/") }
    #expect(error?.code == .badArchive)
  }
}

@Suite("Scratch files of killed runs")
struct ScratchFileTests {
  @Test("the next run in a folder removes scratch files of killed runs, not those of running ones")
  func collected() throws {
    let folder = try TemporaryFolder()
    let living = ".a.mbtiles.tmp-1-images"
    let others = [".b.mbtiles.tmp-999999999-images", "a.mbtiles.tmp-999999999-images"]
    let own = ".a.mbtiles.tmp-\(getpid())"
    for name in [".a.mbtiles.tmp-999999999-images", living, own] + others {
      _ = try folder.write([1], to: name)
    }
    _ = try ImageStore(path: folder.path.appending("\(own)-images"))
    #expect(try Set(folder.names()) == Set([living, own] + others))
  }
}
