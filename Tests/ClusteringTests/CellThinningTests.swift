import Clustering
import Columns
import TestSupport
import Testing
import Tiling

@Suite("Thinning by cell")
struct CellThinningTests {
  private func positions(_ count: Int) -> Column<WorldPoint> {
    var random = SplitMix64(seed: 7)
    return Column(
      (0..<count).map { index in
        // A third stands in one corner, so that deep cells hold several, too.
        let shift: UInt32 = index.isMultiple(of: 3) ? 20 : 0
        return WorldPoint(
          x: .random(in: 0...(.max), using: &random) >> shift,
          y: .random(in: 0...(.max), using: &random) >> shift)
      })
  }

  @Test(
    "each cell of each zoom keeps its first features and no more",
    arguments: [(1, 256.0, 0...0), (3, 256.0, 0...9), (2, 64.0, 1...7), (1, 100.3, 2...22)])
  func keepsTheFirst(perCell: Int, cellSize: Double, zooms: ClosedRange<Int>) throws {
    let points = positions(2000)
    let order = CellThinning.order(
      by: Column(points.indices.map { Double($0 % 17) }), isDescending: true)
    let thinning = CellThinning(perCell: perCell, cellSize: cellSize, tileSize: 256)
    let all = thinning.kept(of: points, order: order, zooms: zooms) {}
    #expect(all.count == zooms.count)
    for (zoom, kept) in zip(zooms, all) {
      let across = Double(256 << zoom) / cellSize
      let byCell = Dictionary(grouping: order.map { Int($0) }) { index in
        [points[index].x, points[index].y].map { Int(Double($0) / 0x1p32 * across) }
      }
      for members in byCell.values {
        #expect(members.prefix(perCell).allSatisfy { kept[$0] })
        #expect(members.dropFirst(perCell).allSatisfy { !kept[$0] })
      }
    }
  }

  @Test("a cell owns its north and west edge")
  func ownsNorthWest() {
    let half: UInt32 = 1 << 31
    let points: Column = [
      WorldPoint(x: half, y: half), WorldPoint(x: half - 1, y: half),
      WorldPoint(x: half, y: half + 5),
    ]
    let thinning = CellThinning(perCell: 1, cellSize: 128, tileSize: 256)
    let kept = thinning.kept(of: points, order: [0, 1, 2], zooms: 0...0) {}
    #expect(kept == [[true, true, false]])
  }

  @Test("nothing keeps nothing")
  func empty() {
    let thinning = CellThinning(perCell: 1, cellSize: 128, tileSize: 256)
    let kept = thinning.kept(of: [], order: [], zooms: 3...5) {}
    #expect(kept == [[], [], []])
  }

  @Test("an error ends the work before the next zoom")
  func cancelled() {
    var zooms = 0
    #expect(throws: CancellationError.self) {
      _ = try CellThinning(perCell: 1, cellSize: 128, tileSize: 256).kept(
        of: [WorldPoint(x: 0, y: 0)], order: [0], zooms: 0...9
      ) {
        zooms += 1
        if zooms == 3 { throw CancellationError() }
      }
    }
    #expect(zooms == 3)
  }

  @Test("features without a number come last, ties as they stand")
  func ordersMissingLast() {
    let values: Column<Double?> = [nil, 2, 5, nil, 2]
    #expect(CellThinning.order(by: values, isDescending: true) == [2, 1, 4, 0, 3])
    #expect(CellThinning.order(by: values, isDescending: false) == [1, 4, 2, 0, 3])
  }
}
