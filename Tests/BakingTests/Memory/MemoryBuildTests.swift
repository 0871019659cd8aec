import Columns
import Foundation
import Runs
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports

@Suite("Builds under a ceiling of memory")
struct MemoryBuildTests {
  /// Nothing in memory, some in memory, and all in memory but sorted in runs.
  private static let ceilings = [
    MemorySample.ceiling(columns: 0, work: 1 << 10),
    MemorySample.ceiling(columns: 20_000, work: 3_000),
    MemorySample.ceiling(columns: 1 << 30, work: 5_000),
  ]

  @Test(
    "the bytes of an archive do not depend on the memory, nor on threads",
    arguments: MemorySample.Kind.allCases)
  func bytes(kind: MemorySample.Kind) throws {
    let sample = try MemorySample(kind)
    let expected = try sample.build(nil)
    for (index, ceiling) in Self.ceilings.enumerated() {
      let found = try sample.build(ceiling, threads: 1 + index % 2, to: "other.mbtiles")
      #expect(found == expected, "ceiling \(index)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path("scratch"))
    #expect(left == [])
  }

  @Test(
    "a rebuild from the cache has the bytes of a build without, whatever memory either had",
    arguments: [MemorySample.Kind.grid, .radius, .multiPoints])
  func incremental(kind: MemorySample.Kind) throws {
    let sample = try MemorySample(kind)
    try sample.build(nil, cached: true)
    try MemorySample.write(rows: 700, seed: 9, to: sample.folder)
    let expected = try sample.build(nil, to: "full.mbtiles")
    #expect(try sample.build(Self.ceilings[0], threads: 2, cached: true) == expected)
    // The same inputs and another ceiling: the archive in place is up to date.
    let definition = try PipelineDefinition(
      contentsOf: sample.folder.path("sample.yml"), environment: { _ in nil })
    var options = BuildOptions()
    options.memory = Self.ceilings[1]
    let reports = try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(reports.map(\.result) == [.unchanged])
    // Records and clusters that a run under a ceiling stored serve one without, and the reverse.
    try FileManager.default.removeItem(atPath: sample.folder.path("out.mbtiles"))
    #expect(try sample.build(nil, cached: true) == expected)
    try FileManager.default.removeItem(atPath: sample.folder.path("out.mbtiles"))
    #expect(try sample.build(Self.ceilings[0], cached: true) == expected)
  }

  @Test("without a folder for scratch files a build ends with one sentence, and the archive stays")
  func noScratch() throws {
    let sample = try MemorySample(.grid)
    let before = try sample.build(nil)
    var options = BuildOptions()
    options.memory = Self.ceilings[0]
    options.force = true
    options.temporaryFolder = sample.folder.path("missing")
    let definition = try PipelineDefinition(
      contentsOf: sample.folder.path("sample.yml"), environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.code == .cannotCreate || error?.code == .inputOutput)
    #expect(error?.message.contains("--tmpdir") == true)
    #expect(try [sample.folder.bytes("out.mbtiles")] == before)
  }

  @Test(
    "a ceiling is a size",
    arguments: [
      ("2G", 2 << 30), ("512M", 512 << 20), ("1.5G", 3 << 29), ("0.25g", 1 << 28),
      ("1048576", 1 << 20), ("1.125M", 1_179_648),
    ])
  func sizes(text: String, bytes: Int) {
    #expect(MemoryCeiling(text)?.bytes == bytes)
  }

  @Test(
    "what is no size is refused",
    arguments: [
      "", "0", "0G", "G", "1.G", ".5G", "1.5", "1.5.5G", "-1G", "1.2345G", "2 G", "1e9",
      "9999999999T",
    ])
  func noSizes(text: String) {
    #expect(MemoryCeiling(text) == nil)
  }

  @Test("a ceiling that is too low names the least that works")
  func tooLow() throws {
    let least = MemoryCeiling.least(threads: 3)
    #expect(throws: Never.self) { try MemoryCeiling(bytes: least).limits(threads: 3) }
    let error = #expect(throws: PipelineError.self) {
      try MemoryCeiling(bytes: least - 1).limits(threads: 3)
    }
    #expect(error?.code == .usage)
    #expect(error?.message.contains("at least \(least >> 20)M") == true)
    #expect(error?.message.contains("-j") == true)
  }

  @Test("'memory' of a pipeline is its ceiling unless the command line names another")
  func key() throws {
    let folder = try TemporaryFolder()
    func definition(_ memory: String) throws -> PipelineDefinition {
      let file = try folder.write(
        """
        version: 1
        sources: {s: {type: csv, data: a.csv}}
        layers: []
        memory: \(memory)
        """, to: "a.yml")
      return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    }
    let ceiling = try definition("1.5G").memory
    #expect(ceiling?.bytes == 1536 << 20)
    #expect(ceiling?.place?.line == 4)
    var options = BuildOptions()
    options.memory = MemoryCeiling("512M")
    #expect(try definition("2G").applying(options).memory == MemoryCeiling("512M"))
    #expect(try definition("2G").applying(BuildOptions()).memory?.bytes == 2 << 30)
    let error = #expect(throws: PipelineError.self) { try definition("much") }
    #expect(error?.place?.line == 4)
  }
}
