import Testing
import Tiling

@Suite("A tile coordinate")
struct TileCoordTests {
  @Test("a tile coordinate flips its row for TMS")
  func flip() {
    #expect(TileCoord(z: 11, x: 327, y: 791).tmsRow == 1256)
    #expect(TileCoord(z: 11, x: 327, tmsRow: 1256) == TileCoord(z: 11, x: 327, y: 791))
  }

  @Test("a tile coordinate owns its north and west edge and no part of its south and east edge")
  func halfOpen() {
    let corner = WorldPoint(x: 1 << 31, y: 1 << 31)
    #expect(TileCoord(corner, z: 1) == TileCoord(z: 1, x: 1, y: 1))
    #expect(TileCoord(WorldPoint(x: (1 << 31) - 1, y: 0), z: 1) == TileCoord(z: 1, x: 0, y: 0))
    #expect(TileCoord(WorldPoint(x: .max, y: .max), z: 0) == TileCoord(z: 0, x: 0, y: 0))
  }

  @Test("a tile coordinate sorts by zoom and quadkey through its archive key and its number")
  func archiveOrder() {
    let tiles = [
      (0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1), (2, 0, 0), (21, 5, 1_000_000),
      (22, (1 << 22) - 1, 0),
    ].map { TileCoord(z: $0.0, x: $0.1, y: $0.2) }
    #expect(tiles.map(\.archiveKey) == tiles.map(\.archiveKey).sorted())
    #expect(tiles.prefix(6).map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(tiles.map(\.number) == tiles.map(\.number).sorted())
    for tile in tiles {
      #expect(TileCoord(archiveKey: tile.archiveKey) == tile)
      #expect(TileCoord(number: tile.number) == tile)
    }
  }

  @Test("each number from 1 to that of the last tile of zoom 22 is a tile's, and no other")
  func numbers() {
    let last = TileCoord(z: 22, x: (1 << 22) - 1, y: (1 << 22) - 1).number
    #expect(last == 23_456_248_059_221)
    for number in [1, 2, 5, 6, 21, 22, last - 1, last] as [UInt64] {
      #expect(TileCoord(number: number)?.number == number)
    }
    for number in [0, last + 1, .max] as [UInt64] { #expect(TileCoord(number: number) == nil) }
  }

  @Test("the tiles of a range come in archive order, also over the antimeridian")
  func rangeOrder() {
    for range in [
      TileRange(zoom: 4, firstColumn: 3, lastColumn: 9, firstRow: 2, lastRow: 7),
      TileRange(zoom: 4, firstColumn: 14, lastColumn: 1, firstRow: 0, lastRow: 15),
      TileRange(zoom: 0, firstColumn: 0, lastColumn: 0, firstRow: 0, lastRow: 0),
    ] {
      let all = (0..<(1 << range.zoom)).flatMap { x in
        (0..<(1 << range.zoom)).map { TileCoord(z: range.zoom, x: x, y: $0) }
      }
      var keys: [TileKey] = []
      range.forEachKey {
        keys.append($0)
        return true
      }
      #expect(keys == all.filter { range.contains($0) }.map { TileKey($0) }.sorted())
      var count = 0
      range.forEachKey { _ in
        count += 1
        return count < 3
      }
      #expect(count == min(3, keys.count))
    }
  }

  @Test(
    "a tile coordinate is read from z/x/y, and any other text is refused",
    arguments: ["1/2/0", "-1/0/0", "3/4", "23/0/0", "a/b/c"])
  func refused(text: String) {
    #expect(TileCoord(text) == nil)
  }
}
