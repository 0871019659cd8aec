import PMTiles
import TestSupport
import Testing
import Tiling

@Suite("Numbers of tiles along the Hilbert curve")
struct HilbertTileTests {
  @Test(
    "tiles have the numbers in the PMTiles specification",
    arguments: [
      ("0/0/0", 0), ("1/0/0", 1), ("1/0/1", 2), ("1/1/1", 3), ("1/1/0", 4), ("2/0/0", 5),
      ("2/1/3", 11), ("2/3/0", 20), ("3/0/0", 21), ("12/3423/1763", 19_078_479),
    ] as [(String, UInt64)])
  func specification(text: String, number: UInt64) throws {
    let tile = try #require(TileCoord(text))
    #expect(HilbertTile(tile).rawValue == number)
    #expect(HilbertTile(rawValue: number).tile == tile)
  }

  @Test("every tile of the first seven zooms has its own Hilbert number, and neighbours touch")
  func everyTile() throws {
    var last: TileCoord?
    for number in 0..<HilbertTile.first(of: 7) {
      let tile = try #require(HilbertTile(rawValue: number).tile)
      #expect(HilbertTile(tile).rawValue == number)
      if let last, last.z == tile.z {
        #expect(abs(last.x - tile.x) + abs(last.y - tile.y) == 1)
      } else {
        #expect(tile.x == 0 && tile.y == 0)
      }
      last = tile
    }
  }

  @Test("Hilbert numbers map back to their tiles down to zoom 22, and to none beyond")
  func deepZooms() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let zoom = random.below(23)
      let tile = TileCoord(
        z: zoom, x: random.below(1 << zoom), y: random.below(1 << zoom))
      #expect(HilbertTile(tile).tile == tile)
    }
    #expect(HilbertTile(rawValue: HilbertTile.first(of: 23) - 1).tile?.z == 22)
    #expect(HilbertTile(rawValue: HilbertTile.first(of: 23)).tile == nil)
    #expect(HilbertTile(rawValue: .max).tile == nil)
  }
}
