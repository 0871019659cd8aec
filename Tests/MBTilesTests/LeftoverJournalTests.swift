import Files
import Platform
import SQLite
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("Files that a killed program left beside an archive")
struct LeftoverJournalTests {
  enum Kind: CaseIterable, Sendable {
    /// The journal of a transaction that was not committed.
    case journal
    /// The log of one that was.
    case log
  }

  /// Writes a database of 300 rows of 500 times a byte below 10.
  private func makeDatabase(at path: FilePath, byte: UInt8) throws {
    let database = try Database(path: path.string, mode: .create)
    try database.execute("BEGIN; CREATE TABLE t (value BLOB)")
    let digits = String(repeating: "0\(byte)", count: 500)
    for _ in 0..<300 { try database.execute("INSERT INTO t VALUES (x'\(digits)')") }
    try database.execute("COMMIT")
  }

  /// What a program leaves that dies while, or after, it sets all values to 255 in the database.
  private func die(_ kind: Kind, writing path: FilePath, in folder: TemporaryFolder) throws {
    let draft = folder.path.appending("draft")
    _ = try folder.write(try contents(of: path), to: "draft")
    do {
      let database = try Database(path: draft.string, mode: .readWrite)
      if kind == .log { _ = try database.text("PRAGMA journal_mode=WAL") }
      try database.execute("PRAGMA cache_size=1; BEGIN IMMEDIATE")
      try database.execute("UPDATE t SET value = (SELECT replace(hex(zeroblob(250)), '0', 'F'))")
      if kind == .log { try database.execute("COMMIT") }
      _ = try folder.write(try contents(of: draft), to: path.lastComponent?.string ?? "")
      for suffix in LeftoverJournal.suffixes {
        let file = FilePath(draft.string + suffix)
        guard FileStatus.exists(file) else { continue }
        _ = try folder.write(
          try contents(of: file), to: (path.lastComponent?.string ?? "") + suffix)
      }
      if kind == .journal { try database.execute("ROLLBACK") }
    }
    for suffix in [""] + LeftoverJournal.suffixes { unlink(draft.string + suffix) }
  }

  /// The distinct values that another program finds.
  private func values(in path: FilePath) throws -> [String] {
    let database = try Database(path: path.string, mode: .readWrite)
    let statement = try database.prepare("SELECT DISTINCT substr(hex(value), 1, 4) FROM t")
    var values: [String] = []
    while try statement.step() { values.append(statement.text(0) ?? "null") }
    return values
  }

  @Test(
    "a journal of a killed program would end in a new file with the same name",
    arguments: Kind.allCases)
  func hazard(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    try makeDatabase(at: archive, byte: 1)
    try die(kind, writing: archive, in: folder)
    let new = folder.path.appending("new")
    try makeDatabase(at: new, byte: 2)
    try DurableFile.rename(new, to: archive)
    #expect((try? values(in: archive)) != ["0202"])
  }

  @Test(
    "a journal beside an archive is settled before a new file takes the name",
    arguments: Kind.allCases)
  func publication(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    try makeDatabase(at: archive, byte: 1)
    do {
      let publication = try ArchivePublication(archive)
      try makeDatabase(at: publication.temporary, byte: 2)
      let bytes = try contents(of: publication.temporary)
      // After the build began.
      try die(kind, writing: archive, in: folder)
      try publication.commit(keeping: 1)
      #expect(try values(in: archive) == ["0202"])
      #expect(try contents(of: archive) == bytes)
    }
    #expect(try folder.names() == ["a.mbtiles", "a.mbtiles.1"])
    #expect(
      try values(in: folder.path.appending("a.mbtiles.1")) == [kind == .log ? "4646" : "0101"])
  }

  @Test(
    "a journal beside an archive is settled when a build begins, which then finds what was there",
    arguments: Kind.allCases)
  func beginning(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    try makeDatabase(at: archive, byte: 1)
    let bytes = try contents(of: archive)
    try die(kind, writing: archive, in: folder)
    do {
      _ = try ArchivePublication(archive)
      #expect(LeftoverJournal.files(besides: archive).isEmpty)
      if kind == .journal { #expect(try contents(of: archive) == bytes) }
    }
    #expect(try values(in: archive) == [kind == .log ? "4646" : "0101"])
  }

  @Test(
    "a journal beside an archive is settled before an archive is restored", arguments: Kind.allCases
  )
  func rollback(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    let earlier = folder.path.appending("a.mbtiles.1")
    try makeDatabase(at: archive, byte: 1)
    try makeDatabase(at: earlier, byte: 2)
    let publication = try ArchivePublication(archive)
    try die(kind, writing: archive, in: folder)
    try publication.restore(earlier)
    #expect(try values(in: archive) == ["0202"])
  }

  @Test(
    "a journal beside anything but a database, or beside nothing, is removed",
    arguments: [true, false])
  func removal(isThere: Bool) throws {
    let folder = try TemporaryFolder()
    if isThere { _ = try folder.write([1, 2, 3], to: "a.mbtiles") }
    for suffix in LeftoverJournal.suffixes { _ = try folder.write([9], to: "a.mbtiles" + suffix) }
    try LeftoverJournal.settle(folder.path.appending("a.mbtiles"))
    #expect(try folder.names() == (isThere ? ["a.mbtiles"] : []))
  }

  @Test(
    "a journal beside an archive is not settled while its program lives", arguments: Kind.allCases)
  func living(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let archive = folder.path.appending("a.mbtiles")
    try makeDatabase(at: archive, byte: 1)
    let other = try Database(path: archive.string, mode: .readWrite)
    if kind == .log { _ = try other.text("PRAGMA journal_mode=WAL") }
    try other.execute("PRAGMA cache_size=1; BEGIN IMMEDIATE; UPDATE t SET value = zeroblob(500)")
    let names = try folder.names()
    let error = #expect(throws: ArchiveError.self) { _ = try ArchivePublication(archive) }
    #expect(error?.code == .locked)
    #expect(try folder.names() == names)
    try other.execute("COMMIT")
    #expect(try values(in: archive) == ["0000"])
  }

  @Test("a journal stays if the new file is not a database")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "a.json")
    _ = try folder.write([2], to: "a.json-journal")
    let new = try folder.write([3], to: "new")
    try LeftoverJournal.settle(path, for: new)
    #expect(try folder.names() == ["a.json", "a.json-journal", "new"])
  }
}
