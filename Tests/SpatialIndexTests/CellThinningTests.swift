import SpatialIndex
import Testing
import Tiling

@Suite("Thinning by cell")
struct CellThinningTests {
  private func positions(_ count: Int) -> ContiguousArray<WorldPoint> {
    var generator = SeededRandom(seed: 7)
    return ContiguousArray(
      (0..<count).map { _ in WorldPoint(x: generator.next32(), y: generator.next32()) })
  }

  @Test(
    "thinning by cell keeps the first features of each cell and no more",
    arguments: [(1, 256.0, 0), (3, 256.0, 2), (2, 64.0, 1), (1, 100.0, 3)])
  func keepsTheFirst(perCell: Int, cellSize: Double, zoom: Int) {
    let points = positions(2000)
    let order = CellThinning.order(
      by: ContiguousArray(points.indices.map { Double($0 % 17) }), isDescending: true)
    let thinning = CellThinning(perCell: perCell, cellSize: cellSize, tileSize: 256)
    let kept = thinning.kept(of: points, order: order, zoom: zoom)
    let across = Double(256 << zoom) / cellSize
    func cell(_ point: WorldPoint) -> [Int] {
      [Int(Double(point.x) / 0x1p32 * across), Int(Double(point.y) / 0x1p32 * across)]
    }
    let byCell = Dictionary(grouping: order.map { Int($0) }) { cell(points[$0]) }
    for members in byCell.values {
      #expect(members.prefix(perCell).allSatisfy { kept[$0] })
      #expect(members.dropFirst(perCell).allSatisfy { !kept[$0] })
    }
  }

  @Test("thinning by cell counts a feature on the north or west edge in the cell")
  func ownsNorthWest() {
    let half: UInt32 = 1 << 31
    let points: ContiguousArray = [
      WorldPoint(x: half, y: half), WorldPoint(x: half - 1, y: half),
      WorldPoint(x: half, y: half + 5),
    ]
    let thinning = CellThinning(perCell: 1, cellSize: 128, tileSize: 256)
    #expect(thinning.kept(of: points, order: [0, 1, 2], zoom: 0) == [true, true, false])
  }

  @Test("thinning by cell puts features without a number last and keeps the order of ties")
  func ordersMissingLast() {
    let values: ContiguousArray<Double?> = [nil, 2, 5, nil, 2]
    #expect(CellThinning.order(by: values, isDescending: true) == [2, 1, 4, 0, 3])
    #expect(CellThinning.order(by: values, isDescending: false) == [1, 4, 2, 0, 3])
  }
}

/// A small generator, the same in every run.
private struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next32() -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 32)
  }
}
