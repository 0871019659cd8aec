#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small seeded generator (SplitMix64): the sample data is the same on every run and machine.
struct RandomNumbers {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly from 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Evenly from 0 ..< count.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }

  /// Exponential with mean 1: distances from a centre.
  mutating func exponential() -> Double { -log(1 - unit()) }

  /// A direction on the circle.
  mutating func direction() -> (x: Double, y: Double) {
    let angle = unit() * 2 * Double.pi
    return (cos(angle), sin(angle))
  }
}
