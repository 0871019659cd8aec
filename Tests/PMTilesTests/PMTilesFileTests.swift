import MBTiles
import PMTiles
import SystemPackage
import TestSupport
import Testing
import Tiling

/// Tiles by their place, as a writer is given them and as a reader must give them back.
private typealias Tiles = [TileCoord: [UInt8]]

/// A file of its own with the tiles, in the order given by a seed.
private struct Written {
  let folder: TemporaryFolder
  let path: FilePath
  let summary: PMTilesSummary

  init(_ tiles: Tiles, seed: UInt64 = 1) throws {
    folder = try TemporaryFolder()
    path = FilePath(folder.path("tiles.pmtiles"))
    var random = SplitMix64(seed: seed)
    let writer = try PMTilesWriter(path: path)
    let order = tiles.keys.sorted { $0.archiveKey < $1.archiveKey }.shuffled(using: &random)
    for tile in order {
      try (tiles[tile] ?? []).withUnsafeBytes { try writer.append(tile, $0) }
    }
    var header = PMTilesHeader()
    let zooms = tiles.keys.map(\.z)
    header.minZoom = UInt8(zooms.min() ?? 0)
    header.maxZoom = UInt8(zooms.max() ?? 0)
    header.centerZoom = header.minZoom
    header.bounds = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
    header.center = [100, -200]
    summary = try writer.finish(header, metadata: Array(#"{"name":"sample"}"#.utf8))
  }

  var bytes: [UInt8] {
    get throws { try folder.bytes("tiles.pmtiles") }
  }
}

/// Some thousand tiles in crowds with few different contents, so that runs, repeats and gaps occur.
private func sample(_ count: Int, contents: Int, maxZoom: Int, seed: UInt64) -> Tiles {
  var random = SplitMix64(seed: seed)
  var tiles: Tiles = [:]
  while tiles.count < count {
    let zoom = random.below(maxZoom + 1)
    let number =
      HilbertTile.first(of: zoom)
      + UInt64(random.below(Int(HilbertTile.first(of: zoom + 1) - HilbertTile.first(of: zoom))))
    let content = [UInt8](repeating: UInt8(random.below(contents)), count: 1 + random.below(3))
    for step in 0..<UInt64(1 + random.below(9)) {
      guard let tile = HilbertTile(rawValue: number + step).tile, tile.z <= maxZoom else {
        continue
      }
      tiles[tile] = content
    }
  }
  return tiles
}

@Suite("PMTiles files")
struct PMTilesFileTests {
  @Test(
    "PMTiles: every tile that was written is read back, and no other",
    arguments: [
      (count: 1, contents: 1, maxZoom: 0), (count: 60, contents: 3, maxZoom: 3),
      (count: 3000, contents: 200, maxZoom: 9),
    ])
  func roundTrip(count: Int, contents: Int, maxZoom: Int) throws {
    let tiles = sample(count, contents: contents, maxZoom: maxZoom, seed: UInt64(count))
    let file = try Written(tiles)
    let reader = try PMTilesReader(file.path)
    for (tile, bytes) in tiles { #expect(try reader.tile(tile) == bytes) }
    var found: Tiles = [:]
    try reader.forEachEntry { entry in
      let bytes = try reader.bytes(of: entry)
      for number in entry.tile..<(entry.tile + UInt64(entry.runLength)) {
        found[try #require(HilbertTile(rawValue: number).tile)] = bytes
      }
    }
    #expect(found == tiles)
    var random = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let zoom = random.below(maxZoom + 2)
      let tile = TileCoord(z: zoom, x: random.below(1 << zoom), y: random.below(1 << zoom))
      #expect(try reader.tile(tile) == tiles[tile])
    }
    #expect(String(decoding: try reader.metadata(), as: UTF8.self) == #"{"name":"sample"}"#)
    let check = try PMTilesCheck(reader)
    #expect(check.faults == [])
    #expect(check.tiles == tiles.count && check.contents.count == Set(tiles.values).count)
    #expect(reader.header.bounds == [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000])
    #expect(reader.header.center == [100, -200])
  }

  @Test("PMTiles: the order in which tiles come does not change a byte")
  func order() throws {
    let tiles = sample(500, contents: 20, maxZoom: 6, seed: 5)
    #expect(try Written(tiles, seed: 1).bytes == Written(tiles, seed: 2).bytes)
  }

  @Test("PMTiles: equal neighbours are one entry, equal distant tiles one content")
  func runs() throws {
    var tiles: Tiles = [:]
    for number in UInt64(5)..<21 { tiles[try #require(HilbertTile(rawValue: number).tile)] = [7] }
    tiles[TileCoord(z: 0, x: 0, y: 0)] = [7]
    tiles[TileCoord(z: 1, x: 0, y: 0)] = [8]
    let file = try Written(tiles)
    #expect(file.summary.tiles == 18)
    #expect(file.summary.entries == 3)
    #expect(file.summary.contents == 2)
  }

  @Test("PMTiles: header and root lie in the first 16,384 bytes however many tiles there are")
  func leaves() throws {
    var tiles: Tiles = [:]
    var random = SplitMix64(seed: 9)
    // Every other tile of a zoom, each with a length of its own: entries that hardly compress.
    for number in stride(from: HilbertTile.first(of: 8), to: HilbertTile.first(of: 9), by: 2) {
      let bytes = (0..<(1 + random.below(40))).map { _ in UInt8(random.below(256)) }
      tiles[try #require(HilbertTile(rawValue: number).tile)] = bytes
    }
    let file = try Written(tiles)
    #expect(file.summary.leaves > 1)
    let reader = try PMTilesReader(file.path)
    #expect(reader.header.root.offset + reader.header.root.length <= 16_384)
    #expect(try PMTilesCheck(reader).faults == [])
    for (tile, bytes) in tiles where tile.x % 16 == 3 { #expect(try reader.tile(tile) == bytes) }
  }

  @Test("PMTiles: the bytes of a small file are those that the specification describes")
  func bytes() throws {
    let file = try Written([TileCoord(z: 0, x: 0, y: 0): [1, 2], TileCoord(z: 1, x: 0, y: 0): [3]])
    let bytes = try file.bytes
    #expect(bytes.prefix(8).elementsEqual("PMTiles".utf8 + [3]))
    func number(_ offset: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    #expect(number(8) == 127)
    #expect(number(24) == 127 + number(16))
    #expect(number(40) == number(24) + number(32) && number(48) == 0)
    #expect(number(56) == number(40) && number(64) == 3)
    #expect(bytes[96...101].elementsEqual([1, 2, 1, 2, 0, 1]))
    #expect(bytes.suffix(3).elementsEqual([1, 2, 3]))
    let root = bytes[127..<(127 + number(16))].withUnsafeBytes {
      Gzip.decompress($0, limit: 1000)
    }
    // Two entries: numbers 0 and +1, runs 1 and 1, lengths 2 and 1, offsets 0 + 1 and "follows".
    #expect(root == [2, 0, 1, 1, 1, 2, 1, 1, 0])
  }

  @Test("PMTiles: a duplicate tile, or no tiles at all, is refused")
  func misuse() throws {
    let folder = try TemporaryFolder()
    let writer = try PMTilesWriter(path: FilePath(folder.path("a.pmtiles")))
    #expect(throws: ArchiveError.self) {
      try writer.finish(PMTilesHeader(), metadata: Array("{}".utf8))
    }
    let twice = try PMTilesWriter(path: FilePath(folder.path("b.pmtiles")))
    for byte in [UInt8(1), 2] {
      try [byte].withUnsafeBytes { try twice.append(TileCoord(z: 3, x: 1, y: 1), $0) }
    }
    #expect(throws: ArchiveError.self) {
      try twice.finish(PMTilesHeader(), metadata: Array("{}".utf8))
    }
  }

  @Test("PMTiles: a damaged file is refused or read, and never crashes the reader")
  func damage() throws {
    let tiles = sample(300, contents: 20, maxZoom: 6, seed: 11)
    let file = try Written(tiles)
    let good = try file.bytes
    var random = SplitMix64(seed: 13)
    var refused = 0
    for round in 0..<400 {
      var bytes = good
      switch round % 3 {
      case 0: bytes[random.below(127)] = UInt8(random.below(256))
      case 1: bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      default: bytes.removeLast(1 + random.below(bytes.count - 1))
      }
      let path = FilePath(file.folder.path("damaged.pmtiles"))
      let descriptor = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
      do throws(ArchiveError) {
        let reader = try PMTilesReader(path)
        _ = try reader.metadata()
        if try !PMTilesCheck(reader).faults.isEmpty { refused += 1 }
        for tile in tiles.keys.prefix(5) { _ = try reader.tile(tile) }
      } catch {
        #expect(error.code == .badArchive, "\(error)")
        refused += 1
      }
    }
    #expect(refused > 200)
  }
}

@Suite("Directories of PMTiles")
struct PMTilesDirectoryTests {
  @Test(
    "PMTiles directory entries read back unchanged, with gaps, repeats, leaves and large numbers")
  func roundTrip() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<200 {
      var tile: UInt64 = 0
      var entries: [PMTilesEntry] = []
      for _ in 0..<(1 + random.below(40)) {
        let length = UInt32(1 + random.below(random.below(2) == 0 ? 3 : 1 << 32 - 1))
        let follows = entries.last.map { $0.offset + UInt64($0.length) }
        let offset = random.below(2) == 0 ? follows : nil
        entries.append(
          PMTilesEntry(
            tile: tile, offset: offset ?? UInt64(random.below(1 << 50)), length: length,
            runLength: UInt32(random.below(4))))
        tile += UInt64(1 + random.below(1 << 40))
      }
      #expect(try PMTilesDirectory.entries(PMTilesDirectory.bytes(of: entries[...])) == entries)
    }
  }

  @Test(
    "bytes that are not a PMTiles directory are refused",
    arguments: [
      [], [0], [1], [200, 200], [1, 5, 1, 3, 0], [1, 5, 1, 0, 1], [2, 5, 0, 1, 1, 3, 3, 1, 0],
      [1, 5, 1, 3, 1, 9], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [1, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(throws: PMTilesFault.self) { try PMTilesDirectory.entries(bytes) }
  }

  @Test("a PMTiles leaf that leads to itself ends in an error")
  func circle() throws {
    let entry = PMTilesEntry(tile: 0, offset: 0, length: 0, runLength: 0)
    // Uncompressed, so that a directory can have the length that it names.
    var leaf = entry
    leaf.length = UInt32(
      PMTilesDirectory.bytes(of: [PMTilesEntry(tile: 0, offset: 0, length: 5, runLength: 0)][...])
        .count)
    let directory = PMTilesDirectory.bytes(of: [leaf][...])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.root = .init(offset: 127, length: UInt64(directory.count))
    header.leaves = .init(offset: 127, length: UInt64(directory.count))
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("circle.pmtiles"))
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create], permissions: [.ownerReadWrite])
    _ = try file.closeAfter { try file.writeAll(header.bytes + directory) }
    let reader = try PMTilesReader(path)
    #expect(throws: ArchiveError.self) { try reader.forEachEntry { _ in } }
    #expect(throws: ArchiveError.self) { try reader.tile(TileCoord(z: 0, x: 0, y: 0)) }
  }
}
