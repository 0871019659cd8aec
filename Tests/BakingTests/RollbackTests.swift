import Archives
import Files
import Foundation
import MBTiles
import PipelineSamples
import Publication
import SystemPackage
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

private let sidecars: [String] = [".legend.json", ".legend.png", ".style.json", ".tilejson"]

@Suite("A published archive")
struct RollbackTests {
  @Test("a build keeps the replaced archive, and a rollback restores it until a build is accepted")
  func rollback() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
    try sample.build()
    let good = try sample.folder.bytes("out.mbtiles")
    try sample.move()
    try sample.build()
    let bad = try sample.folder.bytes("out.mbtiles")
    #expect(try sample.folder.bytes("out.mbtiles.1") == good)

    let summaries = try sample.rollback()
    #expect(summaries.map(\.restored) == [sample.archive + ".1"])
    #expect(try sample.folder.bytes("out.mbtiles") == good)
    #expect(try sample.folder.bytes("out.mbtiles.bad") == bad)
    #expect(try !sample.folder.names().contains("out.mbtiles.1"))
    #expect(
      try String(contentsOfFile: sample.folder.path("out.report.json"), encoding: .utf8)
        .contains(FileDigest.sha256(of: FilePath(sample.archive))))

    // The inputs still make the bad one; new ones wait too.
    for _ in 0..<2 {
      let error = #expect(throws: PipelineError.self) { try sample.build() }
      #expect(error?.exitCode == 65 && error?.message.contains("--accept-changes") == true)
      #expect(try sample.folder.bytes("out.mbtiles") == good)
      try sample.move(by: 3)
    }
    // The inputs of what was restored make no other.
    try sample.move(by: 0)
    let unchanged = try sample.build()[0]
    #expect(unchanged.result == .unchanged)
    #expect(unchanged.notes.contains { $0.contains("rolled back") })

    try sample.move()
    var options = BuildOptions()
    options.acceptsChanges = true
    #expect(try sample.build(options)[0].result == .published)
    #expect(try sample.folder.bytes("out.mbtiles") == bad)
    #expect(try sample.folder.bytes("out.mbtiles.1") == good)
    #expect(try !sample.folder.names().contains { $0.contains("bad") })
  }

  @Test("an archive is described by its own sidecars, before and after a rollback")
  func described() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
    func texts(_ ending: String = "") throws -> [[UInt8]] {
      try ["out.tilejson", "out.style.json", "out.legend.json", "out.legend.png"]
        .map { try sample.folder.bytes($0 + ending) }
    }
    try sample.build()
    let good = try texts()
    try sample.move()
    try sample.build()
    let bad = try texts()
    #expect(good[0] != bad[0])
    #expect(try texts(".1") == good)
    try sample.rollback()
    #expect(try texts() == good && texts(".bad") == bad)
    // A build that has nothing to publish leaves them.
    try sample.move(by: 0)
    #expect(try sample.build()[0].result == .unchanged)
    #expect(try texts() == good)
    try sample.move()
    var options = BuildOptions()
    options.acceptsChanges = true
    #expect(try sample.build(options)[0].result == .published)
    #expect(try texts() == bad && texts(".1") == good)
    #expect(try !sample.folder.names().contains { $0.contains("bad") })
  }

  @Test("an archive has no sidecars after a rollback if the kept ones belong to another archive")
  func foreignSidecars() throws {
    let sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2}", output: "{path: out.mbtiles, keepArchives: 2}")
    try sample.build()
    try sample.move()
    try sample.build()
    // As a build leaves them that dies between its archive and its sidecars.
    for suffix in sidecars {
      try Data(sample.folder.bytes("out\(suffix)"))
        .write(to: sample.folder.url.appendingPathComponent("out\(suffix).1"))
    }
    try sample.rollback()
    let names = try sample.folder.names()
    #expect(!sidecars.contains { names.contains("out\($0)") || names.contains("out\($0).1") })
    #expect(names.contains("out.report.json"))
  }

  @Test(
    "builds and rollbacks leave the user's own files named like sidecars alone",
    arguments: [sidecars, [".style.json"]])
  func handwritten(suffixes: [String]) throws {
    let sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2}",
      output: "{path: out.mbtiles, keepArchives: 2, sidecars: false}")
    func write(_ text: String) throws {
      for suffix in suffixes { try sample.folder.write("{\"\(text)\": 1}", to: "out\(suffix)") }
    }
    try write("first")
    try sample.build()
    try sample.move()
    try sample.build()
    try write("second")
    try sample.rollback()
    for suffix in suffixes {
      #expect(try sample.folder.bytes("out\(suffix)") == Array("{\"second\": 1}".utf8))
    }
    let names = try sample.folder.names().filter { name in
      sidecars.contains { name.contains($0) }
    }
    #expect(names == suffixes.map { "out\($0)" })
    #expect(try sample.folder.names().contains("out.report.json.bad"))
  }

  @Test("a rollback keeps the user's own style instead of the kept one")
  func handwrittenOverKept() throws {
    let sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2}", output: "{path: out.mbtiles, keepArchives: 2}")
    try sample.build()
    try sample.move()
    try sample.build()
    for suffix in sidecars {
      try FileManager.default.removeItem(atPath: sample.folder.path("out\(suffix)"))
    }
    try sample.folder.write("mine", to: "out.style.json")
    try sample.rollback()
    let names = try sample.folder.names().filter { name in
      sidecars.contains { name.contains($0) }
    }
    #expect(names == ["out.style.json"])
    #expect(try sample.folder.bytes("out.style.json") == Array("mine".utf8))
  }

  @Test("a rolled back archive is also released by an accepting build of unchanged inputs")
  func release() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
    try sample.build()
    try sample.move()
    try sample.build()
    try sample.rollback()
    try sample.move(by: 0)
    var options = BuildOptions()
    options.acceptsChanges = true
    #expect(try sample.build(options)[0].result == .unchanged)
    #expect(try !sample.folder.names().contains { $0.contains("bad") })
    try sample.move()
    #expect(try sample.build()[0].result == .published)
  }

  @Test("a rollback to a damaged or missing archive is refused")
  func unsound() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
    let none = #expect(throws: PipelineError.self) { try sample.rollback() }
    #expect(none?.exitCode == 66 && none?.message.contains("keepArchives") == true)
    try sample.build()
    try sample.move()
    try sample.build()
    let before = try sample.folder.bytes("out.mbtiles")
    var bytes = try sample.folder.bytes("out.mbtiles.1")
    bytes[bytes.count / 2] ^= 0x55
    try Data(bytes).write(to: sample.folder.url.appendingPathComponent("out.mbtiles.1"))
    let error = #expect(throws: PipelineError.self) { try sample.rollback() }
    #expect(error?.exitCode == 65 && error?.message.contains("out.mbtiles.1 is not sound") == true)
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try !sample.folder.names().contains { $0.contains("bad") })
  }

  @Test("an archive is rolled back in all densities or in none")
  func densities() throws {
    let sample = try BuildSample(
      tiles: "{maxzoom: 2, scale: [1, 2]}", output: "{path: out.mbtiles, keepArchives: 1}")
    try sample.build()
    let first = try ["out.mbtiles", "out@2x.mbtiles"].map { try sample.folder.bytes($0) }
    try sample.move()
    try sample.build()
    let kept = sample.folder.path("out@2x.mbtiles.1")
    try FileManager.default.moveItem(atPath: kept, toPath: kept + "0")
    try FileManager.default.removeItem(atPath: kept + "0")
    let second = try sample.folder.bytes("out.mbtiles")
    #expect(throws: PipelineError.self) { try sample.rollback() }
    #expect(try sample.folder.bytes("out.mbtiles") == second)
    try Data(first[1]).write(to: URL(fileURLWithPath: kept))
    #expect(try sample.rollback().count == 2)
    #expect(
      try ["out.mbtiles", "out@2x.mbtiles"].map { try sample.folder.bytes($0) } == first)
  }

  @Test("an archive is rolled back in the densities that a killed run left behind")
  func behind() throws {
    let sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2, scale: [1, 2]}",
      output: "{path: out.mbtiles, keepArchives: 3}")
    func state() throws -> [[UInt8]] {
      try ["out.mbtiles", "out@2x.mbtiles"].map { try sample.folder.bytes($0) }
    }
    try sample.build()
    let oldest = try state()
    try sample.move(by: 3)
    try sample.build()
    let old = try state()
    try sample.move()
    try sample.build()
    try sample.rollback(archives: [sample.archive])
    let summaries = try sample.rollback()
    #expect(summaries.map(\.archive) == [sample.folder.path("out@2x.mbtiles")])
    #expect(try state() == old)
    #expect(try sample.rollback().count == 2)
    #expect(try state() == oldest)
  }

  @Test("a rollback after one that was killed before its list was written goes no further back")
  func unfinished() throws {
    let sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2}", output: "{path: out.mbtiles, keepArchives: 3}")
    var options = BuildOptions()
    options.writesDeltas = true
    for step in [0, 3, 6] {
      try sample.move(by: step)
      try sample.build(options)
    }
    let paths = UpdatePaths(besides: FilePath(sample.archive))
    let list = try Data(contentsOf: URL(fileURLWithPath: paths.current.string))
    try sample.rollback()
    let restored = try sample.folder.bytes("out.mbtiles")
    // As it was when the archive had its name back, and the list was set aside.
    unlink(paths.current.string)
    try list.write(to: URL(fileURLWithPath: paths.withheld.string))
    let summaries = try sample.rollback()
    #expect(summaries.map(\.restored) == [nil])
    #expect(try sample.folder.bytes("out.mbtiles") == restored)
    #expect(paths.list != nil && !FileStatus.exists(paths.withheld))
    // The next one is meant.
    #expect(try sample.rollback().map(\.restored) == [sample.archive + ".2"])
    #expect(try sample.folder.bytes("out.mbtiles") != restored)
  }
}

extension BuildSample {
  @discardableResult
  fileprivate func rollback(archives: [String]) throws -> [RollbackSummary] {
    try PipelineRunner.rollback(
      archives: archives, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
  }

  @discardableResult
  fileprivate func rollback() throws -> [RollbackSummary] {
    try PipelineRunner.rollback(
      definition(), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
  }
}
