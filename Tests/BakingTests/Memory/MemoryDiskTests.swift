import Foundation
import Runs
import TestSupport
import Testing

@Suite(
  "A disk too small for what --memory leaves no room for",
  .enabled(if: PrivateDisk.isAvailable, "needs root, to mount a tmpfs in a namespace"))
struct MemoryDiskTests {
  private static let page = 4096

  @Test(
    "a full scratch disk ends the run with 74 and one sentence; the archive stays, and no file is left",
    arguments: [MemorySample.Kind.grid, .radius, .multiPoints])
  func full(kind: MemorySample.Kind) throws {
    let sample = try MemorySample(kind, rows: 1_500)
    let before = try sample.build(nil)
    let names = try sample.folder.names()
    var failures: [PipelineError] = []
    var successes = 0
    for pages in [1, 24, 96, 2_048] {
      let disk = try PrivateDisk("size=\(pages * Self.page)")
      do {
        let found = try sample.build(
          MemorySample.ceiling(columns: 0, work: 1 << 12), scratch: disk.url.path)
        #expect(found == before)
        successes += 1
      } catch let error as PipelineError {
        #expect(error.exitCode == 74, "\(pages) pages: \(error)")
        #expect(error.message.contains("--tmpdir"), "\(pages) pages: \(error)")
        #expect(!error.message.contains("\n"))
        failures.append(error)
      }
      #expect(try [sample.folder.bytes("out.mbtiles")] == before, "\(pages) pages")
      #expect(try sample.folder.names() == names, "\(pages) pages")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
    }
    #expect(successes > 0)
    #expect(failures.contains { $0.message.contains("can be made in") })
  }

  @Test("a scratch disk without room for the clusters is refused before they are made")
  func refused() throws {
    let sample = try MemorySample(.grid, rows: 1_500)
    let before = try sample.build(nil)
    let disk = try PrivateDisk("size=\(Self.page)")
    // In one of these the records have room, and what clusters certainly need has none.
    for columns in stride(from: 64 << 10, through: 2 << 20, by: 32 << 10) {
      let ceiling = MemorySample.ceiling(columns: columns, work: 1 << 12)
      let error = #expect(throws: PipelineError.self, "\(columns) bytes of columns") {
        try sample.build(ceiling, scratch: disk.url.path)
      }
      #expect(error?.exitCode == 74)
      #expect(try [sample.folder.bytes("out.mbtiles")] == before)
      guard let message = error?.message, message.contains("will be written in") else { continue }
      #expect(message.contains("to cluster the points") && message.contains("--tmpdir"))
      return
    }
    Issue.record("no ceiling left room for the records only")
  }
}
