import Files
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Runs

@Suite("A pending folder")
struct PendingFolderTests {
  /// Makes a folder that holds one file.
  private func publish(
    _ text: String, to path: FilePath, replaces: Bool = true, exchanges: Bool = true
  ) throws {
    let pending = try PendingFolder(path)
    try Array(text.utf8).withUnsafeBytes { try pending.write($0, to: "a") }
    try pending.publish(replaces: replaces, exchanges: exchanges)
  }

  private func text(_ folder: TemporaryFolder, _ name: String = "tiles/a") throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  @Test(
    "a pending folder replaces the existing one, by an exchange or without",
    arguments: [true, false])
  func replaced(exchanges: Bool) throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("tiles"))
    for version in ["first", "second"] {
      try publish(version, to: path, exchanges: exchanges)
      #expect(try text(folder) == version)
      #expect(try folder.names() == ["tiles"])
    }
  }

  @Test("a folder that a killed run had moved aside gets its name back")
  func movedAside() throws {
    let folder = try TemporaryFolder()
    // Numbers of processes that are no more.
    try folder.write("old", to: ".tiles.tmp-123456-old/a")
    try folder.write("new", to: ".tiles.tmp-123456/a")
    try PendingFolder.settle(FilePath(folder.path("tiles")))
    #expect(try text(folder) == "old")
    #expect(try folder.names() == ["tiles"])
  }

  @Test("leftovers of a killed run beside a folder are removed, and the folder is not")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    try folder.write("new", to: "tiles/a")
    for name in [".tiles.tmp-123456-old/a", ".tiles.tmp-123456/0/a", ".tiles.tmp-7"] {
      try folder.write("left", to: name)
    }
    try folder.write("other", to: ".tiles2.tmp-123456/a")
    try PendingFolder.settle(FilePath(folder.path("tiles")))
    #expect(try text(folder) == "new")
    #expect(try folder.names() == [".tiles2.tmp-123456", "tiles"])
  }

  @Test("a pending folder removes what dead runs of the same folder left")
  func collecting() throws {
    let folder = try TemporaryFolder()
    for name in [".tiles.tmp-999999999/a", ".tiles.tmp-999999999-old/a", ".tiles.tmp-1/a"] {
      try folder.write("left", to: name)
    }
    try folder.write("old", to: "tiles/a")
    try publish("new", to: FilePath(folder.path("tiles")))
    #expect(try text(folder) == "new")
    #expect(try folder.names() == [".tiles.tmp-1", "tiles"])
  }

  @Test("a folder of a running process is kept if no lock proves it stale")
  func living() throws {
    let folder = try TemporaryFolder()
    for name in [".tiles.tmp-1/a", ".tiles.tmp-999999999/a"] { try folder.write("x", to: name) }
    try PendingFolder.settle(FilePath(folder.path("tiles")), isLocked: false)
    #expect(try folder.names() == [".tiles.tmp-1"])
  }
}
