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

  @Test("a tile coordinate sorts by zoom, column and TMS row through its archive key")
  func archiveOrder() {
    let tiles = [(0, 0, 0), (1, 0, 1), (1, 0, 0), (1, 1, 1), (22, (1 << 22) - 1, 0)].map {
      TileCoord(z: $0.0, x: $0.1, y: $0.2)
    }
    #expect(tiles.map(\.archiveKey) == tiles.map(\.archiveKey).sorted())
    for tile in tiles { #expect(TileCoord(archiveKey: tile.archiveKey) == tile) }
  }

  @Test(
    "a tile coordinate is read from z/x/y, and any other text is refused",
    arguments: ["1/2/0", "-1/0/0", "3/4", "23/0/0", "a/b/c"])
  func refused(text: String) {
    #expect(TileCoord(text) == nil)
  }
}
