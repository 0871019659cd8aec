import Columns
import TestSupport
import Testing

@testable import Clustering

@Suite("A linear quad tree")
struct LinearQuadTreeTests {
  enum Arrangement: String, CaseIterable, Sendable {
    case none, one, random, gridded, coincident, clumped

    /// Columns and rows of cells, 16 bits each.
    func cells(_ random: inout SplitMix64) -> [(column: Int, row: Int)] {
      switch self {
      case .none: []
      case .one: [(65_535, 3)]
      case .random: (0..<9000).map { _ in (random.below(65_536), random.below(65_536)) }
      case .gridded: (0..<4096).map { ($0 % 64 * 1024, $0 / 64 * 1024) }
      case .coincident: (0..<500).map { _ in (40_000, 20_000) }
      case .clumped: (0..<9000).map { _ in (random.below(100), 60_000 + random.below(100)) }
      }
    }
  }

  /// The Morton code of a cell, bit by bit.
  private func key(_ column: Int, _ row: Int) -> UInt64 {
    var key: UInt64 = 0
    for bit in 0..<32 {
      let inColumn = UInt64(column >> bit & 1)
      let inRow = UInt64(row >> bit & 1)
      key |= (inColumn | (inRow << 1)) << UInt64(2 * bit)
    }
    return key
  }

  private func tree(
    _ cells: [(column: Int, row: Int)], threads: Int = 1
  ) -> LinearQuadTree<QuadTreeCell> {
    LinearQuadTree(count: cells.count, threads: threads) { key(cells[$0].column, cells[$0].row) }
  }

  @Test(
    "has for each cell of each depth what a look at every member finds",
    arguments: Arrangement.allCases)
  func allDepths(arrangement: Arrangement) {
    var random = SplitMix64(seed: 77)
    let cells = arrangement.cells(&random)
    var tree = tree(cells)
    for level in 0...16 {
      if level > 0 { tree.coarsen(by: 2) }
      let expected = Dictionary(grouping: cells.indices) {
        key(cells[$0].column >> level, cells[$0].row >> level)
      }
      #expect(tree.nodes.map(\.key) == expected.keys.sorted())
      for node in tree.nodes {
        #expect(tree.members[node.range].map { Int($0) }.sorted() == expected[node.key])
      }
      // The runs follow one another without gaps.
      #expect(tree.nodes.flatMap { Array($0.range) } == Array(0..<cells.count))
    }
    #expect(tree.nodes.count == min(cells.count, 1))
  }

  @Test("members of a cell of the first depth ascend")
  func ascending() {
    var random = SplitMix64(seed: 5)
    let tree = tree((0..<5000).map { _ in (random.below(20), random.below(20)) })
    for node in tree.nodes {
      let members = Array(tree.members[node.range])
      #expect(members == members.sorted())
    }
  }

  @Test("goes up several depths at once as it does one by one", arguments: [1, 2, 5, 16])
  func depthsAtOnce(levels: Int) {
    var random = SplitMix64(seed: 9)
    let cells = Arrangement.random.cells(&random)
    var (atOnce, oneByOne) = (tree(cells), tree(cells))
    atOnce.coarsen(by: UInt64(2 * levels))
    for _ in 0..<levels { oneByOne.coarsen(by: 2) }
    #expect(atOnce.nodes.map(\.key) == oneByOne.nodes.map(\.key))
    #expect(atOnce.nodes.map(\.range) == oneByOne.nodes.map(\.range))
  }

  @Test("does not depend on the number of threads", arguments: [2, 3, 8])
  func threads(count: Int) {
    var random = SplitMix64(seed: 3)
    let cells = (0..<60_000).map { _ in (random.below(300), random.below(300)) }
    var (one, several) = (tree(cells), tree(cells, threads: count))
    for _ in 0..<9 {
      #expect(one.nodes.map(\.key) == several.nodes.map(\.key))
      #expect(one.nodes.map(\.range) == several.nodes.map(\.range))
      #expect(one.members == several.members)
      one.coarsen(by: 2)
      several.coarsen(by: 2, threads: count)
    }
  }

  @Test("finds the occupied cells and no other", arguments: Arrangement.allCases)
  func places(arrangement: Arrangement) {
    var random = SplitMix64(seed: 11)
    let cells = arrangement.cells(&random)
    let tree = tree(cells)
    for (place, node) in tree.nodes.enumerated() { #expect(tree.place(of: node.key) == place) }
    let keys = Set(tree.nodes.map(\.key))
    for _ in 0..<500 {
      let key = key(random.below(65_536), random.below(65_536))
      if !keys.contains(key) { #expect(tree.place(of: key) == nil) }
    }
    #expect(tree.place(of: .max) == nil)
  }

  @Test("keeps the lowest members of each cell, at each depth", arguments: [1, 2, 7])
  func lowest(limit: Int) {
    var random = SplitMix64(seed: 13)
    let cells = Arrangement.clumped.cells(&random)
    var tree = tree(cells)
    for level in 0...16 {
      if level > 0 { tree.coarsen(by: 2) }
      tree.keepLowest(limit)
      let expected = Dictionary(grouping: cells.indices) {
        key(cells[$0].column >> level, cells[$0].row >> level)
      }
      for node in tree.nodes {
        #expect(
          tree.members[node.range].map { Int($0) }
            == expected[node.key].map { Array($0.prefix(limit)) })
      }
    }
  }
}
