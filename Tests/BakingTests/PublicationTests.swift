import DefinitionSamples
import Files
import Foundation
import MBTiles
import PipelineSamples
@testable import SourceStages
import SystemPackage
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("What a build publishes")
struct PublicationTests {
  // MARK: expect.changedTiles

  @Test(
    "a publication is refused if more or fewer tiles change than expected, unless accepted",
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

  @Test("a publication is compared with the previous archive, tile by tile")
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

  @Test("a publication replaces an unreadable archive, and reports that it was not compared")
  func unreadable() throws {
    let sample = try BuildSample(more: "expect: {changedTiles: {max: 0}}")
    try sample.folder.write("no archive", to: "out.mbtiles")
    let report = try sample.build()[0]
    #expect(report.result == .published && report.changes == nil)
    #expect(report.notes.count == 1 && report.notes[0].contains("'changedTiles' was not checked"))
  }

  // MARK: Locks

  @Test("a build of a locked archive fails, skips or waits, as its options say")
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
    "a publication is not begun without enough free space",
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

  @Test("a publication needs about the estimated space")
  func need() throws {
    let sample = try BuildSample()
    let size = try sample.build()[0].archive.bytes
    let planned = try sample.planned()
    let estimate = try planned.estimate()
    let layout = try #require(ArchiveLayout(rawValue: "dedup"))
    let sampled = SpaceNeed(
      planned.rows, LayoutDecision(layout: layout, estimate: estimate), last: 5)
    #expect(sampled.archive > size / 2 && sampled.archive < size * 2)
    #expect(sampled.scratch > 0 && sampled.scratch < sampled.archive)
    let last = SpaceNeed(planned.rows, LayoutDecision(layout: layout), last: 1_000_000)
    #expect(last.archive == 1_000_000 && last.scratch < 1_000_000)
    let least = SpaceNeed(planned.rows, LayoutDecision(layout: layout), last: nil)
    #expect(least.archive > 0 && least.archive < size)
  }
}

@Suite("Keys of publishing")
struct PublicationKeyTests {
  @Test(
    "publishing keys accept counts and shares, and nothing else",
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
    "publishing keys refuse invalid counts and shares",
    arguments: [
      "{max: -1}", "{max: 20 %}", "{max: '%'}", "{max: -3%}", "{max: 1.5}", "{max: 1.%}",
      "{max: .5%}", "{max: 1e3%}", "{max: a%}", "{max: 111111111111111111111%}",
      "{min: 3, max: 2}", "{min: 30%, max: 2%}", "20%", "{most: 3}",
    ])
  func refused(text: String) {
    #expect(fault(minimal + "\nexpect: {changedTiles: \(text)}") != "none")
  }

  @Test("publishing keys are refused by name if the output is a series")
  func series() throws {
    for (key, more) in [
      ("keepArchives", "output: {path: rain.mbtiles, keepArchives: 2}"),
      ("keepDeltas", "output: {path: rain.mbtiles, keepDeltas: 2}"),
      ("packs", "output: {path: rain.mbtiles, packs: {by: regions.geojson}}"),
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

  @Test("publishing keys compare shares with the archive that is replaced")
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
