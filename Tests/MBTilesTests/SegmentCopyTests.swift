import Columns
import Files
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import MBTiles

@Suite("Segments of an archive")
struct SegmentCopyTests {
  /// The tiles of an archive by their numbers, with the number of each one's image.
  private typealias Tiles = [UInt64: Int]

  /// Bytes that follow from a number: some hundred, or some ten thousand, which need other pages.
  private static let images = (0..<930).map { image($0) }
  private static let names = images.map { image in
    image.withUnsafeBytes { MD5Digest(of: $0) }
  }

  private static func image(_ number: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(number))
    let count =
      number < 30 && number % 3 == 0 ? 9_000 + random.below(20_000) : 200 + random.below(2_000)
    return (0..<count).map { _ in UInt8(random.below(256)) }
  }

  private static func tiles(_ random: inout SplitMix64, images: Range<Int>) -> Tiles {
    var tiles: Tiles = [:]
    for zoom in 0...6 {
      for key in 0..<(1 << (2 * zoom)) where random.below(3) > 0 || zoom < 3 {
        tiles[TileCoord.firstNumber(ofZoom: zoom) + UInt64(key)] =
          images.lowerBound + random.below(images.count)
      }
    }
    return tiles
  }

  private static func edit(_ tiles: inout Tiles, _ random: inout SplitMix64, images: Range<Int>) {
    for _ in 0..<(1 + random.below(4)) {
      let zoom = random.below(7)
      let number = TileCoord.firstNumber(ofZoom: zoom) + UInt64(random.below(1 << (2 * zoom)))
      tiles[number] =
        random.below(4) == 0 && zoom > 0 ? nil : images.lowerBound + random.below(images.count)
    }
  }

  /// Writes an archive row by row.
  private static func write(
    _ tiles: Tiles, to path: FilePath, _ layout: ArchiveLayout, _ pageSize: PageSize
  ) throws -> (contents: ArchiveContents, summary: ArchiveSummary) {
    let writer = try ArchiveWriter(
      path: path, layout: layout, pageSize: pageSize, isCollecting: true)
    for (number, image) in tiles.sorted(by: { $0.key < $1.key }) {
      let tile = try #require(TileCoord(number: number))
      try images[image].withUnsafeBytes {
        _ = try writer.addTile(tile, showingOnly: $0, md5: names[image])
      }
    }
    let summary = try writer.finish { _ in [MetadataEntry("name", "a")] }
    return (try #require(writer.contents), summary)
  }

  /// An archive that was made from another one.
  private struct Spliced {
    var contents: ArchiveContents
    var summary: ArchiveSummary
    var copied = 0
  }

  /// Writes an archive with the segments of another one that stay the same.
  private static func splice(
    _ tiles: Tiles, to path: FilePath, _ layout: ArchiveLayout, _ pageSize: PageSize,
    from last: (path: FilePath, contents: ArchiveContents)
  ) throws -> Spliced {
    let old = last.contents
    let source = try StoredPages(last.path, layout: layout, pageSize: pageSize)
    #expect(source.hold(old.segments))
    let writer = try SpliceWriter(path: path, layout: layout, from: old, source)
    let rows = tiles.sorted { $0.key < $1.key }
    let firstTiles = Dictionary(
      rows.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var (next, copied, start) = (0, 0, 0)
    func writeRows(through limit: UInt64) throws {
      while next < rows.count, rows[next].key <= limit {
        let (number, image) = rows[next]
        let tile = try #require(TileCoord(number: number))
        try images[image].withUnsafeBytes { bytes in
          if layout == .dedup, let first = firstTiles[image], first < number {
            try writer.addTile(
              tile, showing: names[image], of: first, size: StoredSize(of: bytes))
          } else {
            try writer.addTile(tile, storing: bytes, names[image])
          }
        }
        next += 1
      }
    }
    for segment in 0..<old.segments.count {
      let end = old.end(ofSegment: segment)
      let limit = old.segments.lastTiles[segment]
      let those = rows[next...].prefix { $0.key <= limit }
      let isLast = segment == old.segments.count - 1
      let isOpen = isLast && !old.segments.isClosed && those.endIndex < rows.count
      let isSame =
        !isOpen && those.count == end - start
        && zip(those, start..<end).allSatisfy { row, index in
          let stored = old.imageRows[index] == row.key
          let stores = layout == .flat || firstTiles[row.value] == row.key
          return old.tiles[index] == row.key && stored == stores
            && old.images[index] == names[row.value]
        }
      if isSame, writer.canCopy(segment) {
        try writer.copy(segment, start..<end)
        next = those.endIndex
        copied += 1
      } else {
        try writeRows(through: limit)
      }
      start = end
    }
    try writeRows(through: .max)
    let summary = try writer.finish(BlockHashes()) { _ in [MetadataEntry("name", "a")] }
    #expect(try writer.findDamage() == nil)
    return Spliced(contents: writer.contents, summary: summary, copied: copied)
  }

  @Test(
    "an archive with copied segments has the bytes of one that was written row by row",
    arguments: ArchiveLayout.allCases, 0..<3)
  func copies(layout: ArchiveLayout, seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // A few images, of which some need further pages; many; many of which none does.
    let images = [0..<30, 0..<330, 30..<930][seed]
    var tiles = Self.tiles(&random, images: images)
    let folder = try TemporaryFolder()
    let size = seed == 1 ? PageSize.large : .small
    let first = folder.path.appending("0")
    var last = (path: first, contents: try Self.write(tiles, to: first, layout, size).contents)
    var copied = 0
    for step in 1...4 {
      Self.edit(&tiles, &random, images: images)
      let whole = folder.path.appending("whole\(step)")
      let written = try Self.write(tiles, to: whole, layout, size)
      let path = folder.path.appending("\(step)")
      let made = try Self.splice(tiles, to: path, layout, size, from: last)
      #expect(try contents(of: path) == contents(of: whole))
      copied += made.copied
      #expect(made.contents.tiles == written.contents.tiles)
      #expect(made.contents.imageRows == written.contents.imageRows)
      #expect(made.summary.zooms == written.summary.zooms)
      #expect(made.summary.distinct == written.summary.distinct)
      #expect(made.summary.distinctBytes == written.summary.distinctBytes)
      let database = try Database(path: path.string, mode: .immutable)
      #expect(try database.text("PRAGMA integrity_check") == "ok")
      // What the first tile needs besides leaves comes with the first pages.
      let upper = """
        SELECT max(rootpage) FROM sqlite_schema WHERE name IN ('metadata', 'map', 'tiles', 'images')
        """
      #expect(try #require(try database.integer(upper)) <= 5)
      last = (path, made.contents)
    }
    #expect(copied > (layout == .flat ? 20 : 0))
  }

  @Test(
    "an index whose entries after a run all go has the bytes of one that was written entry by entry",
    arguments: ArchiveLayout.allCases, [1, 20, 700])
  func lostEnd(layout: ArchiveLayout, count: Int) throws {
    // Rows of one column, of which one ends a run; the index has a leaf for some 300 of them.
    let zoom = 12
    let end = try #require(
      (0..<1 << 24).lazy.map { TileCoord(z: zoom, x: $0 >> zoom, tmsRow: $0 & 4095) }
        .first { (700..<3000).contains($0.tmsRow) && ArchiveSegments.endsRun($0) })
    func tiles(through last: Int) -> Tiles {
      let rows = (end.tmsRow - 700)...last
      return Tiles(
        uniqueKeysWithValues: rows.map { (TileCoord(z: zoom, x: end.x, tmsRow: $0).number, 1) })
    }
    let folder = try TemporaryFolder()
    let (old, whole) = (folder.path.appending("old"), folder.path.appending("whole"))
    let stored = try Self.write(tiles(through: end.tmsRow + count), to: old, layout, .small)
    _ = try Self.write(tiles(through: end.tmsRow), to: whole, layout, .small)
    let path = folder.path.appending("a")
    _ = try Self.splice(
      tiles(through: end.tmsRow), to: path, layout, .small, from: (old, stored.contents))
    #expect(try contents(of: path) == contents(of: whole))
  }

  @Test("an archive tells what it no longer holds of that which was written to it")
  func damage() throws {
    var random = SplitMix64(seed: 9)
    let tiles = Self.tiles(&random, images: 0..<30)
    let folder = try TemporaryFolder()
    let (old, path) = (folder.path.appending("old"), folder.path.appending("a"))
    let stored = try Self.write(tiles, to: old, .dedup, .small).contents
    let source = try StoredPages(old, layout: .dedup, pageSize: .small)
    let writer = try SpliceWriter(path: path, layout: .dedup, from: stored, source)
    let tile = TileCoord(z: 0, x: 0, y: 0)
    try Self.images[0].withUnsafeBytes { try writer.addTile(tile, storing: $0, Self.names[0]) }
    _ = try writer.finish(BlockHashes()) { _ in [MetadataEntry("name", "a")] }
    #expect(try writer.findDamage() == nil)
    var bytes = try contents(of: path)
    bytes[6 * 4096 + 9] ^= 1
    let file = try FileDescriptor.open(path, .writeOnly)
    _ = try file.closeAfter { try file.writeAll(toAbsoluteOffset: 0, bytes) }
    #expect(try writer.findDamage() != nil)
  }
}
