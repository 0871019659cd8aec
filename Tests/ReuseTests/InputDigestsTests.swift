import Files
import Foundation
import Hashing
import MBTiles
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Reuse
@testable import Runs

@Suite("The digests of inputs")
struct InputDigestsTests {
  /// A clock by which files written now were written long ago.
  private static let later: @Sendable () -> Int64 = { InputDigests.wallClock() + 10_000_000_000 }

  @Test("input digests are SHA-256, computed once per run, on any number of files concurrently")
  func digest() throws {
    let folder = try TemporaryFolder()
    let texts = (0..<20).map { "file \($0)" }
    let paths = try texts.enumerated().map { try folder.write($1, to: "\($0)") }
    let inputs = InputDigests()
    try inputs.prepare(paths)
    for (text, path) in zip(texts, paths) {
      let expected = Hexadecimal.text(SHA256.hash(data: Data(text.utf8)))
      #expect(try inputs.sha256(of: path) == expected)
      try folder.write("other", to: FilePath(path).lastComponent?.string ?? "")
      #expect(try inputs.sha256(of: path) == expected)
    }
    #expect(inputs.note == nil)
  }

  /// Something done to `a` in a folder between two looks at it.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let isFound: Bool
    /// Whether the path names another file then; `nil` where that may have the number of the first.
    let isReplaced: Bool?
    let act: @Sendable (TemporaryFolder) throws -> Void

    init(
      _ name: String, isFound: Bool = true, isReplaced: Bool? = false,
      _ act: @escaping @Sendable (TemporaryFolder) throws -> Void
    ) {
      testDescription = name
      self.isFound = isFound
      self.isReplaced = isReplaced
      self.act = act
    }
  }

  /// Sets the times of a file to a moment long ago.
  private static func age(_ path: String) {
    var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
    utimes(path, &times)
  }

  private static let changes = [
    Change("nothing", isFound: false) { _ in },
    Change("another name and other rights", isFound: false) { folder in
      chmod(folder.path("a"), 0o600)
      link(folder.path("a"), folder.path("b"))
    },
    Change("bytes behind it") { try $0.write("0123456789x", to: "a") },
    Change("cut off") { truncate($0.path("a"), 3) },
    Change("other bytes, the times set back") { folder in
      try FileHandle(forWritingTo: folder.url.appendingPathComponent("a")).write(contentsOf: [65])
      age(folder.path("a"))
    },
    Change("another file in its place, of the same bytes", isReplaced: true) { folder in
      try folder.write("0123456789", to: "b")
      age(folder.path("b"))
      rename(folder.path("b"), folder.path("a"))
    },
    Change("removed", isReplaced: true) { unlink($0.path("a")) },
    Change("a folder in its place", isReplaced: nil) { folder in
      unlink(folder.path("a"))
      mkdir(folder.path("a"), 0o755)
    },
  ]

  @Test("input digests detect a file that changed after the first read", arguments: changes)
  func changed(change: Change) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("0123456789", to: "a")
    let other = try folder.write("other", to: "c")
    Self.age(path)
    for now in [InputDigests.wallClock, Self.later] {
      try? FileManager.default.removeItem(atPath: path)
      try folder.write("0123456789", to: "a")
      Self.age(path)
      let inputs = InputDigests(now: now)
      try inputs.prepare([path, other])
      try inputs.checkUnchanged()
      guard change.isFound else {
        try change.act(folder)
        try inputs.checkUnchanged()
        continue
      }
      try change.act(folder)
      try inputs.checkUnchanged([other])
      let error = #expect(throws: PipelineError.self) { try inputs.checkUnchanged() }
      #expect(error?.exitCode == 74 && error?.place?.file == path)
      let words = [
        "changed while it was read; run again", "was replaced or removed while it was read.",
      ]
      let found = try #require(words.firstIndex { error?.message.hasPrefix($0) == true })
      #expect(change.isReplaced.map { $0 == (found == 1) } ?? true)
    }
  }

  @Test("a changed input is reported instead of the error that it caused")
  func precedence() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("0123456789", to: "a")
    let inputs = InputDigests()
    _ = try inputs.sha256(of: path)
    let bad = PipelineError(.badData, "the last row is cut off")
    func run(_ error: PipelineError, changing: Bool) -> PipelineError? {
      #expect(throws: PipelineError.self) {
        try inputs.whileUnchanged { () throws(PipelineError) in
          if changing { truncate(path, 5) }
          throw error
        }
      }
    }
    #expect(run(bad, changing: false) == bad)
    #expect(run(.interrupted(by: 15), changing: true)?.exitCode == 143)
    #expect(run(bad, changing: true)?.exitCode == 74)
  }

  @Test("input digests refuse anything but a regular file, at once and with its name")
  func irregular() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("pipe"), 0o644)
    mkdir(folder.path("folder"), 0o755)
    symlink("loop", folder.path("loop"))
    for (path, code) in [
      (folder.path("pipe"), 78), (folder.path("folder"), 78), ("/dev/zero", 78),
      (folder.path("none"), 66), (folder.path("none/more"), 66), (folder.path("loop"), 74),
    ] {
      let error = #expect(throws: PipelineError.self, "\(path)") {
        try InputDigests().prepare([try folder.write("good", to: "good"), path])
      }
      #expect(error?.exitCode == Int32(code) && error?.place?.file == path)
    }
  }

  @Test("input digests of an earlier run are reused only while size, times and inode are the same")
  func trust() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("0123456789", to: "a")
    let cache = ArtifactCache(folder: FilePath(folder.path("cache")), identity: { "test" })
    let key = ArtifactKey(kind: .inputs, ["a"], program: "test")
    let first = InputDigests(now: Self.later)
    let digest = try first.sha256(of: path)
    first.learned.store(key, in: cache)
    let memory = DigestMemory(key, in: cache)
    #expect(memory == first.learned && memory.entries.count == 1)
    let second = InputDigests(memory: memory)
    #expect(try second.sha256(of: path) == digest)
    #expect(second.note?.hasPrefix("1 input was not read") == true)
    try second.checkUnchanged()
    for change in Self.changes where change.isFound && !change.testDescription.contains("removed") {
      let other = try TemporaryFolder()
      let file = try other.write("0123456789", to: "a")
      let known = InputDigests(now: Self.later)
      _ = try known.sha256(of: file)
      try change.act(other)
      let third = InputDigests(memory: known.learned)
      _ = try? third.sha256(of: file)
      #expect(third.note == nil, "\(change.testDescription)")
    }
  }

  @Test("input digests are not kept for a file that was written to just before")
  func racy() throws {
    let folder = try TemporaryFolder()
    let inputs = InputDigests()
    _ = try inputs.sha256(of: try folder.write("0123456789", to: "a"))
    #expect(inputs.learned.entries.isEmpty)
  }

  @Test("input digests are dropped when their artifact is damaged")
  func damagedMemory() throws {
    let folder = try TemporaryFolder()
    let cache = ArtifactCache(folder: FilePath(folder.path("cache")), identity: { "test" })
    let key = ArtifactKey(kind: .inputs, ["a"], program: "test")
    let inputs = InputDigests(now: Self.later)
    _ = try inputs.sha256(of: try folder.write("0123456789", to: "a"))
    inputs.learned.store(key, in: cache)
    let file = "cache/\(key.fileName)"
    var bytes = try folder.bytes(file)
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: folder.url.appendingPathComponent(file))
    #expect(DigestMemory(key, in: cache).entries.isEmpty)
  }
}
