import TestSupport
import Testing
import Tiling

@Suite("The division into tiles")
struct TileDivisionTests {
  @Test(
    "coordinates are divided as by floor, on both sides of zero",
    arguments: [1, 3, 256, 512, 768, 1024, 1536, 2048, 768 << 8, 1536 << 30])
  func floor(side: Int) {
    let division = TileDivision(side: side)
    var random = SplitMix64(seed: UInt64(side))
    for tile in [-3, -2, -1, 0, 1, 2, 5] {
      for offset in [0, 1, side / 2, side - 1, random.below(side)] where offset < side {
        #expect(division.tile(tile * side + offset) == tile)
      }
    }
  }
}
