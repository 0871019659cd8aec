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

  /// Writes an archive, row by row or with the segments of another one that stay the same.
  private static func write(
    _ tiles: Tiles, to path: FilePath, _ layout: ArchiveLayout, _ pageSize: PageSize,
    from last: (path: FilePath, contents: ArchiveContents)? = nil
  ) throws -> (contents: ArchiveContents, copied: Int, written: [WrittenRows]) {
    let writer = try ArchiveWriter(
      path: path, layout: layout, pageSize: pageSize, isHashing: last == nil, isCollecting: true,
      isRecording: true)
    let rows = tiles.sorted { $0.key < $1.key }
    var next = 0
    var (copied, written) = (0, [] as [WrittenRows])
    func writeRows(through limit: UInt64) throws {
      let start = next
      while next < rows.count, rows[next].key <= limit {
        let tile = try #require(TileCoord(number: rows[next].key))
        let image = rows[next].value
        try images[image].withUnsafeBytes {
          _ = try writer.addTile(tile, showingOnly: $0, md5: names[image])
        }
        next += 1
      }
      guard start < next else { return }
      written.append(
        WrittenRows(numbers: rows[start].key...rows[next - 1].key, count: next - start))
    }
    if let last {
      writer.blocks = BlockHashes()
      let source = try StoredPages(last.path, layout: layout, pageSize: pageSize)
      let firstTiles = Dictionary(
        rows.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
      var start = 0
      for segment in 0..<last.contents.segments.count {
        let end = last.contents.end(ofSegment: segment)
        let limit = last.contents.segments.lastTiles[segment]
        let those = rows[next...].prefix { $0.key <= limit }
        let isLast = segment == last.contents.segments.count - 1
        let isOpen = isLast && !last.contents.segments.isClosed && those.endIndex < rows.count
        let isSame =
          !isOpen && those.count == end - start
          && zip(those, start..<end).allSatisfy { row, index in
            let stored = last.contents.imageRows[index] == row.key
            let stores = layout == .flat || firstTiles[row.value] == row.key
            return last.contents.tiles[index] == row.key && stored == stores
              && last.contents.images[index] == names[row.value]
          }
        if isSame, writer.canCopy(segment, of: last.contents.segments) {
          try writer.copy(segment, start..<end, of: last.contents, from: source)
          next = those.endIndex
          copied += 1
        } else {
          try writeRows(through: limit)
        }
        start = end
      }
    }
    try writeRows(through: .max)
    _ = try writer.finish { _ in [MetadataEntry("name", "a")] }
    #expect(try writer.findDamage() == nil)
    return (try #require(writer.contents), copied, written)
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
    var last = (
      path: folder.path.appending("0"),
      contents: try Self.write(tiles, to: folder.path.appending("0"), layout, size).contents
    )
    var copied = 0
    for step in 1...4 {
      Self.edit(&tiles, &random, images: images)
      let whole = folder.path.appending("whole\(step)")
      _ = try Self.write(tiles, to: whole, layout, size)
      let path = folder.path.appending("\(step)")
      let made = try Self.write(tiles, to: path, layout, size, from: last)
      #expect(try contents(of: path) == contents(of: whole))
      copied += made.copied
      #expect(made.contents.count == tiles.count)
      let database = try Database(path: path.string, mode: .immutable)
      #expect(try database.text("PRAGMA integrity_check") == "ok")
      last = (path, made.contents)
    }
    #expect(copied > (layout == .flat ? 20 : 0))
  }

  @Test("an archive tells what it no longer holds of that which was written to it")
  func damage() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    let writer = try ArchiveWriter(path: path, layout: .dedup, isRecording: true)
    for (tile, image) in Sample.tiles { try writer.append(EncodedTile(tile: tile, bytes: image)) }
    _ = try writer.finish(metadata: Sample.metadata())
    #expect(try writer.findDamage() == nil)
    var bytes = try contents(of: path)
    bytes[2 * 4096 + 9] ^= 1
    let file = try FileDescriptor.open(path, .writeOnly)
    _ = try file.closeAfter { try file.writeAll(toAbsoluteOffset: 0, bytes) }
    #expect(try writer.findDamage() != nil)
  }
}
