import Foundation
import MBTiles
import PMTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A build into a PMTiles file")
struct PMTilesOutputTests {
  /// Builds the tileset of an edited sample into a file of this name.
  private func build(
    _ tileset: EditedTileset, _ name: String, force: Bool = false
  ) throws -> BuildReport {
    try tileset.build(force: force, noCache: force, output: name)
  }

  private func bytes(_ tileset: EditedTileset, _ name: String) throws -> [UInt8] {
    try #require(tileset.folder).bytes(name)
  }

  private func plain(_ tileset: EditedTileset) throws {
    // Explicit layouts are those of MBTiles.
    try tileset.replace(", layout: dedup", by: "")
  }

  @Test("a build into PMTiles has the bytes of an export, and leaves nothing else")
  func bytesOfExport() throws {
    let tileset = try EditedTileset(records: 60, seed: 2)
    try plain(tileset)
    let folder = try #require(tileset.folder)
    let report = try build(tileset, "direct.pmtiles")
    #expect(report.result == .published)
    let archive = try build(tileset, "plain.mbtiles")
    #expect(report.archive.digest == archive.archive.digest)
    _ = try PipelineRunner.export(
      ExportOptions(
        archive: folder.path("plain.mbtiles"), output: folder.path("exported.pmtiles"),
        container: .pmtiles), cancellation: Cancellation(), progress: { _ in })
    #expect(try bytes(tileset, "direct.pmtiles") == bytes(tileset, "exported.pmtiles"))
    #expect(!(try folder.names().contains { $0.contains("tmp-") }))
    #expect(try build(tileset, "direct.pmtiles").result == .unchanged)
    let verification = try PipelineRunner.verify(
      archive: folder.path("direct.pmtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
  }

  @Test("an incremental build into PMTiles has the bytes of a full one")
  func incremental() throws {
    var tileset = try EditedTileset(records: 80, seed: 8)
    try plain(tileset)
    _ = try build(tileset, "direct.pmtiles")
    for _ in 0..<2 {
      try tileset.make(.move)
      try plain(tileset)
      let report = try build(tileset, "direct.pmtiles")
      #expect(report.tiles.reused > 0 && report.tiles.rendered > 0)
      #expect(report.changes != nil)
      _ = try build(tileset, "whole.pmtiles", force: true)
      #expect(try bytes(tileset, "direct.pmtiles") == bytes(tileset, "whole.pmtiles"))
    }
  }

  @Test("PMTiles become the archive again that they were packed from, byte for byte")
  func roundTrip() throws {
    let tileset = try EditedTileset(records: 40, seed: 3)
    let folder = try #require(tileset.folder)
    _ = try build(tileset, "plain.mbtiles")
    for (from, to) in [("plain.mbtiles", "a.pmtiles"), ("a.pmtiles", "b.mbtiles")] {
      _ = try PipelineRunner.export(
        ExportOptions(
          archive: folder.path(from), output: folder.path(to),
          container: TileContainer(ofPath: to)), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(try bytes(tileset, "b.mbtiles") == bytes(tileset, "plain.mbtiles"))
  }

  @Test("a part of PMTiles is extracted, and PMTiles of other programs have tiles and metadata")
  func parts() throws {
    let tileset = try EditedTileset(records: 40, seed: 3)
    let folder = try #require(tileset.folder)
    _ = try build(tileset, "plain.mbtiles")
    var options = ExportOptions(
      archive: folder.path("plain.mbtiles"), output: folder.path("part.pmtiles"),
      container: .pmtiles)
    options.maxZoom = 3
    _ = try PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    // A part names no archive, as files of other programs do.
    options = ExportOptions(
      archive: folder.path("part.pmtiles"), output: folder.path("part.mbtiles"),
      container: .mbtiles)
    _ = try PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    let part = try ArchiveReader(FilePath(folder.path("part.mbtiles")))
    let whole = try ArchiveReader(FilePath(folder.path("plain.mbtiles")))
    #expect(part.metadata["maxzoom"] == "3" && part.metadata["name"] == "edited")
    #expect(part.metadata["format"] == "png" && part.metadata[ArchiveMetadata.ledgerKey] == nil)
    var count = 0
    try part.forEachTile { (tile, bytes) throws(ArchiveError) in
      count += 1
      #expect(try whole.tile(tile) == Array(bytes))
    }
    #expect(count > 1)
    let verification = try PipelineRunner.verify(
      archive: folder.path("part.mbtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
  }

  @Test(
    "a folder of tiles becomes an archive with the same tiles", arguments: TileScheme.allCases)
  func folder(scheme: TileScheme) throws {
    let tileset = try EditedTileset(records: 40, seed: 3)
    let folder = try #require(tileset.folder)
    _ = try build(tileset, "plain.mbtiles")
    var options = ExportOptions(
      archive: folder.path("plain.mbtiles"), output: folder.path("tiles"), container: .folder)
    options.scheme = scheme
    _ = try PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    try folder.write("no tile", to: "tiles/3/readme.png.txt")
    _ = try PipelineRunner.export(
      ExportOptions(
        archive: folder.path("tiles"), output: folder.path("back.mbtiles"), container: .mbtiles),
      cancellation: Cancellation(), progress: { _ in })
    let (old, new) = try (
      ArchiveReader(FilePath(folder.path("plain.mbtiles"))),
      ArchiveReader(FilePath(folder.path("back.mbtiles")))
    )
    for name in [ArchiveMetadata.digestKey, "name", "format", "minzoom", "maxzoom", "bounds"] {
      #expect(new.metadata[name] == old.metadata[name], "\(name)")
    }
    let verification = try PipelineRunner.verify(
      archive: folder.path("back.mbtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
    try FileManager.default.removeItem(atPath: folder.path("tiles/tile.json"))
    let error = try #require(throws: PipelineError.self) {
      _ = try PipelineRunner.export(
        ExportOptions(
          archive: folder.path("tiles"), output: folder.path("no.mbtiles"), container: .mbtiles),
        cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error.message.contains("has no tile.json"), "\(error.message)")
  }

  @Test("a delta between PMTiles leads from the one to the other, byte for byte")
  func delta() throws {
    var tileset = try EditedTileset(records: 40, seed: 12)
    try plain(tileset)
    let folder = try #require(tileset.folder)
    _ = try build(tileset, "old.pmtiles")
    try tileset.make(.move)
    try plain(tileset)
    _ = try build(tileset, "new.pmtiles")
    let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
    _ = try ArchiveDifference(
      old: folder.path("old.pmtiles"), new: folder.path("new.pmtiles"),
      output: folder.path("change.delta"), clock: clock
    ).run { _ in }
    let summary = try ArchivePatch(
      delta: folder.path("change.delta"), archive: folder.path("old.pmtiles"), scratch: nil,
      clock: clock
    ).run()
    #expect(summary.result == .applied)
    #expect(try bytes(tileset, "old.pmtiles") == bytes(tileset, "new.pmtiles"))
    #expect(!(try folder.names().contains { $0.contains("tmp-") }))
  }

  @Test("a rollback restores the last PMTiles file")
  func rollback() throws {
    var tileset = try EditedTileset(records: 40, seed: 13)
    try plain(tileset)
    try tileset.replace(
      "output: {path: edited.mbtiles", by: "output: {keepArchives: 2, path: e.pmtiles")
    let folder = try #require(tileset.folder)
    _ = try tileset.build()
    let first = try folder.bytes("e.pmtiles")
    try tileset.make(.move)
    try plain(tileset)
    try tileset.replace(
      "output: {path: edited.mbtiles", by: "output: {keepArchives: 2, path: e.pmtiles")
    _ = try tileset.build()
    #expect(try folder.bytes("e.pmtiles") != first)
    _ = try PipelineRunner.rollback(
      archives: [folder.path("e.pmtiles")], options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    #expect(try folder.bytes("e.pmtiles") == first)
  }

  @Test(
    "what a PMTiles file cannot hold is refused with its place",
    arguments: [
      ("maxzoom: 5, ", "maxzoom: 5, interactivity: {}, ", "holds no taps"),
      ("layout: dedup", "layout: flat", "has its own layout"),
    ])
  func refused(old: String, new: String, words: String) throws {
    let tileset = try EditedTileset(records: 20, seed: 2)
    try tileset.replace(old, by: new)
    let error = try #require(throws: PipelineError.self) {
      _ = try build(tileset, "direct.pmtiles")
    }
    #expect(error.code == .definition && error.place?.line != nil)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test("a damaged PMTiles file is refused or built again, and never crashes")
  func damage() throws {
    let tileset = try EditedTileset(records: 20, seed: 5, maxZoom: 4)
    try plain(tileset)
    let folder = try #require(tileset.folder)
    _ = try build(tileset, "direct.pmtiles")
    let whole = try folder.bytes("direct.pmtiles")
    var random = SplitMix64(seed: 1)
    for _ in 0..<40 {
      var damaged = whole
      damaged[random.below(min(damaged.count, 4000))] ^= UInt8(1 + random.below(255))
      try Data(damaged).write(to: URL(fileURLWithPath: folder.path("x.pmtiles")))
      let path = FilePath(folder.path("x.pmtiles"))
      _ = try? ArchiveReader.opening(path).summary()
      let found = try PipelineRunner.verify(
        archive: path.string, cancellation: Cancellation(), progress: { _ in })
      #expect(!found.faults.isEmpty || damaged == whole || (try? StoredMetadata.read(path)) != nil)
    }
    try Data(whole.dropLast(50)).write(to: URL(fileURLWithPath: folder.path("direct.pmtiles")))
    #expect(try build(tileset, "direct.pmtiles").result == .published)
    #expect(try folder.bytes("direct.pmtiles") == whole)
  }
}
