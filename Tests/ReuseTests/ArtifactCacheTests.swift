import Foundation
import JSON
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Definition
@testable import Reuse

@Suite("The cache of artifacts")
struct ArtifactCacheTests {
  /// Bytes of an artifact with so many rows.
  private func bytes(rows: Int) -> Int {
    ArtifactSample.writer(rows: rows).byteCount + ArtifactHeader.byteCount
  }

  @Test(
    "the artifact cache keeps the most recently used within its budget, and removes nothing else")
  func leastRecentlyUsed() throws {
    let sample = try ArtifactSample()
    let keys = (0..<5).map { sample.key("\($0)") }
    for (index, key) in keys.enumerated() {
      sample.cache().store(key, ArtifactSample.writer())
      try sample.use(key, at: 1_000_000 + TimeInterval(index))
    }
    // Using the oldest makes it the newest.
    #expect(ArtifactSample.holds(sample.cache(), keys[0]))
    let budget = CacheSize(bytes: 3 * bytes(rows: 40))
    sample.cache(budget: budget).store(sample.key("new"), ArtifactSample.writer())
    #expect(keys.map(sample.exists) == [true, false, false, false, true])
    #expect(sample.exists(sample.key("new")))
    #expect(try sample.names().contains("kept.txt"))
  }

  @Test("the artifact cache keeps a maximum number of artifacts, however small")
  func count() throws {
    let sample = try ArtifactSample()
    let keys = (0..<5).map { sample.key("\($0)") }
    for (index, key) in keys.enumerated() {
      sample.cache().store(key, ArtifactSample.writer())
      try sample.use(key, at: 1_000_000 + TimeInterval(index))
    }
    sample.cache().folder.prune(
      to: .standard, keeping: [keys[0].fileName], program: "this", limit: 3)
    #expect(keys.map(sample.exists) == [true, false, false, true, true])
  }

  @Test("the artifact cache keeps what the current run used, and writes only what fits beside it")
  func ownFiles() throws {
    let sample = try ArtifactSample()
    let cache = sample.cache(budget: CacheSize(bytes: 2 * bytes(rows: 40) + 10))
    let keys = (0..<4).map { sample.key("\($0)") }
    for key in keys.prefix(2) {
      cache.store(key, ArtifactSample.writer())
      try sample.use(key, at: 1)
    }
    #expect(cache.note == nil)
    cache.store(keys[2], ArtifactSample.writer())
    #expect(keys.map(sample.exists) == [true, true, false, false])
    #expect(cache.note?.contains("--cache-size") == true)
    // Smaller ones still fit.
    let small = sample.cache(budget: CacheSize(bytes: bytes(rows: 40)))
    small.store(sample.key("large"), ArtifactSample.writer(rows: 400))
    #expect(small.note != nil && !sample.exists(sample.key("large")))
    small.store(keys[0], ArtifactSample.writer())
    #expect(sample.exists(keys[0]))
    sample.cache().store(keys[1], ArtifactSample.writer())
    // The next run has other needs.
    sample.cache(budget: CacheSize(bytes: 2 * bytes(rows: 40) + 10))
      .store(keys[3], ArtifactSample.writer())
    #expect(keys.map(sample.exists).filter(\.self).count == 2 && sample.exists(keys[3]))
  }

  @Test("a cache size of 0 keeps and reads nothing, --no-cache leaves everything as it is")
  func disabled() throws {
    let sample = try ArtifactSample()
    let key = sample.key()
    sample.cache().store(key, ArtifactSample.writer())
    let off = sample.cache(isEnabled: false)
    #expect(!ArtifactSample.holds(off, key))
    off.store(sample.key("x"), ArtifactSample.writer())
    #expect(sample.exists(key) && !sample.exists(sample.key("x")) && off.note == nil)
    let none = sample.cache(budget: CacheSize(bytes: 0))
    #expect(!none.isEnabled && !sample.exists(key))
    none.store(key, ArtifactSample.writer())
    #expect(try sample.names() == ["kept.txt"])
  }

