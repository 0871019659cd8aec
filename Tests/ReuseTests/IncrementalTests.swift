import Foundation
import PipelineSamples
import TestSupport
import Testing

@testable import Reports

@Suite("An incremental build")
struct IncrementalTests {
  /// A sequence of edits.
  struct Sequence: Sendable {
    var seed: UInt64
    var steps: Int
    var isSparse: Bool
    var taps = ""
  }

  private static let sequences =
    (runsSlowTests
      ? (1...6).map { Sequence(seed: $0, steps: 60, isSparse: $0 % 3 != 0) }
      : [Sequence(seed: 1, steps: 8, isSparse: false), Sequence(seed: 2, steps: 2, isSparse: true)])
    + ["compact", "utfgrid"].map {
      Sequence(
        seed: 3, steps: runsSlowTests ? 60 : 8, isSparse: false,
        taps: ", interactivity: {format: \($0)}")
    }

  @Test("an incremental build has the bytes of a full one after any edits", arguments: sequences)
  func edits(sequence: Sequence) throws {
    var tileset = try EditedTileset(
      records: 200, seed: sequence.seed, snap: Int(sequence.seed % 2), isSparse: sequence.isSparse,
      taps: sequence.taps)
    _ = try tileset.reusedTiles()
    var reused = 0
    for _ in 0..<sequence.steps {
      let edit = try tileset.edit()
      reused += try tileset.reusedTiles()
      #expect(try tileset.archive() == tileset.wholeArchiveOfProgram(), "after \(edit)")
    }
    #expect(reused > 0)
  }

  @Test("an incremental build paints only what an edit changed", arguments: [0, 1])
  func cost(snap: Int) throws {
    var tileset = try EditedTileset(records: 200, seed: 7, maxZoom: 8, snap: snap)
    let first = try tileset.build()
    #expect(first.tiles.reused == 0 && first.tiles.rendered > 50)
    try tileset.make(.move)
    let second = try tileset.build()
    #expect(second.tiles.rendered < first.tiles.rendered / 4)
    #expect(second.tiles.reused > first.tiles.rendered / 2)
    try tileset.make(.nothingDrawn)
    let third = try tileset.build()
    #expect(third.result == .published && third.tiles.rendered == 0)
    #expect(third.archive.digest == second.archive.digest)
    #expect(try tileset.archive() == tileset.wholeArchive())
  }

  @Test("an incremental build paints everything with --force and --no-cache, which keeps nothing")
  func options() throws {
    let tileset = try EditedTileset(records: 40, seed: 3, maxZoom: 5)
    #expect(try tileset.build(noCache: true).tiles.reused == 0)
    #expect(try tileset.folder?.names().contains(".quadrille-cache") == false)
    #expect(try tileset.build().result == .unchanged)
    #expect(try tileset.build(force: true).tiles.reused == 0)
    #expect(try tileset.build(noCache: true).tiles.reused == 0)
    try FileManager.default.removeItem(atPath: tileset.folder?.path("edited.mbtiles") ?? "")
    #expect(try tileset.build().tiles.reused == 0)
  }

  @Test(
    "an incremental build takes tiles of either layout into either layout",
    arguments: ["dedup", "flat"])
  func layouts(first: String) throws {
    let tileset = try EditedTileset(records: 60, seed: 5, maxZoom: 5)
    let second = first == "flat" ? "dedup" : "flat"
    try tileset.replace("layout: dedup", by: "layout: \(first)")
    let painted = try tileset.build().tiles.rendered
    try tileset.replace("layout: \(first)", by: "layout: \(second)")
    let report = try tileset.build()
    #expect(report.tiles.reused == painted && report.tiles.rendered == 0)
    #expect(try tileset.archive() == tileset.wholeArchive())
  }

  @Test("an incremental build paints what a damaged archive lacks: each page in turn")
  func damage() throws {
    var tileset = try EditedTileset(records: 30, seed: 9, maxZoom: 5)
    _ = try tileset.build()
    let sound = try tileset.archive()
    try tileset.make(.move)
    let whole = try tileset.wholeArchive()
    var random = SplitMix64(seed: 2)
    let pages = sound.count / 4096
    let sample = runsSlowTests ? Array(0..<pages) : (0..<6).map { $0 * pages / 6 }
    var rendered: [Int] = []
    for page in sample {
      var damaged = sound
      for _ in 0..<(page == 0 ? 1 : 40) {
        damaged[page * 4096 + random.below(4096)] ^= UInt8(1 + random.below(255))
      }
      try tileset.put(damaged)
      rendered.append(try tileset.build().tiles.rendered)
      #expect(try tileset.archive() == whole, "page \(page)")
    }
    try tileset.put(sound)
    let least = try tileset.build().tiles.rendered
    #expect(rendered.contains { $0 > least })
  }

  @Test(
    "an incremental build reuses nothing of a file that is not its archive",
    arguments: ["", "SQLite format 3\0", String(repeating: "nothing", count: 2000)])
  func foreign(content: String) throws {
    let tileset = try EditedTileset(records: 30, seed: 11, maxZoom: 5)
    _ = try tileset.build()
    let whole = try tileset.archive()
    try tileset.put(Array(content.utf8))
    #expect(try tileset.build().tiles.reused == 0)
    #expect(try tileset.archive() == whole)
  }

  @Test(
    "an incremental build paints everything if its index is missing or damaged",
    arguments: [true, false])
  func indexes(isGone: Bool) throws {
    var tileset = try EditedTileset(records: 30, seed: 13, maxZoom: 5)
    _ = try tileset.build()
    for path in try tileset.artifacts("scenes") {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      bytes[bytes.count / 2] ^= 1
      try FileManager.default.removeItem(atPath: path)
      if !isGone { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    }
    try tileset.make(.nothingDrawn)
    #expect(try tileset.build().tiles.reused == 0)
    #expect(try tileset.archive() == tileset.wholeArchive())
  }

  @Test(
    "an incremental build of more points has the bytes of a full one",
    .enabled(if: runsSlowTests), arguments: [1000, 100_000])
  func many(records: Int) throws {
    var tileset = try EditedTileset(
      records: records, seed: 17, maxZoom: records > 10_000 ? 8 : 9)
    _ = try tileset.reusedTiles()
    for edit in [EditedTileset.Edit.move, .add, .delete, .shape, .image, .attribute, .recolor] {
      try tileset.make(edit)
      _ = try tileset.reusedTiles()
      #expect(try tileset.archive() == tileset.wholeArchiveOfProgram(), "after \(edit)")
    }
  }
}
