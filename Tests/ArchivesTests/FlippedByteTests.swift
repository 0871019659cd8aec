import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Runs

@Suite("verify")
struct FlippedByteTests {
  /// Everything that a reader of an archive may get, or `nil` where reading it fails.
  private struct Content: Equatable {
    var metadata: [MetadataEntry]
    var tiles: [TileCoord: [UInt8]]

    init?(_ path: String) {
      guard let reader = try? ArchiveReader(FilePath(path)) else { return nil }
      metadata = reader.metadata.entries
      tiles = [:]
      do throws(ArchiveError) {
        try reader.forEachTile { (tile, bytes) throws(ArchiveError) in tiles[tile] = Array(bytes) }
      } catch {
        return nil
      }
    }
  }

  /// A small archive of real tiles, with the report beside it.
  private static func archive(_ layout: String) throws -> TemporaryFolder {
    let sample = try BuildSample(rows: 9, tiles: "{maxzoom: 1, snap: 1}")
    let text = String(decoding: try sample.folder.bytes("sample.yml"), as: UTF8.self)
    try sample.folder.write(
      text.replacing("{path: out.mbtiles}", with: "{path: out.mbtiles, layout: \(layout)}"),
      to: "sample.yml")
    _ = try sample.build()
    return sample.folder
  }

  @Test(
    "verify finds any flipped byte, and names the tiles that it affects",
    arguments: ["dedup", "flat"])
  func flipped(layout: String) throws {
    let folder = try Self.archive(layout)
    let report = folder.path("out.report.json")
    let good = try folder.bytes("out.mbtiles")
    let content = try #require(Content(folder.path("out.mbtiles")))
    let alone = try TemporaryFolder()
    let path = alone.path("out.mbtiles")
    var random = SplitMix64(seed: 4)
    var (unnamed, harmless, hits) = ([Int](), 0, 0)
    for offset in stride(from: 0, to: good.count, by: runsSlowTests ? 5 : 113) {
      var bytes = good
      bytes[offset] ^= UInt8(1) << UInt8(random.below(8))
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var faults = try ArchiveInspection(path).verify().faults
      let damaged = Content(path)
      if faults.isEmpty {
        // Without its report, what no reader gets to see may differ.
        #expect(damaged == content, "byte \(offset)")
        harmless += 1
        try FileManager.default.copyItem(atPath: report, toPath: alone.path("out.report.json"))
        faults = try ArchiveInspection(path).verify().faults
        try FileManager.default.removeItem(atPath: alone.path("out.report.json"))
        #expect(faults.count == 1 && faults.first?.contains("SHA-256") == true, "byte \(offset)")
      }
      guard let damaged else { continue }
      let hit = Set(content.tiles.keys).union(damaged.tiles.keys).filter {
        content.tiles[$0] != damaged.tiles[$0]
      }
      guard !hit.isEmpty else { continue }
      hits += 1
      if !hit.contains(where: { tile in faults.contains { $0.contains("\(tile)") } }) {
        unnamed.append(offset)
      }
    }
    #expect(unnamed.isEmpty, "of \(hits) bytes that change tiles: \(unnamed)")
    #expect(harmless < good.count && hits > 0)
  }

  @Test("verify names three tiles of a damaged image, and how many more show it")
  func manyTiles() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("a.mbtiles"))
    let writer = try ArchiveWriter(path: path, layout: .dedup)
    let image = try Self.pixel()
    for zoom in 0...2 {
      for key in 0..<(1 << (2 * zoom)) {
        let tile = TileCoord(TileKey(rawValue: UInt64(key)), z: zoom)
        try writer.append(EncodedTile(tile: tile, bytes: image))
      }
    }
    _ = try writer.finish(
      metadata: ArchiveMetadata(
        name: "a", bounds: .world, center: LngLat(longitude: 0, latitude: 0), centerZoom: 0,
        zooms: 0...2))
    var bytes = try folder.bytes("a.mbtiles")
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: image) })
    bytes[start + image.count - 20] ^= 1
    try Data(bytes).write(to: folder.url.appendingPathComponent("a.mbtiles"))
    let faults = try ArchiveInspection(path.string).verify().faults
    let named = "shows it too"
    #expect(
      faults.contains {
        $0.contains("of tile 0/0/0 is not named")
          && $0.contains("; 1/0/0, 1/1/0 and 18 more show it too")
      }, "\(named): \(faults)")
  }

  private static func pixel() throws -> [UInt8] {
    let folder = try archive("flat")
    let reader = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    return try reader.tile(TileCoord(z: 0, x: 0, y: 0)) ?? []
  }
}
