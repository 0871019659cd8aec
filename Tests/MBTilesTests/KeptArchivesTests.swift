import Failures
import Files
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("Archives that are kept")
struct KeptArchivesTests {
  @Test(
    "kept archives are the last ones in order, each with its report, and older ones are removed")
  func rotation() throws {
    let place = try Place()
    for version in 1...6 as ClosedRange<UInt8> {
      try place.publish(version, keeping: 3)
      #expect(try place.state == (0...3).compactMap { version > $0 ? version - $0 : nil })
      #expect(try place.reports == place.state)
      #expect(try place.versions(of: 1) == place.state)
    }
    #expect(try place.folder.names().count == 12)
  }

  @Test(
    "the number of kept archives is the pipeline's; without one none is touched",
    arguments: [(0, [9, 4, 3, 2, 1]), (1, [9, 4]), (3, [9, 4, 3, 2]), (9, [9, 4, 3, 2, 1])]
      as [(Int, [UInt8])])
  func count(keeping: Int, state: [UInt8]) throws {
    let place = try Place()
    for version in 1...4 as ClosedRange<UInt8> { try place.publish(version, keeping: 5) }
    // What 0 leaves alone is what was kept before; the archive of version 4 itself is not kept.
    try place.publish(9, keeping: keeping)
    #expect(try place.state == (keeping == 0 ? [9, 3, 2, 1] : state))
  }

  @Test("a kept report that cannot be removed ends the run before anything is replaced")
  func stuckReport() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 1) }
    let kept = "\(place.report).1"
    unlink(kept)
    // A folder in its place cannot be unlinked.
    mkdir(kept, 0o755)
    #expect(throws: ArchiveError.self) { try place.publish(3, keeping: 1) }
    #expect(try contents(of: place.archive) == [2])
  }

  @Test("a newly kept archive fills a gap in the numbers and leaves older ones as they are")
  func gap() throws {
    let place = try Place()
    for version in 1...4 as ClosedRange<UInt8> { try place.publish(version, keeping: 4) }
    unlink(place.archive.string + ".2")
    try place.publish(5, keeping: 4)
    #expect(try contents(of: place.kept(1)) == [4])
    #expect(try contents(of: place.kept(2)) == [3])
    #expect(try contents(of: place.kept(3)) == [1])
  }

  @Test(
    "kept archives and the archive are whole if any step fails; the next run leaves no duplicates",
    arguments: ArchivePublication.Step.allCases)
  func failure(step: ArchivePublication.Step) throws {
    let place = try Place()
    for version in 1...3 as ClosedRange<UInt8> { try place.publish(version, keeping: 2) }
    for (cause, code) in [(Errno.ioError, 74), (.noSpace, 74), (.improperLink, 74)] {
      let error = #expect(throws: ArchiveError.self) {
        try place.publish(4, keeping: 2, failing: (step, cause))
      }
      #expect(error?.failureCode.exitStatus == Int32(code))
      let isOver = step == .synchronizeFolder
      #expect(try contents(of: place.archive) == [isOver ? 4 : 3])
      #expect(error?.message.contains("is in place") == isOver, "\(error?.message ?? "")")
      #expect(try !place.folder.names().contains { $0.contains("tmp") || $0.contains("lock") })
      if isOver { return }
    }
    try place.publish(4, keeping: 2)
    #expect(try place.state == [4, 3, 2])
  }

  @Test("an outdated companion, which a killed build leaves, is not kept")
  func outdated() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    try DurableFile.write([1], to: place.report)
    try place.publish(3, keeping: 3, outdated: [place.report])
    #expect(try place.state == [3, 2, 1])
    // That of version 2 was never written.
    #expect(try place.reports == [3, 1])
    #expect(FileStatus(FilePath("\(place.report).1")) == nil)
    #expect(try place.versions(of: 1) == [3, 2, 1])
  }

  @Test(
    "companions follow their kept archives in the next run if one was killed in between",
    arguments: [0, 1, 2])
  func deadBetween(moved: Int) throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    // As it is while names move on.
    try DurableFile.rename(place.kept(1), to: place.kept(2))
    for companion in [place.report, place.tiles].prefix(moved) {
      try DurableFile.rename(FilePath("\(companion).1"), to: FilePath("\(companion).2"))
    }
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try contents(of: place.kept(2)) == [1])
    #expect(try place.reports == [2, 1] && place.versions(of: 1) == [2, 1])
  }

  @Test("a file whose name only resembles a kept archive is ignored")
  func strangers() throws {
    let place = try Place()
    try place.publish(1, keeping: 1)
    let strangers = ["a.mbtiles.01", "a.mbtiles.0", "a.mbtiles.1x", "a.mbtiles.-1", "a.mbtiles."]
    for name in strangers { _ = try place.folder.write([0], to: name) }
    try place.publish(2, keeping: 1)
    #expect(place.publicationKept.all.map(\.string) == ["\(place.archive).1"])
    #expect(try Set(strangers).isSubset(of: place.folder.names()))
  }

  @Test("kept archives are unchanged when a build makes the bytes already in place")
  func sameBytes() throws {
    let place = try Place()
    for version in [1, 2, 2, 2] as [UInt8] { try place.publish(version, keeping: 2) }
    #expect(try place.state == [2, 1])
    #expect(try place.reports == [2, 1])
    try place.restore()
    #expect(try place.state == [1])
  }

  @Test("kept archives can be copies if the file system has no hard links")
  func copies() throws {
    let place = try Place()
    try place.publish(1, keeping: 2)
    let copy = FilePath("\(place.archive).1")
    try DurableFile.copy(place.archive, to: copy)
    #expect(try contents(of: copy) == [1])
    // A run that died after the copy: the next one does not keep the same archive twice.
    #expect(try place.publicationKept.earlier() == [])
    try place.publish(2, keeping: 2)
    #expect(try place.state == [2, 1])
  }
}

