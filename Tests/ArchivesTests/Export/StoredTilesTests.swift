import MBTiles
import PMTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Runs

@Suite("Tiles in any container")
struct StoredTilesTests {
  @Test("PMTiles that are read where they lie have the tiles and the metadata of their archive")
  func packed() throws {
    let sample = try ExportSample()
    try sample.export(to: "out.pmtiles")
    let names = try sample.sample.folder.names()
    let tiles = try TileContainer.opening(FilePath(sample.path("out.pmtiles")))
    let archive = try TileContainer.opening(FilePath(sample.archive))
    #expect(tiles is PackedTiles && archive is ArchiveReader)
    #expect(tiles.taps == nil && archive.taps != nil)
    #expect(tiles.metadata.entries == archive.metadata.entries)
    #expect(try tiles.tileCounts() == archive.tileCounts())
    var packed: [(TileCoord, [UInt8])] = []
    try tiles.forEachTile { (tile, bytes) throws(ArchiveError) in
      packed.append((tile, Array(bytes)))
    }
    var stored: [(TileCoord, [UInt8])] = []
    try archive.forEachTile { (tile, bytes) throws(ArchiveError) in
      stored.append((tile, Array(bytes)))
    }
    #expect(packed.map(\.0) == stored.map(\.0) && packed.map(\.1) == stored.map(\.1))
    #expect(stored.count > 10)
    for (tile, bytes) in stored { #expect(try tiles.tile(tile) == bytes) }
    #expect(try tiles.tile(TileCoord(z: 9, x: 0, y: 0)) == nil)
    #expect(try tiles.anyTile() == tiles.tile(TileCoord(z: 0, x: 0, y: 0)))
    #expect(try sample.sample.folder.names() == names)
  }

  @Test("a damaged PMTiles file is refused, whichever way its tiles are asked for")
  func damaged() throws {
    let sample = try ExportSample()
    try sample.export(to: "out.pmtiles")
    var bytes = try sample.sample.folder.bytes("out.pmtiles")
    bytes.removeLast(bytes.count / 2)
    try bytes.withUnsafeBytes { bytes in
      let file = try FileDescriptor.open(
        FilePath(sample.path("cut.pmtiles")), .writeOnly, options: .create,
        permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    }
    let tiles = try TileContainer.opening(FilePath(sample.path("cut.pmtiles")))
    #expect(throws: ArchiveError.self) {
      for (tile, _) in try sample.tiles() { _ = try tiles.tile(tile) }
    }
    #expect(throws: ArchiveError.self) { try tiles.forEachTile { _, _ in } }
  }
}
