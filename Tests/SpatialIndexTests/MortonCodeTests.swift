import SpatialIndex
import TestSupport
import Testing
import Tiling

@Suite struct MortonCodeTests {
  @Test("Morton codes order the children of a quadrant NW, NE, SW, SE")
  func childOrder() {
    let corners: [(x: UInt32, y: UInt32)] = [(0, 0), (1, 0), (0, 1), (1, 1)]
    #expect(corners.map { MortonCode(x: $0.x, y: $0.y).rawValue } == [0, 1, 2, 3])
  }

  @Test(
    "Morton codes move each single bit to its own place and back", arguments: 0..<UInt32(32))
  func singleBits(bit: UInt32) {
    let value = UInt32(1) << bit
    #expect(MortonCode(x: value, y: 0).rawValue == 1 << UInt64(2 * bit))
    #expect(MortonCode(x: 0, y: value).rawValue == 1 << UInt64(2 * bit + 1))
    #expect(MortonCode(x: value, y: 0).point == WorldPoint(x: value, y: 0))
    #expect(MortonCode(x: 0, y: value).point == WorldPoint(x: 0, y: value))
  }

  @Test("Morton codes survive the round trip and order by their highest differing bit")
  func roundTrip() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let left = random.point()
      let right = random.point()
      #expect(MortonCode(left).point == left)
      let width = left.x ^ right.x
      let height = left.y ^ right.y
      // The axis whose highest differing bit is higher decides; y decides a tie.
      let rowDecides = height.leadingZeroBitCount <= width.leadingZeroBitCount
      let precedes = rowDecides ? left.y < right.y : left.x < right.x
      #expect((MortonCode(left) < MortonCode(right)) == precedes)
    }
  }
}
