import TestSupport
import Testing

@testable import Baking

@Suite("The size of samples")
struct SampleSpreadTests {
  @Test("a sample of the size that a small one asks for tells the mean")
  func size() {
    var random = SplitMix64(seed: 33)
    // Many small values and few large ones, as tiles have.
    let values = (0..<20_000).map { _ in
      random.below(10) == 0 ? random.number(in: 5_000..<20_000) : random.number(in: 100..<400)
    }
    let mean = values.reduce(0, +) / Double(values.count)
    var first = SampleSpread()
    for index in stride(from: 0, to: values.count, by: values.count / 64) {
      first.add(values[index])
    }
    let size = first.size(within: 0.03, of: values.count)
    var second = SampleSpread()
    for index in stride(from: 0, to: values.count, by: values.count / size) {
      second.add(values[index])
    }
    #expect(size > 1000 && size < values.count)
    #expect(abs(second.mean / mean - 1) < 0.06, "\(second.mean) of \(mean)")
  }

  @Test("equal values, no values and a zero mean need no larger sample")
  func plain() {
    var spread = SampleSpread()
    #expect(spread.size(within: 0.01, of: 0) == 0 && spread.mean == 0)
    for _ in 0..<9 { spread.add(7) }
    #expect(spread.size(within: 0.01, of: 1000) == 0 && spread.mean == 7)
    var zeros = SampleSpread()
    zeros.add(-1)
    zeros.add(1)
    #expect(zeros.size(within: 0.01, of: 1000) == 0)
  }

  @Test("a sample is no larger than what it is taken of")
  func all() {
    var spread = SampleSpread()
    spread.add(1)
    spread.add(1_000_000)
    #expect((90...100).contains(spread.size(within: 0.0001, of: 100)))
  }
}
