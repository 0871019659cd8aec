import SpatialIndex
import Testing
import Tiling

/// The arrangements of points on which the tree must agree with a look at every point.
enum Arrangement: String, CaseIterable, Sendable {
  case none, one, random, gridded, coincident, clustered, antimeridian

  func points() -> ContiguousArray<WorldPoint> {
    var random = SplitMix64(seed: 20)
    switch self {
    case .none: return []
    case .one: return [WorldPoint(x: 5, y: .max)]
    case .random: return ContiguousArray((0..<1500).map { _ in random.point() })
    case .gridded:
      // Corners of the quadrants, where half-open edges matter.
      return ContiguousArray(
        (0..<1600).map { WorldPoint(x: UInt32($0 % 40) << 27, y: UInt32($0 / 40) << 27) })
    case .coincident:
      return ContiguousArray(
        (0..<900).map {
          $0 % 3 == 0 ? WorldPoint(x: .max, y: 0) : WorldPoint(x: 1 << 31, y: 1 << 31)
        })
    case .clustered:
      return ContiguousArray(
        (0..<1500).map { _ in
          let near = random.point()
          return WorldPoint(x: 1 << 30 + near.x & 0xFF, y: 3 << 30 + near.y & 0x3F)
        })
    case .antimeridian:
      return ContiguousArray(
        (0..<1200).map { _ in
          let near = random.point()
          return WorldPoint(x: (near.x & 0xFFF) &- 0x800, y: 1 << 31 + near.y & 0xFFF)
        })
    }
  }
}

@Suite struct QuadTreeTests {
  /// Indices in Morton order, ascending among coincident points.
  private func expected(
    _ points: ContiguousArray<WorldPoint>, where belongs: (WorldPoint) -> Bool
  ) -> [UInt32] {
    points.indices.filter { belongs(points[$0]) }
      .sorted { (MortonCode(points[$0]).rawValue, $0) < (MortonCode(points[$1]).rawValue, $1) }
      .map { UInt32($0) }
  }

  /// Random queries whose edges often fall on points.
  private func corner(_ points: ContiguousArray<WorldPoint>, _ random: inout SplitMix64)
    -> WorldPoint
  {
    let any = random.point()
    switch random.next() % 4 {
    case 0: return any
    case 1: return points.randomElement(using: &random) ?? any
    default:
      let near = points.randomElement(using: &random) ?? any
      return WorldPoint(x: near.x &+ any.x & 0x1FF &- 0x100, y: near.y &+ any.y & 0x1FF &- 0x100)
    }
  }

  @Test(
    "box queries find what a look at every point finds, in Morton order, and nothing else",
    arguments: Arrangement.allCases, [1, 4, 32])
  func boxes(arrangement: Arrangement, capacity: Int) {
    let points = arrangement.points()
    let tree = QuadTree(points, leafCapacity: capacity)
    var random = SplitMix64(seed: 3)
    for _ in 0..<60 {
      let first = corner(points, &random)
      let second = corner(points, &random)
      let box = WorldBox(
        west: first.x, north: min(first.y, second.y), east: second.x,
        south: max(first.y, second.y))
      var found: ContiguousArray<UInt32> = []
      tree.points(in: box, into: &found)
      #expect(Array(found) == expected(points) { box.contains($0) })
    }
  }

  @Test(
    "radius queries find what a look at every point finds, over the antimeridian too",
    arguments: Arrangement.allCases, [1, 4, 32])
  func discs(arrangement: Arrangement, capacity: Int) {
    let points = arrangement.points()
    let tree = QuadTree(points, leafCapacity: capacity)
    var random = SplitMix64(seed: 4)
    for round in 0..<60 {
      let center = corner(points, &random)
      let radius = Double(random.next() >> UInt64(32 + round % 28))
      var found: ContiguousArray<UInt32> = []
      tree.points(within: radius, of: center, into: &found)
      let brute = expected(points) { point in
        let across = abs(Double(point.x) - Double(center.x))
        let dx = min(across, 4_294_967_296 - across)
        let dy = Double(point.y) - Double(center.y)
        return dx * dx + dy * dy <= radius * radius
      }
      #expect(Array(found) == brute)
    }
  }

  @Test("a million identical points are one leaf, found whole or not at all")
  func coincident() {
    let place = WorldPoint(x: 123_456_789, y: 987_654_321)
    let tree = QuadTree(ContiguousArray(repeating: place, count: 1_000_000), threads: 2)
    #expect(tree.nodeCount == 1)
    var found: ContiguousArray<UInt32> = []
    tree.points(in: WorldBox(place), into: &found)
    #expect(found.count == 1_000_000)
    #expect(found.first == 0 && found.last == 999_999)
    found.removeAll()
    tree.points(
      in: WorldBox(west: place.x + 1, north: place.y, east: place.x - 1, south: place.y),
      into: &found)
    #expect(found.isEmpty)
  }

  @Test("an exact radius belongs; a negative one or no number finds nothing")
  func radiusEdges() {
    let points: ContiguousArray = [WorldPoint(x: 10, y: 10), WorldPoint(x: 13, y: 14)]
    let tree = QuadTree(points)
    func count(_ radius: Double) -> Int {
      var found: ContiguousArray<UInt32> = []
      tree.points(within: radius, of: points[0], into: &found)
      return found.count
    }
    #expect(count(5) == 2)
    #expect(count(4.999) == 1)
    #expect(count(0) == 1)
    #expect(count(-1) == 0)
    #expect(count(.nan) == 0)
    #expect(count(.infinity) == 2)
  }

  @Test("answers are appended to what the buffer holds")
  func appends() {
    let tree = QuadTree([WorldPoint(x: 1, y: 1)])
    var found: ContiguousArray<UInt32> = [7]
    tree.points(in: WorldBox(WorldPoint(x: 1, y: 1)), into: &found)
    #expect(found == [7, 0])
  }

  @Test("the depth limit makes leaves overflow instead of splitting", arguments: [0, 1, 5, 32])
  func depthLimit(limit: Int) {
    let points = Arrangement.random.points()
    let tree = QuadTree(points, leafCapacity: 1, depthLimit: limit)
    var quadrants = 1
    for _ in 0..<min(limit, 10) { quadrants *= 4 }
    // A tree that drops empty and single children has at most a third more nodes than leaves.
    #expect(tree.nodeCount <= quadrants * 4 / 3 + 1 || limit == 32)
    var found: ContiguousArray<UInt32> = []
    let box = WorldBox(west: 1 << 30, north: 1 << 29, east: 3 << 30, south: 1 << 31)
    tree.points(in: box, into: &found)
    #expect(Array(found) == expected(points) { box.contains($0) })
  }

  @Test("hostile pairs of near points cost nodes in proportion to points")
  func nodeBound() {
    var random = SplitMix64(seed: 11)
    let points = ContiguousArray(
      (0..<2000).flatMap { _ -> [WorldPoint] in
        let place = random.point()
        return [place, WorldPoint(x: place.x ^ 1, y: place.y)]
      })
    #expect(QuadTree(points, leafCapacity: 1).nodeCount < 2 * points.count)
  }
}
