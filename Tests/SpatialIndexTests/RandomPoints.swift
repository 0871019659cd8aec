import TestSupport
import Tiling

extension SplitMix64 {
  /// A position anywhere in the world.
  mutating func point() -> WorldPoint {
    let bits = next()
    return WorldPoint(
      x: UInt32(truncatingIfNeeded: bits), y: UInt32(truncatingIfNeeded: bits >> 32))
  }
}
