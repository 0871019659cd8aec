import Columns
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SpatialIndex

@Suite("Sorting in runs")
struct RunSorterTests {
  @Test(
    "runs of any length, merged, are sorted as at once, and equal keys keep their order",
    arguments: [1, 7, 100, 2_500, 9_999])
  func sorted(runLength: Int) throws {
    let folder = try TemporaryFolder()
    var limits = Scratch.Limits(columns: 0, work: 24 * runLength)
    limits.smallest = 0
    let scratch = Scratch(folder: FilePath(folder.url.path), limits: limits) { error in
      Issue.record("no file: \(error)")
    }
    for bits in [3, 20, 64] {
      var random = SplitMix64(seed: UInt64(bits))
      let keys = (0..<10_000).map { _ in random.next() >> UInt64(64 - bits) }
      var whole = Column(keys)
      var wholePayloads = Column(0..<UInt32(keys.count))
      var sorter = RadixSorter()
      sorter.sort(&whole, &wholePayloads)
      var parts = Column(keys, in: scratch)
      var payloads = Column(0..<UInt32(keys.count), in: scratch)
      sorter.sort(&parts, &payloads, threads: 2)
      #expect(parts == whole && payloads == wholePayloads)
    }
  }

  @Test("keys that fit into memory are not sorted in runs")
  func fits() throws {
    let scratch = Scratch(folder: "/", limits: .init(columns: 1 << 20, work: 2_400)) { _ in }
    #expect(RunSorter(Column(repeating: 0, count: 100, in: scratch)) == nil)
    #expect(RunSorter(Column(repeating: 0, count: 101, in: scratch)) != nil)
    #expect(RunSorter(Column(repeating: 0, count: 1 << 20)) == nil)
  }
}
