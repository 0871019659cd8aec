import Foundation
import MBTiles
import SystemPackage
import TestSupport
import Testing

@testable import Pipeline

private let sidecars: [String] = [".legend.json", ".legend.png", ".style.json", ".tilejson"]

@Suite("What a build publishes")
struct PublicationTests {
  // MARK: expect.changedTiles

  @Test(
    "is refused where more or fewer tiles change than expected, unless that is accepted",
    arguments: [
      ("{max: 0}", false), ("{max: 1%}", false), ("{max: 0.5%}", false), ("{min: 100000}", false),
      ("{min: 400%}", false), ("{max: 100%}", true), ("{max: 100000}", true),
      ("{min: 1, max: 100%}", true), ("{min: 0.1%}", true),
    ])
  func changedTiles(range: String, isPublished: Bool) throws {
    let sample = try BuildSample(more: "expect: {changedTiles: \(range)}")
    // Without an archive there is nothing to compare with.
    let first = try sample.build()
    #expect(first.map(\.result) == [.published] && first[0].changes == nil)
    let before = try sample.folder.bytes("out.mbtiles")
    try sample.move()
    if isPublished {
      #expect(try sample.build()[0].result == .published)
    } else {
      let error = #expect(throws: PipelineError.self) { try sample.build() }
      #expect(error?.code == .unexpected && error?.exitCode == 65)
      #expect(error?.message.contains("tiles would change") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("--accept-changes") == true)
      #expect(try sample.folder.bytes("out.mbtiles") == before)
      var options = BuildOptions()
      options.acceptsChanges = true
      #expect(try sample.build(options)[0].result == .published)
    }
    #expect(try sample.folder.bytes("out.mbtiles") != before)
  }

  @Test("is compared with what was there, tile by tile")
  func changes() throws {
    let sample = try BuildSample()
    try sample.build()
    let old = sample.folder.path("old.mbtiles")
    try FileManager.default.copyItem(atPath: sample.archive, toPath: old)
    try sample.move()
    let report = try sample.build()[0]
    let changes = try #require(report.changes)
    #expect(changes.differing > 0 && changes.unchanged > 0)
    let comparison = ArchiveComparison(
      old: try ArchiveReader(FilePath(old)), new: try ArchiveReader(FilePath(sample.archive)))
    #expect(try comparison.count() == changes)
    #expect(changes.newTiles == report.tiles.planned)
  }

  @Test("replaces an archive that cannot be read, and says that it was not compared")
  func unreadable() throws {
    let sample = try BuildSample(more: "expect: {changedTiles: {max: 0}}")
    try sample.folder.write("no archive", to: "out.mbtiles")
    let report = try sample.build()[0]
    #expect(report.result == .published && report.changes == nil)
    #expect(report.notes.count == 1 && report.notes[0].contains("'changedTiles' was not checked"))
  }

  // MARK: keepArchives and rollback

  @Test("keeps what it replaces, and a rollback brings it back until a build is told otherwise")
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

  @Test("is described by its own sidecars, before and after a rollback")
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

  @Test("has no sidecars after a rollback where those that were kept are another archive's")
  func foreignSidecars() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
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
    "leaves files of somebody's own alone that are called like sidecars, and so does a rollback",
    arguments: [sidecars, [".style.json"]])
  func handwritten(suffixes: [String]) throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2, sidecars: false}")
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

  @Test("leaves a style of somebody's own in place of one that is kept with an archive")
  func handwrittenOverKept() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
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

  @Test("and was rolled back is released by an accepting build of unchanged inputs too")
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

  @Test("is not rolled back to a damaged archive, nor to none")
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

  @Test("is rolled back in all densities or in none")
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

  // MARK: Locks

  @Test("is left to another run where the options say so, and waited for where they say that")
  func locked() throws {
    let sample = try BuildSample(tiles: "{maxzoom: 2, scale: [1, 2]}")
    var holder: ArchivePublication? = try ArchivePublication(
      FilePath(sample.folder.path("out@2x.mbtiles")))
    var options = BuildOptions()
    #expect(throws: PipelineError.self) { try sample.build(options) }
    options.whenLocked = .skip
    let skipped = try sample.build(options)
    #expect(skipped.map(\.result) == [.skipped, .skipped])
    #expect(skipped[0].summary.contains("skipped, since another run is building"))
    options.whenLocked = .wait
    let cancellation = Cancellation(maxSeconds: 0.05)
    let error = #expect(throws: PipelineError.self) {
      try sample.build(options, cancellation: cancellation)
    }
    #expect(error?.code == .outOfTime)
    #expect(
      try sample.folder.names() == [
        ".out@2x.mbtiles.lock", "places.csv", "sample.yml",
      ])
    withExtendedLifetime(holder) {}
    holder = nil
    #expect(try sample.build(options).map(\.result) == [.published, .published])
  }

  // MARK: Room

  @Test(
    "is not begun where there is no room for it",
    arguments: [
      // Two folders of one file system share its room.
      ([1: 119], false), ([1: 120], true), ([:], true),
    ] as [([UInt64: Int], Bool)])
  func room(free: [UInt64: Int], isEnough: Bool) throws {
    var check = SpaceCheck(needs: [("a", 100), ("b", 50)])
    check.space = { _ in free[1].map { FreeSpace(bytes: $0, device: 1) } }
    if isEnough {
      try check.run()
    } else {
      let error = #expect(throws: PipelineError.self) { try check.run() }
      #expect(error?.exitCode == 74)
      #expect(error?.message.contains("150 bytes") == true, "\(error?.message ?? "")")
    }
    check.space = { FreeSpace(bytes: $0 == "a" ? 80 : 39, device: $0 == "a" ? 1 : 2) }
    let error = #expect(throws: PipelineError.self) { try check.run() }
    #expect(error?.message.contains("in b") == true, "\(error?.message ?? "")")
  }

  @Test("needs about the room that was estimated")
  func need() throws {
    let sample = try BuildSample()
    let size = try sample.build()[0].archive.bytes
    let planned = try sample.planned()
    let estimate = try planned.estimate()
    let layout = try #require(ArchiveLayout(rawValue: "dedup"))
    let sampled = SpaceNeed(
      planned, LayoutDecision(layout: layout, estimate: estimate), last: 5)
    #expect(sampled.archive > size / 2 && sampled.archive < size * 2)
    #expect(sampled.scratch > 0 && sampled.scratch < sampled.archive)
    let last = SpaceNeed(planned, LayoutDecision(layout: layout), last: 1_000_000)
    #expect(last.archive == 1_000_000 && last.scratch < 1_000_000)
    let least = SpaceNeed(planned, LayoutDecision(layout: layout), last: nil)
    #expect(least.archive > 0 && least.archive < size)
  }
}

