import Foundation
import MBTiles
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Compact taps on an archive")
struct CompactTapTests {
  /// A random place around the features, on both sides of the antimeridian, in px of the world.
  private static func place(
    _ zoom: Int, _ random: inout SplitMix64, spread: Double = 0.02
  ) -> (tile: TileCoord, x: Double, y: Double) {
    let side = Double(256 << zoom)
    var (x, y) = (random.number(in: 0..<side), random.number(in: 0..<side))
    if zoom >= 3 {
      x = (0.9986 + random.number(in: -spread..<spread)) * side
      y = (0.4717 + random.number(in: -spread..<spread)) * side
    }
    x = x < side ? x : x - side
    return (TileCoord(z: zoom, x: Int(x / 256), y: Int(y / 256)), x, y)
  }

  private static func answer(_ tap: ArchiveTap, _ place: (tile: TileCoord, x: Double, y: Double))
    throws -> ArchiveTap.Answer?
  {
    try tap.answer(
      in: place.tile, x: place.x / 256 - Double(place.tile.x),
      y: place.y / 256 - Double(place.tile.y))
  }

  @Test("compact taps are answered like a brute-force test of every feature, to the pixel")
  func bruteForce() throws {
    let sample = try TapSample(points: runsSlowTests ? 400 : 150, format: .compact)
    try sample.build()
    let sources = try sample.clustered()
    let tap = try ArchiveTap(FilePath(sample.archive))
    var random = SplitMix64(seed: 6)
    var answers = 0
    let count = runsSlowTests ? 100_000 : 400
    for zoom in TapSample.zooms {
      let model = try TapModel(sources, zoom: zoom)
      for _ in 0..<(count / TapSample.zooms.count) {
        let place = Self.place(zoom, &random)
        let answer = try Self.answer(tap, place)
        answers += answer == nil ? 0 : 1
        let fault = model.fault(of: answer?.key, left: place.x, top: place.y, side: 0)
        #expect(fault == nil, "px \(place.x), \(place.y) of zoom \(zoom)")
      }
    }
    #expect(answers > count / 25)
  }

  @Test("compact taps answer like UTFGrid, key and entry, if one feature has all of a cell")
  func grids() throws {
    let (compact, grids) = (
      try TapSample(points: 60, format: .compact), try TapSample(points: 60)
    )
    let smaller = try #require(try compact.build().first)
    let larger = try #require(try grids.build().first)
    #expect(smaller.archive.digest == larger.archive.digest)
    #expect(smaller.grids?.tiles == larger.grids?.tiles)
    let (exact, coarse) = (
      try ArchiveTap(FilePath(compact.archive)), try ArchiveTap(FilePath(grids.archive))
    )
    var random = SplitMix64(seed: 7)
    var (same, none) = (0, 0)
    for _ in 0..<400 {
      var place = Self.place(4 + random.below(4), &random, spread: 0.008)
      // Places around the middle of a cell and up to its edges.
      (place.x, place.y) = (
        (place.x / 4).rounded(.down) * 4 + 2, (place.y / 4).rounded(.down) * 4 + 2
      )
      let answers = try [-1.99, 0, 1.99].flatMap { dx in
        try [-1.99, 0, 1.99].map { dy in
          try Self.answer(exact, (place.tile, place.x + dx, place.y + dy))
        }
      }
      guard Set(answers).count == 1 else { continue }
      let answer = try Self.answer(coarse, place)
      #expect(answer == answers[0], "\(place)")
      if answer == nil { none += 1 } else { same += 1 }
    }
    #expect(same > 20 && none > 20)
  }

  @Test("compact taps are verified, reported, and fit every layout")
  func cost() throws {
    let sample = try TapSample(points: 60, layout: ", layout: flat", format: .compact)
    let report = try #require(try sample.build().first)
    let taps = try #require(report.grids)
    #expect(taps.isCompact && taps.tiles > 0 && taps.keys > 60 && taps.bytes > 0)
    #expect(report.summary.contains("taps: \(taps.tiles) tiles answer by \(taps.distinct) blocks"))
    #expect(try PipelineRunner.inspect(archive: sample.archive).contains("taps: \(taps.tiles)"))
    let verification = try PipelineRunner.verify(
      archive: sample.archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults.isEmpty, "\(verification.faults)")
    #expect(verification.warnings.isEmpty, "\(verification.warnings)")
    let reader = try ArchiveReader(FilePath(sample.archive))
    #expect(reader.metadata["template"] == nil && reader.metadata[ArchiveMetadata.tapsKey] != nil)
  }