@Suite("A rollback")
struct ArchiveRollbackTests {
  @Test("a rollback restores the last archive, twice the one before it, and holds publications")
  func twice() throws {
    let place = try Place()
    for version in 1...3 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    for version in [2, 1] as [UInt8] {
      try place.restore()
      #expect(try contents(of: place.archive) == [version])
      #expect(try contents(of: place.report) == [version])
      #expect(try contents(of: FilePath("\(place.archive).bad")) == [version + 1])
      #expect(try contents(of: FilePath("\(place.report).bad")) == [version + 1])
      #expect(try contents(of: place.tiles) == [version])
      #expect(try contents(of: FilePath("\(place.tiles).bad")) == [version + 1])
      #expect(try ArchivePublication(place.archive).isHeld)
    }
    #expect(try place.publicationKept.earlier() == [])
    try place.publish(4, keeping: 3)
    #expect(try !ArchivePublication(place.archive).isHeld)
    #expect(try place.state == [4, 1])
    #expect(try !place.folder.names().contains { $0.contains("bad") })
  }

  @Test(
    "a rollback that fails at any step leaves a whole archive and can be repeated",
    arguments: ArchivePublication.Step.allCases)
  func failure(step: ArchivePublication.Step) throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    // Nothing is released by a rollback.
    guard step != .release else { return }
    let error = #expect(throws: ArchiveError.self) { try place.restore(failing: (step, .ioError)) }
    #expect(error?.code == .inputOutput)
    if step == .synchronizeFolder {
      #expect(try contents(of: place.archive) == [1])
      return
    }
    #expect(try contents(of: place.archive) == [2])
    #expect(try !ArchivePublication(place.archive).isHeld)
    try place.restore()
    #expect(try contents(of: place.archive) == [1])
  }

  @Test(
    "a rollback leaves no temporary file if a companion is one file with that of the kept archive")
  func sharedCompanion() throws {
    let place = try Place()
    for version in 1...3 as ClosedRange<UInt8> {
      try place.publish(version, keeping: 1)
      // What stays the same is not written again, so its second names are of one file.
      if version > 1 { try DurableFile.duplicate(FilePath("\(place.tiles).1"), as: place.tiles) }
    }
    try place.restore()
    #expect(try contents(of: place.archive) == [2])
    #expect(try !place.folder.names().contains { $0.hasSuffix(".0") })
    try DurableFile.write([7], to: place.tiles)
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try contents(of: place.tiles) == [7])
  }

  @Test("a rollback killed before it restored the companions is completed by the next run")
  func deadRun() throws {
    let place = try Place()
    for version in 1...3 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    try place.restore()
    // As it was behind the archive's renaming.
    for companion in [place.report, place.tiles] {
      try DurableFile.rename(companion, to: FilePath("\(companion).0"))
      try DurableFile.write([3], to: companion)
    }
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try place.state == [2, 1])
    #expect(try place.reports == [2, 1] && place.versions(of: 1) == [2, 1])
  }

  @Test(
    "a rollback of a missing archive, killed before it restored the companions, is completed too",
    arguments: [0, 1, 2])
  func deadRunOfLost(returned: Int) throws {
    let place = try Place()
    for version in 1...3 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    let companions = [place.report, place.tiles]
    for path in [place.archive] + companions { unlink(path.string) }
    try place.restore()
    // As it was before so many were back.
    for companion in companions.dropLast(returned) {
      try DurableFile.rename(companion, to: FilePath("\(companion).0"))
    }
    _ = try ArchivePublication(place.archive, companions: companions)
    #expect(try place.state == [2, 1])
    #expect(try place.reports == [2, 1] && place.versions(of: 1) == [2, 1])
    #expect(try place.folder.names().count == 6)
  }

  @Test(
    "a rollback killed before the archive's renaming is undone by the next run",
    arguments: [false, true], [false, true])
  func deadBefore(isLost: Bool, wasHeld: Bool) throws {
    let place = try Place()
    for version in 1...(wasHeld ? 4 : 3) as ClosedRange<UInt8> {
      try place.publish(version, keeping: 3)
    }
    // An archive that was set aside earlier does not make this rollback one that got further.
    if wasHeld { try place.restore() }
    if isLost {
      for path in [place.archive, place.report, place.tiles] { unlink(path.string) }
    }
    let kept = place.publicationKept
    let newest = try #require(kept.all.first)
    for (companion, other) in zip(kept.companions, kept.companions(of: newest)) {
      try DurableFile.rename(other, to: FilePath("\(companion).0"))
    }
    if !isLost { try DurableFile.duplicate(place.archive, as: FilePath("\(place.archive).bad")) }
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    let versions: [UInt8] = isLost ? [2, 1] : [3, 2, 1]
    #expect(try place.state == versions)
    #expect(try place.reports == versions && place.versions(of: 1) == versions)
    // The hold of an archive that is gone stays.
    #expect(try place.folder.names().contains { $0.contains("bad") } == (isLost && wasHeld))
    try place.restore()
    #expect(try place.state == Array(versions.dropFirst(isLost ? 0 : 1)))
    #expect(try place.reports == place.state && place.versions(of: 1) == place.state)
  }

  @Test("a rollback killed before the archive's renaming restores what the kept archive lacks")
  func deadWithout() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    unlink("\(place.tiles).1")
    for path in [place.archive, place.report, place.tiles] {
      try DurableFile.duplicate(path, as: FilePath("\(path).bad"))
    }
    try DurableFile.rename(
      FilePath("\(place.report).1"), to: FilePath("\(place.report).0"))
    unlink(place.tiles.string)
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try contents(of: place.archive) == [2])
    #expect(try contents(of: place.report) == [2] && contents(of: place.tiles) == [2])
    #expect(try !place.folder.names().contains { $0.contains("bad") || $0.hasSuffix(".0") })
  }

  @Test("a rollback does not take a companion of a removed archive for that of the restored one")
  func removed() throws {
    let place = try Place()
    for version in 1...4 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    unlink("\(place.archive).1")
    try place.restore()
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try contents(of: place.archive) == [2])
    #expect(try contents(of: place.report) == [2] && contents(of: place.tiles) == [2])
  }

  @Test("a rollback leaves no companion of the archive that was set aside if none is kept")
  func withoutCompanions() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    unlink("\(place.tiles).1")
    try place.restore()
    #expect(try contents(of: place.report) == [1])
    #expect(FileStatus(place.tiles) == nil)
    #expect(try contents(of: FilePath("\(place.tiles).bad")) == [2])
  }

  @Test("a rollback does not take the present archive's second name for an earlier one")
  func present() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    #expect(throws: ArchiveError.self) {
      try place.publish(3, keeping: 3, failing: (.rename, .ioError))
    }
    #expect(try place.state == [2, 2, 1])
    try place.restore()
    #expect(try place.state == [1])
  }

  @Test("a rollback works if the archive itself is missing, and then holds nothing")
  func lost() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    unlink(place.archive.string)
    try place.restore()
    #expect(try contents(of: place.archive) == [1])
    #expect(try !ArchivePublication(place.archive).isHeld)
  }
}

