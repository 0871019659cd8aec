import Definition
import Files
import MBTiles
import Foundation
import PipelineSamples
import Reuse
import SystemPackage
import TestSupport
import Testing

@testable import Publication

@Suite("The memory of published files")
struct PublishedFilesTests {
  private let folder: TemporaryFolder
  private let cache: ArtifactCache

  init() throws {
    folder = try TemporaryFolder()
    cache = ArtifactCache(besideArchive: folder.path("out.mbtiles"), options: BuildOptions())
  }

  private var files: PublishedFiles {
    PublishedFiles(["test"], in: FilePath(folder.path("")), cache)
  }

  private func digest(_ name: String) throws -> String {
    try FileDigest.sha256(of: FilePath(folder.path(name)))
  }

  /// Whether the cache has a record of a file that is still valid: a digest that is not that of its bytes.
  private func isKnown(_ name: String) -> Bool {
    var files = files
    return files.holds(name, sha256: String(repeating: "0", count: 64))
  }

  @Test("a file is read only if it has changed since the last run")
  func unchanged() throws {
    try folder.write("one", to: "frames/a")
    var first = files
    let other = String(repeating: "0", count: 64)
    // The publisher's word counts, so a record with a false digest shows that nothing is read.
    first.remember("frames/a", sha256: other)
    first.store(["frames/a"])
    #expect(isKnown("frames/a"))
    try folder.write("two", to: "frames/a")
    #expect(!isKnown("frames/a"))
    var last = files
    #expect(try last.holds("frames/a", bytes: 3, sha256: digest("frames/a")))
    #expect(try !last.holds("frames/a", bytes: 4, sha256: digest("frames/a")))
    let holdsMissing = last.holds("frames/b", sha256: other)
    #expect(!holdsMissing)
  }

  @Test("a file that changes after its publication is not recorded as published")
  func changed() throws {
    try folder.write("one", to: "a")
    try folder.write("one", to: "b")
    var run = files
    for name in ["a", "b"] { run.remember(name, sha256: String(repeating: "0", count: 64)) }
    try folder.write("other", to: "a")
    run.store(["a", "b"])
    #expect(!isKnown("a") && isKnown("b"))
    // A file that is not stored again is forgotten, and one that is keeps its record.
    var next = files
    next.remember("b", sha256: String(repeating: "0", count: 64))
    next.store(["b"])
    #expect(isKnown("b"))
    files.store([])
    #expect(!isKnown("b"))
  }
}