  @Test("compact taps are the same on any number of threads, byte for byte")
  func determinism() throws {
    let samples = try (0..<2).map { _ in try TapSample(points: 50, format: .compact) }
    var options = BuildOptions()
    options.threads = 3
    try samples[0].build(options)
    options.threads = 1
    options.noCache = true
    try samples[1].build(options)
    #expect(
      FileManager.default.contents(atPath: samples[0].archive)
        == FileManager.default.contents(atPath: samples[1].archive))
  }

  /// The bytes of a small archive, which several tests take.
  private static let archive = Result {
    let sample = try TapSample(points: 30, format: .compact)
    try sample.build()
    return try Data(contentsOf: URL(fileURLWithPath: sample.archive))
  }

  /// A folder with the small archive in it.
  private static func copy() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = folder.path("out.mbtiles")
    try archive.get().write(to: URL(fileURLWithPath: path))
    return (folder, path)
  }

  @Test(
    "damaged compact taps are found, each with its block or feature",
    arguments: [
      (
        "UPDATE taps SET block_data = zeroblob(9) WHERE rowid = (SELECT rowid FROM taps LIMIT 1 OFFSET 2)",
        "the block cannot be inflated"
      ),
      (
        "UPDATE taps SET block_column = 99 WHERE rowid = (SELECT min(rowid) FROM taps)",
        "is of no block"
      ),
      (
        "UPDATE taps SET block_data = 'x' WHERE rowid = (SELECT min(rowid) FROM taps)",
        "has no bytes"
      ),
      (
        "DELETE FROM taps WHERE rowid = (SELECT rowid FROM taps LIMIT 1 OFFSET 1)",
        "but the taps give"
      ),
      ("DROP TABLE tap_entries", "there are no tables of them"),
      ("DROP TABLE taps", "there are no tables of them"),
      (
        "INSERT INTO tap_entries SELECT first_feature + 1, entry_data FROM tap_entries",
        "begins before the end of the one before"
      ),
      (
        "DELETE FROM tap_entries WHERE rowid = (SELECT min(rowid) FROM tap_entries)",
        "which 'tap_entries' lacks"
      ),
      (
        "UPDATE tap_entries SET first_feature = 1 << 53 WHERE rowid = (SELECT min(rowid) FROM tap_entries)",
        "cannot be"
      ),
      ("UPDATE tap_entries SET entry_data = zeroblob(3)", "the page cannot be inflated"),
      ("DROP INDEX taps_index", "no unique index on taps"),
    ])
  func damage(sql: String, fault: String) throws {
    let (folder, path) = try Self.copy()
    defer { withExtendedLifetime(folder) {} }
    do {
      let database = try Database(path: path, mode: .readWrite)
      try database.execute(sql)
    }
    let verification = try PipelineRunner.verify(
      archive: path, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults.contains { $0.contains(fault) }, "\(verification.faults)")
  }

  @Test("compact taps on the command line are a collection of one feature or none")
  func collection() throws {
    let (folder, path) = try Self.copy()
    defer { withExtendedLifetime(folder) {} }
    let inn = LngLat(longitude: 179.45, latitude: 9.45)
    let answer = try PipelineRunner.tap(archive: path, at: inn, zoom: nil)
    #expect(String(decoding: answer, as: UTF8.self).contains(#""geometry":null,"properties":{"#))
    let nothing = try PipelineRunner.tap(
      archive: path, at: LngLat(longitude: 0, latitude: 0), zoom: 3)
    #expect(
      String(decoding: nothing, as: UTF8.self)
        == #"{"type":"FeatureCollection","features":[]}"# + "\n")
  }
}