@Suite("A rollback that cannot be completed")
struct UnfinishedRollbackTests {
  @Test("a rollback that cannot be completed is an error of each run until it can")
  func unfinished() throws {
    let place = try Place()
    for version in 1...2 as ClosedRange<UInt8> { try place.publish(version, keeping: 3) }
    // Nothing can be renamed to a folder.
    unlink(place.tiles.string)
    #expect(mkdir(place.tiles.string, 0o755) == 0)
    #expect(mkdir(place.tiles.appending("x").string, 0o755) == 0)
    for _ in 0..<2 {
      let error = #expect(throws: ArchiveError.self) {
        try place.restore(outdated: [place.tiles])
      }
      #expect(error.map { [73, 74, 77].contains($0.failureCode.exitStatus) } == true)
      #expect(error?.message.contains("a.mbtiles") == true)
    }
    #expect(try contents(of: place.archive) == [1])
    rmdir(place.tiles.appending("x").string)
    rmdir(place.tiles.string)
    _ = try ArchivePublication(place.archive, companions: [place.report, place.tiles])
    #expect(try contents(of: place.report) == [1] && contents(of: place.tiles) == [1])
  }
}

@Suite("Waiting for an archive")
struct FileLockTests {
  @Test("waiting for an archive ends when the other run ends")
  func released() throws {
    let place = try Place()
    var holder: ArchivePublication? = try ArchivePublication(place.archive)
    var looks = 0
    let publication = try ArchivePublication(
      place.archive,
      patience: {
        looks += 1
        if looks == 3 { holder = nil }
        return true
      })
    #expect(looks == 3 && holder == nil)
    withExtendedLifetime(publication) {}
  }