  @Test(
    "the artifact cache removes leftovers of dead processes and other programs, not of living ones")
  func leftovers() throws {
    let sample = try ArtifactSample()
    let other = sample.key("x", program: "other")
    sample.cache(program: "other").store(other, ArtifactSample.writer())
    #expect(!ArtifactSample.holds(sample.cache(), sample.key("x")))
    let place = ArtifactSample.place
    // Linux gives no process a number above 2²².
    let names = [
      ".artifact.tmp-4194305-abc", ".artifact.tmp-\(getpid())-abc", ".artifact.tmp-1-abc",
      ".artifact.tmp-x", "records.tmp",
    ]
    for name in names { try sample.folder.write("x", to: "\(place)/\(name)") }
    sample.cache().store(sample.key(), ArtifactSample.writer())
    #expect(!sample.exists(other))
    #expect(
      try Set(sample.names()) == Set(names.dropFirst() + ["kept.txt", sample.key().fileName]))
  }

  @Test("an artifact of another program version is refused")
  func program() throws {
    let sample = try ArtifactSample()
    let key = sample.key("x")
    sample.cache(program: "other").store(key, ArtifactSample.writer())
    #expect(!ArtifactSample.holds(sample.cache(), key) && !sample.exists(key))
  }

  @Test("an unwritable artifact cache is a single note and no error")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("in the way", to: ".quadrille-cache")
    let cache = ArtifactCache(
      folder: FilePath(folder.path(ArtifactSample.place)), identity: { "this" })
    let key = ArtifactKey(kind: .records, [])
    cache.store(key, ArtifactSample.writer())
    #expect(cache.note?.contains(".quadrille-cache/artifacts") == true)
    #expect(cache.note?.contains("cannot be written") == true)
    #expect(cache.reader(key) == nil)
    #expect(try folder.names() == [".quadrille-cache"])
    // A folder that is not there is not ours to make.
    let missing = ArtifactCache(
      folder: FilePath(folder.path("no/\(ArtifactSample.place)")), identity: { "this" })
    missing.store(key, ArtifactSample.writer())
    #expect(missing.note != nil)
    #expect(try folder.names() == [".quadrille-cache"])
  }

  @Test(
    "an artifact cache without permission is a note",
    .disabled(if: getuid() == 0, "root may write everywhere"))
  func permission() throws {
    let sample = try ArtifactSample()
    let path = sample.folder.path(ArtifactSample.place)
    #expect(chmod(path, 0o500) == 0)
    defer { chmod(path, 0o700) }
    let cache = sample.cache()
    cache.store(sample.key(), ArtifactSample.writer())
    #expect(cache.note?.contains("cannot be written") == true)
  }

  @Test("a full folder in an artifact's place is a note")
  func fullFolder() throws {
    let sample = try ArtifactSample()
    try sample.folder.write("x", to: "\(ArtifactSample.place)/\(sample.key().fileName)/file")
    let cache = sample.cache()
    #expect(!ArtifactSample.holds(cache, sample.key()))
    cache.store(sample.key(), ArtifactSample.writer())
    #expect(cache.note?.contains("cannot be written") == true)
    #expect(try sample.names() == ["kept.txt", sample.key().fileName].sorted())
  }

  @Test("concurrent runs share the artifact cache: each reads a whole artifact or none")
  func concurrency() throws {
    let sample = try ArtifactSample()
    let budget = CacheSize(bytes: 6 * bytes(rows: 60))
    DispatchQueue.concurrentPerform(iterations: 6) { run in
      var random = SplitMix64(seed: UInt64(run))
      for _ in 0..<20 {
        let cache = sample.cache(budget: budget)
        let number = UInt64(random.below(8))
        let key = sample.key("\(number)")
        if random.below(2) == 0 {
          cache.store(key, ArtifactSample.writer(seed: number, rows: 60))
          #expect(cache.note == nil)
        } else if let text = cache.value(
          key,
          { reader throws(ArtifactDamage) in
            let text = try reader.text()
            _ = try reader.column(of: UInt64.self)
            _ = try reader.column(of: UInt8.self)
            _ = try reader.integer()
            return text
          })
        {
          #expect(text == "text \(number)")
        }
      }
    }
    sample.cache(budget: budget).store(sample.key("end"), ArtifactSample.writer())
    #expect(try sample.names().allSatisfy { $0 == "kept.txt" || ArtifactKey.isFileName($0) })
  }

  @Test("the digest of the program's file is computed once for all runs of it")
  func programDigest() throws {
    let sample = try ArtifactSample()
    let key = sample.cache().key(.inputs, ["program"])
    #expect(try ProgramIdentity.sha256(in: sample.cache()) == ProgramIdentity.sha256())
    #expect(sample.exists(key))
    sample.cache().remove(key)
    var writer = ArtifactWriter()
    writer.append("of an earlier run")
    sample.cache().store(key, writer)
    #expect(try ProgramIdentity.sha256(in: sample.cache()) == "of an earlier run")
  }

  @Test(
    "a cache size is a number of bytes, with K, M, G or T for powers of 1,024",
    arguments: [
      ("0", 0), ("1", 1), ("4096", 4096), ("2k", 2048), ("500M", 500 << 20), ("2G", 2 << 30),
      ("3t", 3 << 40), ("", nil), ("G", nil), ("-1", nil), ("1.5G", 3 << 29), ("1.5", nil),
      ("1 G", nil),
      ("10Q", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
      ("9223372036854775807K", nil), ("٣", nil),
    ])
  func sizes(text: String, bytes: Int?) {
    #expect(CacheSize(text)?.bytes == bytes)
  }
}
