import Columns
import SpatialIndex
import TestSupport
import Testing

@Suite struct RadixSorterTests {
  /// The standard library's stable sort of the same pairs.
  private func expected(_ keys: Column<UInt64>) -> ([UInt64], [UInt32]) {
    let order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    return (order.map { keys[$0] }, order.map { UInt32($0) })
  }

  private func check(_ keys: Column<UInt64>, threads: Int) {
    var sorted = keys
    var payloads = Column(keys.indices.map { UInt32($0) })
    var sorter = RadixSorter()
    sorter.sort(&sorted, &payloads, threads: threads)
    let (expectedKeys, expectedPayloads) = expected(keys)
    #expect(Array(sorted) == expectedKeys)
    #expect(Array(payloads) == expectedPayloads)
  }

  @Test("a radix sort of every arrangement of up to five small keys is stable")
  func exhaustive() {
    for count in 0...5 {
      var total = 1
      for _ in 0..<count { total *= 3 }
      for number in 0..<total {
        var rest = number
        var keys: Column<UInt64> = []
        for _ in 0..<count {
          keys.append(UInt64(rest % 3) << 40)
          rest /= 3
        }
        check(keys, threads: 1)
      }
    }
  }

  @Test(
    "a radix sort of random keys agrees with the standard library",
    arguments: [UInt64.max, 0xFF, 0x7FF_0000_0000_0000, 1 << 63, 0x0000_0FFF_FF00_0000])
  func random(mask: UInt64) {
    var generator = SplitMix64(seed: mask)
    check(Column((0..<3000).map { _ in generator.next() & mask }), threads: 1)
  }

  @Test("a radix sort has the same bytes on any number of threads", arguments: [2, 3, 5])
  func threads(count: Int) {
    var generator = SplitMix64(seed: 7)
    let keys = Column((0..<200_000).map { _ in generator.next() & 0x3F_FFFF })
    var alone = keys
    var alonePayloads = Column(keys.indices.map { UInt32($0) })
    var shared = keys
    var sharedPayloads = alonePayloads
    var sorter = RadixSorter()
    sorter.sort(&alone, &alonePayloads)
    sorter.sort(&shared, &sharedPayloads, threads: count)
    #expect(alone == shared)
    #expect(alonePayloads == sharedPayloads)
    #expect(zip(alone, alone.dropFirst()).allSatisfy(<=))
  }

  @Test("a radix sorter can be reused for sorts of different sizes")
  func reuse() {
    var generator = SplitMix64(seed: 9)
    var sorter = RadixSorter()
    for count in [10, 1000, 3, 0, 500] {
      let keys = Column((0..<count).map { _ in generator.next() })
      var sorted = keys
      var payloads = Column(keys.indices.map { UInt32($0) })
      sorter.sort(&sorted, &payloads)
      #expect(Array(sorted) == keys.sorted())
      #expect(payloads.map { keys[Int($0)] } == Array(sorted))
    }
  }
}

@Suite struct ChunkedWorkTests {
  @Test("chunks of work cover everything once, in order", arguments: [0, 1, 7, 100], 1...5)
  func cover(count: Int, threads: Int) {
    let work = ChunkedWork(count: count, threads: threads, minimum: 2)
    #expect(work.chunks.flatMap { Array($0) } == Array(0..<count))
    #expect(work.chunks.count <= max(1, min(threads, count / 2)))
  }

  @Test("chunks of work with boundaries never cut a run", arguments: 1...6)
  func runs(threads: Int) {
    let keys = [0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3]
    let work = ChunkedWork(count: keys.count, threads: threads, minimum: 1) {
      keys[$0] != keys[$0 - 1]
    }
    #expect(work.chunks.flatMap { Array($0) } == Array(keys.indices))
    for chunk in work.chunks where chunk.lowerBound > 0 && !chunk.isEmpty {
      #expect(keys[chunk.lowerBound] != keys[chunk.lowerBound - 1])
    }
  }
}
