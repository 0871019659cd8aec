import Clustering
import TestSupport
import Testing

@Suite("Classes")
struct ClassBreaksTests {
  private static func cost(_ values: [Double], _ uppers: [Double]) -> Double {
    var cost = 0.0
    var low = -Double.infinity
    for upper in uppers {
      let own = values.filter { $0 > low && $0 <= upper }
      let mean = own.reduce(0, +) / Double(max(own.count, 1))
      cost += own.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      low = upper
    }
    return cost
  }

  /// Calls `body` with every choice of ascending values.
  private static func forEachChoice(
    of values: [Double], _ count: Int, _ chosen: [Double] = [], _ body: ([Double]) -> Void
  ) {
    if count == 0 { return body(chosen) }
    for (index, value) in values.enumerated() {
      forEachChoice(of: Array(values[(index + 1)...]), count - 1, chosen + [value], body)
    }
  }

  @Test("natural breaks have the least squared distances of all divisions", arguments: 2...5)
  func jenks(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    for size in [1, 2, 5, 9, 14] {
      let values = (0..<size).map { _ in Double(Int.random(in: 0...40, using: &random)) }
      let breaks = try #require(ClassBreaks(values, .jenks, count: count))
      let different = Set(values).sorted()
      #expect(breaks.uppers.count == min(count, different.count))
      #expect(breaks.uppers.last == different.last && breaks.minimum == different.first)
      var least = Double.infinity
      Self.forEachChoice(of: different.dropLast(), breaks.uppers.count - 1) { choice in
        least = min(least, Self.cost(values, choice + [different[different.count - 1]]))
      }
      #expect(abs(Self.cost(values, breaks.uppers) - least) < 1e-9)
    }
  }

  @Test("quantiles, equal and logarithmic classes have the bounds of their definitions")
  func bounds() throws {
    let values = [1.0, 2, 3, 4, 100]
    func uppers(_ method: ClassBreaks.Method, _ count: Int) throws -> [Double] {
      try #require(ClassBreaks(values, method, count: count)).uppers
    }
    #expect(try uppers(.quantile, 4) == [2, 3, 4, 100])
    #expect(try uppers(.quantile, 2) == [3, 100])
    #expect(try uppers(.equal, 3) == [34, 67, 100])
    let log = try uppers(.log, 2)
    #expect(log.count == 2 && abs(log[0] - 10) < 1e-12 && log[1] == 100)
  }

  @Test("a class owns its upper bound; equal bounds are one class")
  func classes() throws {
    let breaks = try #require(ClassBreaks([5, 5, 5, 5, 9], .quantile, count: 4))
    #expect(breaks.uppers == [5, 9])
    #expect([0, 5, 5.1, 9, 12].map(breaks.number) == [0, 0, 1, 1, 1])
    #expect(ClassBreaks([], .equal, count: 3) == nil)
    #expect(try #require(ClassBreaks([-3, 0], .log, count: 3)).uppers == [0])
  }
}
