import Columns
import Definition
import Foundation
import Runs
import TestSupport
import Testing

@testable import Shards

@Suite("Shards under a ceiling of memory")
struct ShardMemoryTests {
  /// Nothing in memory, and all in memory but sorted in runs.
  private static let ceilings = [(columns: 0, work: 1 << 10), (1 << 30, 2_000)].map {
    var limits = Scratch.Limits(columns: $0.columns, work: $0.work)
    limits.smallest = 256
    return MemoryCeiling(limits: limits)
  }

  private func pipeline(_ sample: ShardSample) throws -> String {
    String(decoding: try sample.folder.bytes("sample.yml"), as: UTF8.self)
  }

  @Test(
    "a plan, its shards and their merge under --memory give the bytes of a build without",
    arguments: [ShardSample.Kind.labels, .compact, .series])
  func flag(kind: ShardSample.Kind) throws {
    var sample = try ShardSample(kind)
    try sample.build(to: "one.mbtiles")
    for (index, ceiling) in Self.ceilings.enumerated() {
      sample.memory = ceiling
      try sample.plan(shards: 3)
      for shard in 0..<3 { try sample.paint(shard, threads: 1 + shard % 2) }
      try sample.merge(to: "merged.mbtiles", threads: 1 + index)
      #expect(
        try sample.archives("merged.mbtiles") == sample.archives("one.mbtiles"), "\(ceiling)")
    }
    // Each run has its own ceiling, or none.
    sample.memory = nil
    try sample.plan(shards: 2)
    sample.memory = Self.ceilings[0]
    try sample.paint(0)
    sample.memory = nil
    try sample.paint(1)
    sample.memory = Self.ceilings[1]
    try sample.merge(to: "mixed.mbtiles")
    #expect(try sample.archives("mixed.mbtiles") == sample.archives("one.mbtiles"))
  }

  @Test("'memory' of a pipeline goes with its plan and changes no byte")
  func key() throws {
    let sample = try ShardSample(.labels)
    try sample.build(to: "one.mbtiles")
    try sample.folder.write("memory: 256M\n" + pipeline(sample), to: "sample.yml")
    try sample.build(to: "key.mbtiles")
    try sample.plan(shards: 2)
    try sample.removeInputs()
    for shard in 0..<2 { try sample.paint(shard) }
    try sample.merge(to: "merged.mbtiles")
    for name in ["key.mbtiles", "merged.mbtiles"] {
      #expect(try sample.archives(name) == sample.archives("one.mbtiles"), "\(name)")
    }
  }

  @Test("a plan under 'memory' that is too low is refused with the least")
  func tooLow() throws {
    let sample = try ShardSample(.labels)
    try sample.folder.write("memory: 64M\n" + pipeline(sample), to: "sample.yml")
    let error = #expect(throws: PipelineError.self) { try sample.plan(shards: 2) }
    #expect(error?.exitCode == 78)
    #expect(error?.message.contains("at least 192M") == true)
  }
}