@Suite("Keys of publishing")
struct PublicationKeyTests {
  @Test(
    "take counts and shares, and nothing else",
    arguments: [
      ("{max: 20%}", nil, ChangeRange.End.percent(20)),
      ("{min: 0.25%, max: 7}", .percent(0.25), .count(7)), ("{min: 3}", .count(3), nil),
      ("{}", nil, nil),
    ] as [(String, ChangeRange.End?, ChangeRange.End?)])
  func ranges(text: String, minimum: ChangeRange.End?, maximum: ChangeRange.End?) throws {
    let range = try definition(minimal + "\nexpect: {changedTiles: \(text)}").expectation
    #expect(range.changedTiles == ChangeRange(minimum: minimum, maximum: maximum))
  }

  @Test(
    "refuse what is no count and no share",
    arguments: [
      "{max: -1}", "{max: 20 %}", "{max: '%'}", "{max: -3%}", "{max: 1.5}", "{max: 1.%}",
      "{max: .5%}", "{max: 1e3%}", "{max: a%}", "{max: 111111111111111111111%}",
      "{min: 3, max: 2}", "{min: 30%, max: 2%}", "20%", "{most: 3}",
    ])
  func refused(text: String) {
    #expect(fault(minimal + "\nexpect: {changedTiles: \(text)}") != "none")
  }

  @Test("are refused by name where the output is a series")
  func series() throws {
    for (key, more) in [
      ("keepArchives", "output: {path: rain.mbtiles, keepArchives: 2}"),
      ("changedTiles", "expect: {changedTiles: {max: 3}}"),
    ] {
      let text = """
        version: 1
        sources:
          rain: {type: image-series, frames: 'in/*.png', time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]}
        layers: [{id: r, type: raster, source: rain}]
        \(more)
        """
      #expect(fault(text).contains(key), "\(fault(text))")
    }
    let sample = try SeriesSample()
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.rollback(
        try PipelineDefinition(contentsOf: sample.file, environment: { _ in nil }),
        options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.exitCode == 64)
  }

  @Test("compare shares with the archive that is replaced")
  func shares() {
    var zoom = TileChanges.Zoom(zoom: 3)
    (zoom.added, zoom.changed, zoom.removed, zoom.unchanged) = (3, 1, 1, 18)
    let changes = TileChanges(zooms: [zoom])
    // 5 of 20.
    for (percent, isReached, isExceeded) in [
      (24.9, true, true), (25, true, false), (25.1, false, false),
    ] {
      #expect(ChangeRange(minimum: .percent(percent)).contains(changes) == isReached)
      #expect(ChangeRange(maximum: .percent(percent)).contains(changes) == !isExceeded)
    }
    for (count, isReached, isExceeded) in [(4, true, true), (5, true, false), (6, false, false)] {
      #expect(ChangeRange(minimum: .count(count)).contains(changes) == isReached)
      #expect(ChangeRange(maximum: .count(count)).contains(changes) == !isExceeded)
    }
  }
}

extension BuildSample {
  fileprivate var archive: String { folder.path("out.mbtiles") }

  /// Moves the last of the points; by 0 it is where it was at first.
  fileprivate func move(by degrees: Int = 1) throws {
    let mark = folder.path("first.csv")
    if !FileManager.default.fileExists(atPath: mark) {
      try FileManager.default.copyItem(atPath: folder.path("places.csv"), toPath: mark)
    }
    var lines = try String(contentsOfFile: mark, encoding: .utf8).split(separator: "\n")
    if degrees > 0 { lines[lines.count - 1] = "\(10 + degrees),\(20 + degrees),moved" }
    try folder.write(lines.joined(separator: "\n"), to: "places.csv")
  }

  @discardableResult
  fileprivate func rollback() throws -> [RollbackSummary] {
    try PipelineRunner.rollback(
      definition(), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
  }
}
