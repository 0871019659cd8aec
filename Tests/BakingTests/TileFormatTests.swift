import Foundation
import MBTiles
import Pictures
import PNG
import PipelineSamples
import Raster
import SQLite
import SystemPackage
import TestSupport
import Testing
import TileCodecs

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The format of a tileset's tiles")
struct TileFormatTests {
  /// Returns the tiles of an archive, decoded, by their names.
  private func tiles(_ path: String) throws -> [String: (format: TileFormat?, pixels: [UInt32])] {
    var tiles: [String: (format: TileFormat?, pixels: [UInt32])] = [:]
    var failure: (any Error)?
    try ArchiveReader(FilePath(path)).forEachTile { tile, bytes in
      do {
        let picture = try TileDecoder().decode(bytes)
        tiles["\(tile)"] = (
          TileFormat(sniffing: bytes), withExtendedLifetime(picture) { Array(picture.pixels) }
        )
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return tiles
  }

  @Test(
    "lossless WebP tiles have the pixels of the PNG tiles: symbols, areas, images, gaps",
    .enabled(if: WebPLibrary.version != nil), arguments: [true, false])
  func lossless(isSparse: Bool) throws {
    var tileset = try EditedTileset(records: 60, seed: 4, isSparse: isSparse)
    if !isSparse { try tileset.make(.image) }
    _ = try tileset.build()
    let archive = try #require(tileset.folder).path("edited.mbtiles")
    let png = try tiles(archive)
    try tileset.replace("tiles: {", by: "tiles: {format: webp, ")
    let report = try tileset.build()
    #expect(report.tiles.reused == 0)
    let webP = try tiles(archive)
    #expect(png.keys.sorted() == webP.keys.sorted() && png.count > 5)
    for (name, tile) in webP {
      #expect(tile.format == .webp)
      #expect(tile.pixels == png[name]?.pixels, "\(name)")
    }
    let verification = try PipelineRunner.verify(
      archive: archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [] && verification.warnings == [])
    #expect(try ArchiveReader(FilePath(archive)).metadata["format"] == "webp")
  }

  @Test(
    "an incremental build has the bytes of a full one in every format",
    .enabled(if: WebPLibrary.version != nil),
    arguments: [
      "format: webp", "format: webp, quality: 50",
      "format: jpeg, quality: 70, background: '#fff'",
    ])
  func incremental(keys: String) throws {
    var tileset = try EditedTileset(records: 60, seed: 6)
    try tileset.replace("tiles: {", by: "tiles: {\(keys), ")
    _ = try tileset.build()
    try tileset.make(.move)
    try tileset.replace("tiles: {", by: "tiles: {\(keys), ")
    let report = try tileset.build()
    #expect(report.tiles.reused > 0 && report.tiles.rendered > 0)
    #expect(try tileset.archive() == tileset.wholeArchive())
    let archive = try #require(tileset.folder).path("edited.mbtiles")
    let verification = try PipelineRunner.verify(
      archive: archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
    // JPEG hides what lies under it.
    let type = keys.contains("jpeg") ? "baselayer" : "overlay"
    #expect(try ArchiveReader(FilePath(archive)).metadata["type"] == type)
    try Database(path: archive, mode: .readWrite)
      .execute("UPDATE metadata SET value = 'none' WHERE name = 'type'")
    let changed = try PipelineRunner.verify(
      archive: archive, cancellation: Cancellation(), progress: { _ in })
    #expect(changed.faults.contains { $0.contains("'type' is 'none', not \(type)") })
  }

  @Test("another quality paints the tiles again", .enabled(if: WebPLibrary.version != nil))
  func quality() throws {
    let sample = try ImageSample(tiles: "{minzoom: 0, maxzoom: 1, format: webp, quality: 30}")
    #expect(try sample.build().result == .published)
    #expect(try sample.build().result == .unchanged)
    let text = try String(contentsOfFile: sample.file, encoding: .utf8)
    try sample.folder.write(text.replacing("quality: 30", with: "quality: 90"), to: "photo.yml")
    let report = try sample.build()
    #expect(report.result == .published && report.tiles.reused == 0)
  }

  @Test(
    "a format that cannot be is refused with its place",
    arguments: [
      ("format: jpeg", "JPEG has no transparency. Set 'background'"),
      ("format: jpeg, background: 'rgba(0, 0, 0, 0.5)'", "'background' is not opaque"),
      ("format: jpeg, background: nonsense", "'background' needs a CSS colour"),
      ("quality: 50", "PNG is lossless"),
      ("format: webp, background: '#fff'", "'background' is for tiles in JPEG"),
      ("format: gif", "'format' in tiles must be one of png, webp, jpeg"),
      ("format: webp, quality: 101", "101"),
    ])
  func refused(keys: String, words: String) throws {
    let sample = try ImageSample(tiles: "{minzoom: 0, maxzoom: 1, \(keys)}")
    let error = try #require(throws: PipelineError.self) { _ = try sample.definition() }
    #expect(error.code == .definition && error.place?.line != nil)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test("sidecars and exports name the format", .enabled(if: WebPLibrary.version != nil))
  func sidecars() throws {
    let sample = try ImageSample(tiles: "{minzoom: 0, maxzoom: 1, format: webp}")
    _ = try sample.build()
    let tileJSON = try String(contentsOfFile: sample.folder.path("photo.tilejson"), encoding: .utf8)
    #expect(tileJSON.contains(#""photo/{z}/{x}/{y}.webp""#))
    #expect(tileJSON.contains(#""format": "webp""#))
    let style = try String(contentsOfFile: sample.folder.path("photo.style.json"), encoding: .utf8)
    #expect(style.contains("photo/{z}/{x}/{y}.webp"))
  }
}
