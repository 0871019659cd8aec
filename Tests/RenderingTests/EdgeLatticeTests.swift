import Raster
import TestSupport
import Testing

@testable import Painting

@Suite("The lattice of edge colours")
struct EdgeLatticeTests {
  @Test(
    "the lattice of edge colours is at most 7 off in any channel, and keeps channels below alpha")
  func isNear() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let alpha = random.pick([0, 1, 3, 7, 8, 200, 254, 255, random.below(256)])
      var color = UInt32(alpha) << 24
      for shift: UInt32 in [0, 8, 16] { color |= UInt32(random.below(alpha + 1)) << shift }
      let rounded = EdgeLattice.nearest(to: color)
      for shift: UInt32 in [0, 8, 16, 24] {
        #expect(abs(Int(color >> shift & 0xFF) - Int(rounded >> shift & 0xFF)) <= 7)
        #expect(rounded >> shift & 0xFF <= rounded >> 24)
      }
      #expect((color >> 24 == 0) == (rounded >> 24 == 0), "visible edges stay visible")
      if alpha == 255 { #expect(rounded >> 24 == 255) }
      #expect(EdgeLattice.nearest(to: rounded) == rounded)
    }
  }

  @Test(
    "the lattice of edge colours has 0, 1, 2, 4, 8 and multiples of 15, the same in each channel")
  func levels() {
    let levels = [0, 1, 2, 4, 8] + Array(stride(from: 15 as UInt32, through: 255, by: 15))
    for shift: UInt32 in [0, 8, 16, 24] {
      for value: UInt32 in 0...255 {
        // Halfway between two levels the greater one is nearest.
        let nearest = levels.reversed().min {
          value.distance(to: $0).magnitude
            < value.distance(to: $1).magnitude
        }
        #expect(EdgeLattice.nearest(to: value << shift) == nearest.map { $0 << shift })
      }
    }
  }
}
