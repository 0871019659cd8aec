import Foundation
import Runs
import SystemPackage
import TestSupport
import Testing

@testable import Reports
@testable import Shards

@Suite("Series in shards")
struct ShardSeriesTests {
  @Test("a shard is a range of frames, and a merge reports what a build of the series reports")
  func report() throws {
    let sample = try ShardSample(.series)
    let built = try sample.build(to: "one.mbtiles")
    let plan = try sample.plan(shards: 2)
    #expect(plan.unit == .frames && plan.shards.map(\.count).sorted() == [1, 2])
    #expect(plan.shards.allSatisfy { $0.seconds > 0 && $0.bytes > 0 })
    let frames = plan.shards[0].count == 1 ? "1 frame" : "2 frames"
    #expect(try sample.paint(0).summary.contains(frames))
    try sample.paint(1, threads: 2)
    let merged = try sample.merge(to: "merged.mbtiles")
    #expect(merged.count == 2 && merged.count == built.count)
    for (merged, built) in zip(merged, built) {
      #expect(merged.result == .published)
      #expect(merged.archive.sha256 == built.archive.sha256)
      #expect(merged.sources == built.sources)
      #expect(merged.series?.unusable == built.series?.unusable)
      #expect(merged.series?.leftOut == 1 && built.series?.leftOut == 1)
      #expect(merged.series?.built == 3 && merged.tiles == built.tiles)
      #expect(merged.zooms == built.zooms && merged.notes == built.notes)
    }
    let names = try sample.archives("merged.mbtiles").map { String(decoding: $0, as: UTF8.self) }
    #expect(names.contains("out/2014-01-19T0500Z.mbtiles") && names.contains("out.apng"))
    #expect(names.contains("out@2x/latest.mbtiles") && !names.contains { $0.contains("T0400Z") })
    // The parts are published for the plan alone.
    #expect(try sample.files(in: "plan/parts") == ["part-00000.tiles", "part-00001.tiles"])
  }

  @Test("a merge replaces the frames of an earlier build as a build does")
  func replacement() throws {
    let sample = try ShardSample(.series)
    try sample.build(to: "one.mbtiles")
    try sample.build(to: "merged.mbtiles")
    try sample.write(6)
    try sample.build(to: "one.mbtiles")
    try sample.plan(shards: 1)
    try sample.paint(0)
    #expect(try sample.merge(to: "merged.mbtiles")[0].series?.expired == 1)
    #expect(try sample.archives("merged.mbtiles") == sample.archives("one.mbtiles"))
  }

  @Test("a part with other frames than those of its shard ends the merge with 65 and its name")
  func misfit() throws {
    let sample = try ShardSample(.series)
    try sample.plan(shards: 2)
    for shard in 0..<2 { try sample.paint(shard) }
    let folder = try PlanFolder(FilePath(sample.plan))
    let writer = try PartWriter(folder.part(1), plan: folder.digest, shard: 1)
    try writer.commit(Cancellation())
    #expect {
      try sample.merge(to: "merged.mbtiles")
    } throws: { error in
      let failure = error as? PipelineError
      return failure?.exitCode == 65 && failure?.place?.file.hasSuffix("part-00001.tiles") == true
    }
    #expect(try !sample.files(in: "merged").contains("out.frames.json"))
  }

  @Test("a shard reads no image but those of its frames")
  func images() throws {
    let sample = try ShardSample(.series)
    try sample.plan(shards: 3)
    let inputs = "plan/inputs/0"
    #expect(try sample.files(in: inputs).count == 3)
    let other = sample.folder.path("\(inputs)/2014011905.png")
    try Data([1, 2, 3]).write(to: URL(filePath: other))
    for shard in 0..<2 { try sample.paint(shard) }
    #expect {
      try sample.paint(2)
    } throws: { error in
      let failure = error as? PipelineError
      return failure?.exitCode == 65 && failure?.place?.file.hasSuffix("2014011905.png") == true
    }
  }
}
