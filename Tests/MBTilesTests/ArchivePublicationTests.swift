import Failures
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("Publishing an archive")
struct ArchivePublicationTests {
  @Test("publishing replaces the old file with the new one and leaves nothing else")
  func commit() throws {
    let folder = try TemporaryFolder()
    let archive = try folder.write([1], to: "a.mbtiles")
    do {
      let publication = try ArchivePublication(archive)
      #expect(publication.temporary.lastComponent?.string == ".a.mbtiles.tmp-\(getpid())")
      _ = try folder.write([2], to: ".a.mbtiles.tmp-\(getpid())")
      #expect(try folder.names() == [".a.mbtiles.lock", ".a.mbtiles.tmp-\(getpid())", "a.mbtiles"])
      #expect(try contents(of: archive) == [1])
      try publication.commit()
      #expect(try contents(of: archive) == [2])
    }
    #expect(try folder.names() == ["a.mbtiles"])
  }

  @Test("an abandoned publication leaves the old file")
  func abandon() throws {
    let folder = try TemporaryFolder()
    let archive = try folder.write([1], to: "a.mbtiles")
    do {
      let publication = try ArchivePublication(archive)
      _ = try folder.write([2], to: publication.temporary.lastComponent?.string ?? "")
    }
    #expect(try contents(of: archive) == [1])
    #expect(try folder.names() == ["a.mbtiles"])
  }

  @Test("a publication leaves what was there when the renaming fails, and when nothing was built")
  func renameFails() throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    do {
      let publication = try ArchivePublication(archive)
      mkdir(archive.string, 0o755)
      _ = try folder.write([2], to: publication.temporary.lastComponent?.string ?? "")
      let error = #expect(throws: ArchiveError.self) { try publication.commit() }
      #expect(error?.code == .cannotCreate)
    }
    #expect(try folder.names() == ["a.mbtiles"])
    let other = try folder.write([1], to: "b.mbtiles")
    #expect(throws: ArchiveError.self) { try ArchivePublication(other).commit() }
    #expect(try contents(of: other) == [1])
  }

  @Test("an archive can be published by one run at a time")
  func lock() throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    var first: ArchivePublication? = try ArchivePublication(archive)
    let error = #expect(throws: ArchiveError.self) { _ = try ArchivePublication(archive) }
    #expect(error?.code == .locked)
    #expect(error?.failureCode.exitStatus == 75)
    _ = try ArchivePublication(folder.path.appending("b.mbtiles"))
    #expect(first?.archive == archive)
    first = nil
    _ = try ArchivePublication(archive)
    #expect(try folder.names().isEmpty)
  }

  @Test("a publication removes what dead builds of the same archive left, and nothing else")
  func stale() throws {
    let folder = try TemporaryFolder()
    let kept = [
      ".a.mbtiles.tmp-", ".a.mbtiles.tmp-2147483646x", ".a.mbtiles.tmp-x",
      ".b.mbtiles.tmp-2147483646", "a.mbtiles",
    ]
    // Process 1 lives, but whoever builds this archive holds its lock: the number was given anew.
    let removed = [
      ".a.mbtiles.tmp-2147483646", ".a.mbtiles.tmp-2147483646-images", ".a.mbtiles.tmp-1",
      ".a.mbtiles.tmp-\(getpid())", ".a.report.json.tmp-5", ".a.mbtiles.bad.tmp-5-link",
      ".a.mbtiles.1.tmp-5-link", ".a.report.json.1.tmp-5-link",
    ]
    for name in kept + removed { _ = try folder.write([0], to: name) }
    _ = try ArchivePublication(
      folder.path.appending("a.mbtiles"), companions: [folder.path.appending("a.report.json")])
    #expect(try folder.names() == kept.sorted())
  }

  @Test("a publication refuses missing folders and names that are not ASCII")
  func refused() throws {
    let folder = try TemporaryFolder()
    for name in ["none/a.mbtiles", "ä.mbtiles"] {
      let error = #expect(throws: ArchiveError.self) {
        _ = try ArchivePublication(folder.path.appending(name))
      }
      #expect(error?.code == .cannotCreate)
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("a publication carries a whole archive, from writer to reader, in place of an old one")
  func whole() throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    for layout in ArchiveLayout.allCases {
      let publication = try ArchivePublication(archive)
      let summary = try Sample.write(publication.temporary, layout: layout)
      var verifier = ArchiveVerifier(level: .publish)
      verifier.expected = summary
      #expect(verifier.verify(publication.temporary).findings == [])
      try publication.commit()
      #expect(try ArchiveReader(archive).summary(hashing: true) == summary)
    }
    #expect(try folder.names() == ["a.mbtiles"])
  }
}