  @Test("waiting for an archive ends with the patience")
  func impatient() throws {
    let place = try Place()
    let holder = try ArchivePublication(place.archive)
    var looks = 0
    let error = #expect(throws: ArchiveError.self) {
      _ = try ArchivePublication(
        place.archive,
        patience: {
          looks += 1
          return looks < 4
        })
    }
    #expect(error?.code == .locked && looks == 4)
    withExtendedLifetime(holder) {}
  }

  @Test("locking in a folder that accepts no file names the folder and the reason")
  func folder() throws {
    let error = #expect(throws: ArchiveError.self) {
      _ = try ArchivePublication("/no/such/folder/a.mbtiles")
    }
    #expect(error?.code == .cannotCreate)
    #expect(error?.message.contains("there is no folder /no/such/folder.") == true)
  }
}

/// A folder in which small files stand for archives and reports: what publishing does is the same.
private struct Place {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var archive: FilePath { folder.path.appending("a.mbtiles") }
  var report: FilePath { folder.path.appending("a.report.json") }
  var tiles: FilePath { folder.path.appending("a.tilejson") }
  var publicationKept: KeptArchives { KeptArchives(archive, companions: [report, tiles]) }

  /// The versions in place and kept, by their numbers.
  var state: [UInt8] {
    get throws { try present([archive] + publicationKept.all) }
  }

  /// Those of the reports.
  var reports: [UInt8] { get throws { try versions(of: 0) } }

  /// Those of one of the companions.
  func versions(of companion: Int) throws -> [UInt8] {
    let kept = publicationKept
    return try present(
      [kept.companions[companion]] + kept.all.map { kept.companions(of: $0)[companion] })
  }

  private func present(_ files: [FilePath]) throws -> [UInt8] {
    try files.filter { FileStatus($0) != nil }.flatMap { try contents(of: $0) }
  }

  func kept(_ number: Int) -> FilePath { FilePath("\(archive).\(number)") }

  func publish(
    _ version: UInt8, keeping count: Int, failing: (ArchivePublication.Step, Errno)? = nil,
    outdated: Set<FilePath> = []
  ) throws {
    let publication = try ArchivePublication(
      archive, companions: [report, tiles], outdated: outdated)
    fail(publication, failing)
    _ = try folder.write([version], to: publication.temporary.lastComponent?.string ?? "")
    try publication.commit(keeping: count)
    try DurableFile.write([version], to: report)
    try DurableFile.write([version], to: tiles)
  }

  func restore(
    failing: (ArchivePublication.Step, Errno)? = nil, outdated: Set<FilePath> = []
  ) throws {
    let publication = try ArchivePublication(
      archive, companions: [report, tiles], outdated: outdated)
    fail(publication, failing)
    let earlier = try #require(try publication.kept.earlier().first)
    try publication.restore(earlier)
  }

  private func fail(
    _ publication: ArchivePublication, _ failing: (ArchivePublication.Step, Errno)?
  ) {
    guard let (failed, cause) = failing else { return }
    publication.beforeStep = { (step) throws(Errno) in if step == failed { throw cause } }
  }
}
