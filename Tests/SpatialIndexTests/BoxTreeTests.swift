import SpatialIndex
import Testing
import Tiling

@Suite struct BoxTreeTests {
  enum Arrangement: String, CaseIterable, Sendable {
    case none, one, random, gridded, coincident, wrapping

    func boxes(_ random: inout SplitMix64) -> ContiguousArray<WorldBox> {
      switch self {
      case .none: []
      case .one: [WorldBox(west: 5, north: 6, east: 7, south: 8)]
      case .random: ContiguousArray((0..<1700).map { _ in random.box(side: 1 << 27) })
      case .gridded:
        ContiguousArray(
          (0..<1600).map {
            let (x, y) = (UInt32($0 % 40) << 26, UInt32($0 / 40) << 26)
            return WorldBox(west: x, north: y, east: x + 1 << 26, south: y + 1 << 26)
          })
      case .coincident:
        ContiguousArray(
          (0..<500).map { _ in WorldBox(west: 1 << 31, north: 1, east: 1 << 31 + 9, south: 20) })
      case .wrapping:
        ContiguousArray(
          (0..<600).map { _ in
            var box = random.box(side: 1 << 24)
            box.west = box.west & 0xFF_FFFF &- 0x80_0000
            box.east = box.west &+ 0x40_0000
            return box
          })
      }
    }
  }

  private func meets(_ a: WorldBox, _ b: WorldBox) -> Bool {
    func columns(_ box: WorldBox) -> [ClosedRange<UInt32>] {
      box.west <= box.east ? [box.west...box.east] : [0...box.east, box.west...UInt32.max]
    }
    guard a.north <= b.south, b.north <= a.south else { return false }
    return columns(a).contains { left in columns(b).contains { left.overlaps($0) } }
  }

  @Test(arguments: Arrangement.allCases)
  func `finds what a look at every box finds`(arrangement: Arrangement) {
    var random = SplitMix64(seed: 77)
    let boxes = arrangement.boxes(&random)
    let tree = BoxTree(boxes)
    #expect(tree.count == boxes.count)
    var found: ContiguousArray<UInt32> = [7]
    for round in 0..<150 {
      var query = random.box(side: round % 3 == 0 ? 1 << 31 : 1 << 26)
      if round % 4 == 0, let near = boxes.randomElement(using: &random) {
        query.west = near.east
        query.north = near.south
        query.south = max(query.north, query.south)
      }
      found.removeLast(found.count - 1)
      tree.boxes(meeting: query, into: &found)
      let expected = boxes.indices.filter { meets(boxes[$0], query) }.map { UInt32($0) }
      #expect(Array(found) == [7] + expected)
    }
  }

  @Test func `a query that is upside down finds nothing`() {
    let tree = BoxTree([WorldBox(west: 0, north: 0, east: .max, south: .max)])
    var found: ContiguousArray<UInt32> = []
    tree.boxes(meeting: WorldBox(west: 0, north: 9, east: 9, south: 0), into: &found)
    #expect(found.isEmpty)
  }
}

extension SplitMix64 {
  /// A box of up to a side; it may cross the antimeridian.
  fileprivate mutating func box(side: UInt32) -> WorldBox {
    let corner = point()
    let size = point()
    let south = corner.y.addingReportingOverflow(size.y % side)
    return WorldBox(
      west: corner.x, north: corner.y, east: corner.x &+ size.x % side,
      south: south.overflow ? .max : south.partialValue)
  }
}
